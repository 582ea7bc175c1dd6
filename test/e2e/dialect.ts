// What the tests of the dialects have in common: requests in JSON, and a crawl that is worked on to its end.

import type { TestApi } from '../../src/api/test-api.ts'

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
