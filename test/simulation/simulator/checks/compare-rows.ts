// Compares a finished crawl with the expected rows (G1, G3, G7).

import type { CrawlProgress } from '../../../../src/ports/crawls.ts'
import type { UrlRow } from '../../../../src/ports/urls.ts'
import type { SimulatedStore } from '../cluster/simulated-store.ts'
import type { ExpectedRow } from './expected-rows.ts'

/** Returns one sentence per difference. */
export async function findDifferences(
  expected: Map<string, ExpectedRow>,
  store: SimulatedStore,
  progress: CrawlProgress,
  isCutShort: boolean,
): Promise<string[]> {
  const { crawl, ledger, sitemaps } = progress
  const rows = await Array.fromAsync(store.urls.rows(crawl.id))
  if (crawl.status === 'cancelled' || isCutShort) return compareEndedEarly(expected, rows)
  if (crawl.status !== 'completed') return [`the crawl is ${crawl.status}`]
  const { maxPages } = crawl.settings
  const pages = [...expected.values()].filter(({ state, kind }) => state === 'visited' && kind === 'page').length
  if (maxPages !== null && pages >= maxPages) {
    const visited = ledger.visited - sitemaps
    const wrong = visited === maxPages ? [] : [`${visited} pages were visited, not ${maxPages}`]
    return [...wrong, ...compareEndedEarly(expected, rows)]
  }
  return [...compareRows(expected, rows), ...compareLinks(expected, rows, await linksOf(store, crawl.id))]
}

/** Compares a crawl that ended early: visited URLs have their expected outcome, all others were closed. */
function compareEndedEarly(expected: Map<string, ExpectedRow>, rows: UrlRow[]): string[] {
  const odd = rows.filter(({ state, url }) => state !== 'excluded' && state !== expected.get(url)?.state)
  return odd.map(({ url, state }) => `${url} is ${state}`)
}

function compareRows(expected: Map<string, ExpectedRow>, rows: UrlRow[]): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    if (seen.has(row.url)) found.push(`${row.url} has two rows`)
    seen.add(row.url)
    const want = expected.get(row.url)
    if (want === undefined) found.push(`${row.url} should not be in the ledger`)
    else if (formatRow(row) !== formatRow(want))
      found.push(`${row.url} is ${formatRow(row)}, should be ${formatRow(want)}`)
  }
  for (const url of expected.keys()) if (!seen.has(url)) found.push(`${url} is missing`)
  return found
}

function formatRow({
  state,
  httpStatus,
  depth,
  kind,
}: Pick<UrlRow, 'state' | 'httpStatus' | 'depth' | 'kind'>): string {
  return `${kind} ${state} ${httpStatus} at depth ${depth}`
}

async function linksOf(store: SimulatedStore, crawlId: string): Promise<Map<number, number[]>> {
  const links = new Map<number, number[]>()
  for await (const { from, to } of store.urls.edges(crawlId)) links.set(from, [...(links.get(from) ?? []), to])
  return links
}

function compareLinks(expected: Map<string, ExpectedRow>, rows: UrlRow[], links: Map<number, number[]>): string[] {
  const urls = new Map(rows.map((row) => [row.id, row.url]))
  return rows.flatMap(({ id, url }) => {
    const real = (links.get(id) ?? []).map((to) => urls.get(to)).sort()
    const want = expected.get(url)?.links ?? []
    return real.join() === want.join() ? [] : [`${url} links to [${real}], should link to [${want}]`]
  })
}
