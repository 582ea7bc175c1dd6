// What the cases of looking share: a crawl of some hosts in which everything has happened once, and the same answers
// computed from all its rows.

import type { UrlFilter, UrlQuery } from './browse.ts'
import type { Lease, LeasedUrl, VisitFacts, VisitReport } from './frontier.ts'
import type { Bench } from './store.contract.ts'
import type { UrlRow } from './urls.ts'

export const NO_FILTER: UrlFilter = {
  states: null,
  reason: null,
  host: null,
  depth: null,
  httpStatus: null,
  contentType: null,
  text: null,
}

export const FIRST_PAGE: UrlQuery = { ...NO_FILTER, order: 'found', isDescending: false, limit: 100, cursor: null }

/** Pages by what they link to; `ends` says what became of the others. */
export const SITE: Record<string, string[]> = {
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

type Ending = (bench: Bench, lease: Lease, url: LeasedUrl) => VisitReport

const ENDS: Record<string, Ending> = {
  'a/gone': (bench, lease, url) => ended(bench, lease, url, 'not_found', null, 404),
  'a/secret': (bench, lease, url) => ended(bench, lease, url, 'forbidden', null, 403),
  'b/broken': (bench, lease, url) => ended(bench, lease, url, 'http_error', 'http_503', 503),
  'a/late': (bench, lease, url) => ended(bench, lease, url, 'failed', 'timeout', null),
  'b/dataX1': (bench, lease, url) => ({
    ...bench.visited(lease, url),
    verdict: { state: 'excluded', reason: 'robots' },
    facts: null,
  }),
  'a/old': (bench, lease, url) => ({
    ...bench.visited(lease, url, ['a/x/1']),
    verdict: { state: 'redirected', reason: null },
    facts: factsOf(bench, { httpStatus: 301, redirectTo: 'http://a.test/x/1', title: null }),
  }),
}

function ended(
  bench: Bench,
  lease: Lease,
  url: LeasedUrl,
  state: 'not_found' | 'forbidden' | 'http_error' | 'failed',
  reason: string | null,
  httpStatus: number | null,
): VisitReport {
  const learnt = httpStatus === null ? { contentType: null, contentLength: null } : {}
  const facts = factsOf(bench, { httpStatus, title: null, ...learnt })
  return { ...bench.visited(lease, url), verdict: { state, reason }, facts }
}

function factsOf(bench: Bench, learnt: Partial<VisitFacts>): VisitFacts {
  const facts = bench.facts(200)
  if (facts === null) throw new Error('no facts')
  return { ...facts, ...learnt }
}

/** Visits every url but the last ones, in steps of a second. */
export async function crawlSite(bench: Bench): Promise<void> {
  await bench.start(['a/'])
  let visits = 0
  for (;;) {
    const { leases } = await bench.lease({ maxUrls: 1 })
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
    const visit: VisitReport = { ...bench.visited(lease, url, SITE[name] ?? []), facts: factsOf(bench, learnt) }
    await bench.commit([ENDS[name]?.(bench, lease, url) ?? visit], { release: [lease.token] })
    bench.store.clock.advance(1000)
  }
}

/** The whole list, page by page. */
export async function allPages(bench: Bench, query: UrlQuery): Promise<UrlRow[]> {
  const rows: UrlRow[] = []
  for (let cursor = query.cursor; ; ) {
    const page = await bench.store.browse.urls(bench.crawlId, { ...query, cursor })
    rows.push(...page.rows)
    if (page.nextCursor === null) return rows
    cursor = page.nextCursor
  }
}

/** Whether a row passes, written down without SQL. */
export function passes(row: UrlRow, filter: UrlFilter): boolean {
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
