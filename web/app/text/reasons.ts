// Why a crawl or a url ended, in words.

const END_TEXTS: Record<string, string> = {
  max_pages: 'the limit of pages was reached',
  cancelled: 'it was cancelled',
}

const HOLD_TEXTS: Record<string, string> = {
  max_disk: 'The data directory is as large as it may be. Make room there, or raise the limit.',
  low_disk: 'The disk is nearly full. The crawl goes on when there is room.',
  index_lag: 'The search index is too far behind. The crawl goes on when it has caught up.',
  slow_store: 'The store is too slow. The crawl goes on when it answers faster.',
  memory:
    'The server takes more memory than it may. The crawl goes on in some seconds; raise --memory if this comes often.',
  no_worker: 'No worker is running. Restart the server, or in a cluster start a worker: orbweaver worker.',
}

/** Why a whole crawl waits, and what to do. */
export function holdText(reason: string): string {
  return HOLD_TEXTS[reason] ?? `${reason.replaceAll('_', ' ')}.`
}

/** After "Ended before it ran out of urls:". */
export function endText(reason: string): string {
  return END_TEXTS[reason] ?? reason.replaceAll('_', ' ')
}

/** What helps when this reason kept a crawl from everything. */
export function adviceFor(reason: string): string {
  return reason.includes('address_blocked')
    ? 'Addresses that are not public need Allow private or Allow.'
    : 'Check the start url, and whether this machine can reach it.'
}

/** What was wrong with a page that was answered, for people; null when nothing was. */
export function contentProblem({ state, reason }: { state: string; reason: string | null }): string | null {
  if (state !== 'visited' || reason === null) return null
  return reason
    .replaceAll('_', ' ')
    .replace(/^pdf\b/, 'PDF')
    .replace(/^epub\b/, 'EPUB')
}
