// What the tests of the dialects have in common: requests in JSON, a server, and a crawl that is worked on
// to its end.

import type { TestContext } from 'node:test'
import type { TestApi } from '../../../src/api/testing/test-api.ts'
import { makeTemporaryFolder, readServerAddress, startProgram } from '../../testing/program.ts'

export type JsonObject = Record<string, unknown>

export interface JsonResponse {
  status: number
  body: JsonObject
}

export async function requestJson(
  address: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<JsonResponse> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as JsonObject }
}

export async function runCrawlToEnd({ runtime }: TestApi, id: string): Promise<void> {
  const runningCrawl = await runtime.startCrawl(await runtime.crawls.find(id))
  await runningCrawl.run(new Promise<never>(() => undefined))
}

/** A server with a folder of its own; answers its address. */
export async function startServer(t: TestContext, args: string[]): Promise<string> {
  const ports = ['--port', '0', '--health-port', '0', '--min-free-disk', '0']
  const program = startProgram(['serve', '--data', makeTemporaryFolder(t), ...ports, ...args])
  t.after(async () => {
    program.child.kill('SIGTERM')
    await program.ended
  })
  return readServerAddress(program)
}
