// What the tests of the dialects have in common: requests in JSON, a server, and a crawl that is worked on
// to its end.

import type { TestContext } from 'node:test'
import type { TestApi } from '../../src/api/test-api.ts'
import { addressOf, start, temporaryFolder } from './program.ts'

export type Json = Record<string, unknown>

export interface JsonAnswer {
  status: number
  body: Json
}

export async function askJson(address: string, method: string, path: string, body?: unknown): Promise<JsonAnswer> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

export async function crawlToItsEnd({ workshop }: TestApi, id: string): Promise<void> {
  const shift = await workshop.begin(await workshop.crawls.find(id))
  await shift.run(new Promise<never>(() => undefined))
}

/** A server with a folder of its own; answers its address. */
export async function serve(t: TestContext, args: string[]): Promise<string> {
  const ports = ['--port', '0', '--health-port', '0', '--min-free-disk', '0']
  const program = start(['serve', '--data', temporaryFolder(t), ...ports, ...args])
  t.after(async () => {
    program.child.kill('SIGTERM')
    await program.ended
  })
  return addressOf(program)
}
