// An HTTP server in place of an engine, for responses that a healthy one does not give.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { parseSearchUrl, type SearchLocation } from '../../../config/values/search-url.ts'
import { SearchClient } from '../client.ts'

export interface EngineRequest {
  method: string
  path: string
  body: string
}

export type Respond = (request: EngineRequest) => object | Promise<object>

export async function startScriptedEngine(t: TestContext, respond: Respond) {
  const requests: EngineRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: await text(incoming) }
    requests.push(request)
    response.end(JSON.stringify(await respond(request)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const location = parseSearchUrl(`opensearch://127.0.0.1:${port}/test`) as SearchLocation
  const client = new SearchClient(location, { idleMs: 10_000, attempts: 1 })
  t.after(() => {
    client.close()
    server.close()
  })
  return { client, location, requests }
}
