// A crawl of some hosts in which everything has happened once, and the expected results computed from all its rows.

import type { UrlFilter, UrlQuery } from '../../browse.ts'
import type { Lease, LeasedUrl } from '../../leases.ts'
import type { UrlRow } from '../../urls.ts'
import type { VisitFacts, VisitReport } from '../../visits.ts'
import type { StoreHarness } from './store-harness.ts'

export const NO_URL_FILTER: UrlFilter = {
  states: null,
  reason: null,
  host: null,
  depth: null,
  httpStatus: null,
  contentType: null,
  text: null,
}

export const FIRST_PAGE: UrlQuery = { ...NO_URL_FILTER, order: 'found', isDescending: false, limit: 100, cursor: null }

/** Pages with their links; `ends` has the outcomes of the others. */
const BROWSE_SITE: Record<string, string[]> = {
  'a/': ['a/x/1', 'a/x/2', 'a/y/1', 'a/', 'b/'],
  'a/x/1': ['a/', 'a/x/2', 'a/gone', 'a/old'],
  'a/x/2': ['a/', 'a/y/1', 'b/data_1'],
  'a/y/1': ['a/', 'b/', 'a/secret', 'a/late'],
  'b/': ['a/', 'b/data_1', 'b/dataX1', 'b/broken'],
}

const TITLES: Record<string, string> = {
  'a/': 'Welcome',
  'a/x/1': 'One 100% sure',
  'a/x/2': 'Two',
  'a/y/1': '\u00c4PFEL',
}

type Ending = (storeHarness: StoreHarness, lease: Lease, url: LeasedUrl) => VisitReport

const ENDINGS: Record<string, Ending> = {
  'a/gone': (storeHarness, lease, url) => ended(storeHarness, lease, url, 'not_found', null, 404),
  'a/secret': (storeHarness, lease, url) => ended(storeHarness, lease, url, 'forbidden', null, 403),
  'b/broken': (storeHarness, lease, url) => ended(storeHarness, lease, url, 'http_error', 'http_503', 503),
  'a/late': (storeHarness, lease, url) => ended(storeHarness, lease, url, 'failed', 'timeout', null),
  'b/dataX1': (storeHarness, lease, url) => ({
    ...storeHarness.visitedReport(lease, url),
    outcome: { state: 'excluded', reason: 'robots' },
    facts: null,
  }),
  'a/old': (storeHarness, lease, url) => ({
    ...storeHarness.visitedReport(lease, url, ['a/x/1']),
    outcome: { state: 'redirected', reason: null },
    facts: factsOf(storeHarness, { httpStatus: 301, redirectTo: 'http://a.test/x/1', title: null }),
  }),
}

function ended(
  storeHarness: StoreHarness,
  lease: Lease,
  url: LeasedUrl,
  state: 'not_found' | 'forbidden' | 'http_error' | 'failed',
  reason: string | null,
  httpStatus: number | null,
): VisitReport {
  const learnt = httpStatus === null ? { contentType: null, contentLength: null } : {}
  const facts = factsOf(storeHarness, { httpStatus, title: null, ...learnt })
  return { ...storeHarness.visitedReport(lease, url), outcome: { state, reason }, facts }
}

function factsOf(storeHarness: StoreHarness, learnt: Partial<VisitFacts>): VisitFacts {
  const facts = storeHarness.visitFacts(200)
  if (facts === null) throw new Error('no facts')
  return { ...facts, ...learnt }
}

/** Visits every URL except the last ones, in steps of a second. */
export async function crawlSite(storeHarness: StoreHarness): Promise<void> {
  await storeHarness.start(['a/'])
  let visits = 0
  for (;;) {
    const { leases } = await storeHarness.lease({ maxUrls: 1 })
    const [lease] = leases
    const [url] = lease?.urls ?? []
    if (lease === undefined || url === undefined) return
    const name = url.url.replace('http://', '').replace('.test/', '/')
    visits += 1
    const learnt = {
      title: TITLES[name] ?? null,
      contentType: name.includes('data') ? 'application/json' : 'text/html; charset=utf-8',
      contentLength: visits * 100,
      fetchMs: 200 - visits * 7,
    }
    const visit: VisitReport = {
      ...storeHarness.visitedReport(lease, url, BROWSE_SITE[name] ?? []),
      facts: factsOf(storeHarness, learnt),
    }
    await storeHarness.commit([ENDINGS[name]?.(storeHarness, lease, url) ?? visit], { release: [lease.token] })
    storeHarness.store.clock.advance(1000)
  }
}

/** The whole list, page by page. */
export async function listAllPages(storeHarness: StoreHarness, query: UrlQuery): Promise<UrlRow[]> {
  const rows: UrlRow[] = []
  for (let cursor = query.cursor; ; ) {
    const page = await storeHarness.store.browse.urls(storeHarness.crawlId, { ...query, cursor })
    rows.push(...page.rows)
    if (page.nextCursor === null) return rows
    cursor = page.nextCursor
  }
}

/** The filter without SQL: whether a row passes. */
export function passesFilter(row: UrlRow, filter: UrlFilter): boolean {
  const { states, reason, host, depth, httpStatus, contentType, text } = filter
  const status = row.httpStatus ?? 0
  return (
    (states === null || states.includes(row.state)) &&
    (reason === null || row.reason === reason) &&
    (host === null || new URL(row.url).host === host) &&
    (depth === null || row.depth === depth) &&
    (httpStatus === null || status === httpStatus || Math.floor(status / 100) === httpStatus) &&
    (contentType === null || (row.contentType ?? '').toLowerCase().startsWith(contentType.toLowerCase())) &&
    (text === null || `${row.url} ${row.title ?? ''}`.toLowerCase().includes(text.toLowerCase()))
  )
}

export function orderValue(row: UrlRow, order: UrlQuery['order']): number | string {
  switch (order) {
    case 'found':
      return row.id
    case 'url':
      return row.url
    case 'depth':
      return row.depth
    case 'status':
      return row.httpStatus ?? -1
    case 'time':
      return row.fetchMs ?? -1
    case 'size':
      return row.contentLength ?? -1
    case 'visited':
      return row.visitedAt ?? -1
  }
}
