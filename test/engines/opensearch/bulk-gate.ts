// A proxy in front of a search engine that stops at the first bulk request, before or after the engine gets it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

export interface BulkGate {
  /** The URL of the engine, through the proxy. */
  search: string
  /** Resolves when the first bulk request is held. */
  held: Promise<void>
  /** Passes the held request on to the engine, if that was not done. */
  release(): Promise<void>
}

/** `search` is the value of --search. With `isAfter` the engine has executed the request, and no response comes back. */
export async function openBulkGate(t: TestContext, search: string, isAfter: boolean): Promise<BulkGate> {
  const { host } = new URL(search)
  const { promise: held, resolve: markHeld } = Promise.withResolvers<void>()
  let pass: (() => Promise<unknown>) | null = null
  const forward = async ({ method, url, headers }: IncomingMessage, body: Buffer) => {
    const type = headers['content-type']
    const init = body.length === 0 ? {} : { body, headers: { 'content-type': type ?? '' } }
    const response = await fetch(`http://${host}${url}`, { method: method ?? '', ...init })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    if (pass === null && request.url?.startsWith('/_bulk')) {
      pass = () => forward(request, body)
      if (isAfter) await pass()
      markHeld()
      return
    }
    const { status, bytes } = await forward(request, body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(bytes)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    search: search.replace(host, `127.0.0.1:${port}`),
    held,
    async release() {
      if (!isAfter) await pass?.()
    },
  }
}
