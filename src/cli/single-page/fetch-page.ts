// Requests one page outside a crawl, as a crawl would.

import type { Config } from '../../config/schema.ts'
import type { Fetcher, FetchResponse, FetchResult } from '../../engine/fetch/fetch-result.ts'
import type { RequestHeaders } from '../../engine/fetch/headers.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { Openers } from '../io.ts'

/** Opens a client, and closes it afterwards. `use` gets the URL in its canonical form. */
export async function withFetcher<T>(
  named: string,
  config: Config,
  { openFetcher }: Pick<Openers, 'openFetcher'>,
  use: (fetcher: Fetcher, url: string) => Promise<T>,
): Promise<T> {
  const target = normaliseUrl(named)
  if ('problem' in target) throw new AppError('BAD_SEED', `"${named}" is not an http or https URL.`)
  const fetcher = await openFetcher(config, [target.url])
  try {
    return await use(fetcher, target.url)
  } finally {
    await fetcher.close()
  }
}

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
