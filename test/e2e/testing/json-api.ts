// Support for tests of the API: JSON requests, and crawls that run to their end.

import type { TestApi } from '../../../src/api/testing/test-api.ts'

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
  if (response.headers.get('content-type')?.includes('json') !== true)
    throw new Error(
      `${method} ${address}${path} responded with ${response.status} and no JSON: ${await response.text()}`,
    )
  return { status: response.status, body: (await response.json()) as JsonObject }
}

export async function runCrawlToEnd({ runtime }: TestApi, id: string): Promise<void> {
  const runningCrawl = await runtime.startCrawl(await runtime.crawls.find(id))
  await runningCrawl.run(new Promise<never>(() => undefined))
}
