// The lineage of a run: an edge from each URL to the URL it was found on.

import type { Crawl } from '../../ports/crawls.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'

export interface LineageEdge {
  from_url_id: number
  to_url_id: number
  from_normalized_url: string | null
  to_normalized_url: string
  to_raw_url: null
}

/** In the order in which the URLs were found. */
export async function readLineage(urls: Pick<Urls, 'rows'>, crawlId: string, limit: number): Promise<LineageEdge[]> {
  const edges: LineageEdge[] = []
  const names = new Map<number, string>()
  for await (const row of urls.rows(crawlId)) {
    names.set(row.id, row.url)
    const edge = toLineageEdge(row)
    if (edge !== null) edges.push(edge)
    if (edges.length === limit) break
  }
  // A shorter path may lead through a URL that was found later.
  const missing = edges.map(({ from_url_id }) => from_url_id).filter((id) => !names.has(id))
  for await (const row of readRowsById(urls, crawlId, missing)) names.set(row.id, row.url)
  for (const edge of edges) edge.from_normalized_url = names.get(edge.from_url_id) ?? null
  return edges
}

export function toLineageEdge({ id, url, discoveredFrom }: UrlRow): LineageEdge | null {
  if (discoveredFrom === null) return null
  return {
    from_url_id: discoveredFrom,
    to_url_id: id,
    from_normalized_url: null,
    to_normalized_url: url,
    to_raw_url: null,
  }
}

/** About the size of a read batch: rows closer than this are reached by reading on instead of by a new query. */
const MAX_SCAN_GAP = 2000

/** In ascending order of ids. */
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

/** Every URL except the seeds was found on another URL. */
export function edgeCount(discovered: number, { seeds }: Crawl): number {
  return Math.max(0, discovered - seeds.length)
}
