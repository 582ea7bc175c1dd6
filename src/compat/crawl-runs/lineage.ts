// The lineage of a run: an edge from each URL to the URL it was found on.

import type { Crawl } from '../../ports/crawls.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import { readRowsById } from '../read-rows.ts'

export interface LineageEdge {
  from_url_id: number
  to_url_id: number
  from_normalized_url: string | null
  to_normalized_url: string
  to_raw_url: string | null
}

/** Edges in the order in which the URLs were found. */
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

/** The whole graph does not include links as written, which would have to be read from every page. */
export function toLineageEdge({ id, url, discoveredFrom }: UrlRow, rawUrl: string | null = null): LineageEdge | null {
  if (discoveredFrom === null) return null
  return {
    from_url_id: discoveredFrom,
    to_url_id: id,
    from_normalized_url: null,
    to_normalized_url: url,
    to_raw_url: rawUrl,
  }
}

/** Every URL except the seeds was found on another URL. */
export function edgeCount(discovered: number, { seeds }: Crawl): number {
  return Math.max(0, discovered - seeds.length)
}
