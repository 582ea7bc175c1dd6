// Reads single URL rows by id through the row stream of the store.

import type { UrlRow, Urls } from '../ports/urls.ts'

/** About the size of a read batch: rows closer than this are reached by reading on instead of by a new query. */
const MAX_SCAN_GAP = 2000

/** Rows in ascending order of their ids. */
export async function* readRowsById(
  urls: Pick<Urls, 'rows'>,
  crawlId: string,
  ids: readonly number[],
): AsyncGenerator<UrlRow, void, undefined> {
  const sortedIds = [...new Set(ids)].sort((a, b) => a - b)
  let next = 0
  for (let hasMore = true; hasMore && next < sortedIds.length; ) {
    hasMore = false
    for await (const row of urls.rows(crawlId, (sortedIds[next] ?? 0) - 1)) {
      while ((sortedIds[next] ?? Number.POSITIVE_INFINITY) < row.id) next += 1
      if (sortedIds[next] === row.id) {
        next += 1
        yield row
      }
      const following = sortedIds[next]
      if (following === undefined) return
      hasMore = following - row.id > MAX_SCAN_GAP
      if (hasMore) break
    }
  }
}

export async function readRowById(urls: Pick<Urls, 'rows'>, crawlId: string, id: number): Promise<UrlRow | null> {
  for await (const row of readRowsById(urls, crawlId, [id])) return row
  return null
}
