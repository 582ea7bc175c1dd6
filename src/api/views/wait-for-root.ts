// Waits until the first URL of a new crawl was visited, for clients that want its links with the response to their
// request.

import { urlKey } from '../../engine/url/url-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Browse, UrlDetails } from '../../ports/browse.ts'
import type { Crawl } from '../../ports/crawls.ts'

const POLL_MS = 50

export interface WaitForRootDependencies {
  browse: Pick<Browse, 'findUrl' | 'urlDetails'>
  clock: Clock
}

/** Null if the URL was not visited in time, or the client has disconnected. */
export async function waitForRoot(
  { id, rootUrl, keySeed }: Crawl,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  { browse, clock }: WaitForRootDependencies,
) {
  const rootId = await browse.findUrl(id, { url: rootUrl, key: urlKey(rootUrl, keySeed) })
  const giveUpAt = clock.now() + waitMs
  while (rootId !== null && !signal.aborted) {
    const details = await browse.urlDetails(id, rootId)
    if (details === null) return null
    if (details.row.state !== 'queued' && details.row.state !== 'in_progress') return rootJson(details)
    if (clock.now() >= giveUpAt) return null
    await new Promise<void>((resolve) => clock.after(POLL_MS, resolve))
  }
  return null
}

function rootJson({ row, outlinks }: UrlDetails) {
  const { id, url, state, reason, httpStatus, title, redirectTo } = row
  return {
    url_id: id,
    url,
    state,
    reason,
    http_status: httpStatus,
    title,
    redirect_to: redirectTo,
    children: {
      total: outlinks.total,
      items: outlinks.items.map((child) => ({ url_id: child.id, url: child.url, state: child.state })),
    },
  }
}
