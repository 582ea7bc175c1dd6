// Requests one page for a command, as a crawl would.

import type { Fetcher, FetchResponse, FetchResult } from '../engine/fetch/fetch-result.ts'
import type { RequestHeaders } from '../engine/fetch/headers.ts'
import { AppError } from '../lib/errors.ts'

/** Fails if there is no response, or a redirect. */
export async function fetchPage(fetcher: Fetcher, url: string): Promise<FetchResponse> {
  const result = await fetchOnce(fetcher, url)
  if (result.kind === 'failure') {
    const hint = result.problem === 'address_blocked' ? ' Allow it with --allow-private.' : ''
    throw new AppError('BAD_SEED', `${url} could not be fetched: ${result.problem.replaceAll('_', ' ')}.${hint}`)
  }
  if (result.location !== null && result.status >= 300 && result.status < 400)
    throw new AppError('BAD_SEED', `${url} redirects to ${result.location}. Use that URL instead.`)
  return result
}

export function fetchOnce(fetcher: Fetcher, url: string, headers: RequestHeaders = []): Promise<FetchResult> {
  return new Promise((resolve) => fetcher.fetch(url, resolve, undefined, undefined, null, headers))
}
