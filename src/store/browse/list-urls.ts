// Lists URLs in pages. Sorted by id, every page costs the same: a filter examines a bounded number of rows at a time.
// Every other order sorts the whole crawl, and is rejected if the crawl is too large for that.

import { AppError } from '../../lib/errors.ts'
import { type Ledger, ledgerTotal, URL_STATES } from '../../lib/states.ts'
import type { UrlList, UrlOrder, UrlQuery } from '../../ports/browse.ts'
import { toUrlRow } from '../urls/url-row.ts'
import { type BrowseDb, type CrawlLedger, type Row, type SqlDialect, SqlParameters } from './browse-db.ts'
import { badCursorError, decodeCursor, encodeCursor, listFingerprint } from './cursor.ts'
import { IS_PROBLEM } from './problem-states.ts'
import { buildConditions, filtersByStateOnly, type UrlConditions } from './url-conditions.ts'

/** Rows that a filter examines in one call. */
const MAX_SCANNED_ROWS = 20_000
/** URLs of a crawl that may be sorted. Takes half a second on SQLite (2026-11). */
const MAX_SORTED_URLS = 250_000

/** Greater than any possible id. */
const LAST_ID = Number.MAX_SAFE_INTEGER

interface UrlListRequest {
  crawl: CrawlLedger
  query: UrlQuery
  conditions: UrlConditions
  values: SqlParameters
  name: string
}

export async function listUrls(db: BrowseDb, crawlId: string, query: UrlQuery): Promise<UrlList> {
  const crawl = await db.crawl(crawlId)
  const { limit: _limit, cursor, ...list } = query
  const name = listFingerprint('urls', crawlId, ...Object.entries(list).toSorted().flat())
  if (cursor !== null) decodeCursor(name, cursor, 2)
  const sqlParameters = new SqlParameters()
  const conditions = await buildConditions(db, query, sqlParameters)
  const total = filtersByStateOnly(query) ? totalOf(crawl.ledger, query) : null
  if (conditions === null) return { rows: [], nextCursor: null, total }
  const request = { crawl, query, conditions, values: sqlParameters, name }
  const page = query.order === 'found' ? await listById(db, request) : await listSorted(db, request)
  return { ...page, total }
}

function totalOf(ledger: Ledger, { states }: UrlQuery): number {
  return URL_STATES.reduce((sum, state) => sum + (states === null || states.includes(state) ? ledger[state] : 0), 0)
}

async function listById(db: BrowseDb, urlListRequest: UrlListRequest): Promise<Omit<UrlList, 'total'>> {
  const { query, conditions, values, name } = urlListRequest
  const direction = query.isDescending ? 'desc' : 'asc'
  const after = decodeCursor(name, query.cursor, 2)?.[0] ?? (query.isDescending ? LAST_ID : 0)
  const end = conditions.all.length === 0 ? null : await findScanEnd(db, urlListRequest, after)
  const from = conditions.areProblems ? db.dialect.problemUrls : db.dialect.urls
  const where = [
    `u.crawl = ${values.add(urlListRequest.crawl.rowId)}`,
    `u.id ${query.isDescending ? '<' : '>'} ${values.add(after)}`,
    ...(end === null ? [] : [`u.id ${query.isDescending ? '>=' : '<='} ${values.add(end)}`]),
    ...conditions.all,
  ]
  const chosen = `select u.*, u.id as order_value from ${from}${visitJoin(db.dialect, conditions.needsVisit)}
    where ${where.join(' and ')} order by u.id ${direction} limit ${query.limit + 1}`
  const rows = await db.rows(selectUrlRows(db.dialect, chosen, direction), values.list)
  return pageOf(rows, query.limit, name, end)
}

/** The last id that this call examines; null if it reaches the end. */
async function findScanEnd(
  db: BrowseDb,
  { crawl, query, conditions }: UrlListRequest,
  after: number,
): Promise<number | null> {
  const where = [
    'u.crawl = $1',
    `u.id ${query.isDescending ? '<' : '>'} $2`,
    ...(conditions.areProblems ? [IS_PROBLEM] : []),
  ]
  const [row] = await db.rows(
    `select u.id from ${conditions.areProblems ? db.dialect.problemUrls : db.dialect.urls} where ${where.join(' and ')}
     order by u.id ${query.isDescending ? 'desc' : 'asc'} limit 1 offset ${MAX_SCANNED_ROWS - 1}`,
    [crawl.rowId, after],
  )
  return row === undefined ? null : Number(row['id'])
}

async function listSorted(db: BrowseDb, urlListRequest: UrlListRequest): Promise<Omit<UrlList, 'total'>> {
  const { crawl, query, conditions, values, name } = urlListRequest
  if (ledgerTotal(crawl.ledger) > MAX_SORTED_URLS) {
    throw new AppError(
      'TOO_LARGE',
      `The crawl has more than ${MAX_SORTED_URLS} URLs, too many to sort by ${query.order}. Use the order "found" with filters.`,
    )
  }
  const direction = query.isDescending ? 'desc' : 'asc'
  const sortOrder = sortOrderOf(db.dialect, query.order)
  const where = [`u.crawl = ${values.add(crawl.rowId)}`, ...conditions.all]
  const at = decodeCursor(name, query.cursor, 2)
  if (at !== null) where.push(await afterCursor(db, urlListRequest, sortOrder, at))
  const needsVisit = conditions.needsVisit || sortOrder.needsVisit
  const chosen = `select u.*, ${sortOrder.value} as order_value from ${db.dialect.urls}${visitJoin(db.dialect, needsVisit)}
    where ${where.join(' and ')} order by ${sortOrder.value} ${direction}, u.id ${direction} limit ${query.limit + 1}`
  const rows = await db.scanRows(selectUrlRows(db.dialect, chosen, direction), values.list)
  return pageOf(rows, query.limit, name, null)
}

interface SortOrder {
  value: string
  needsVisit: boolean
}

/** Unknown values come before all others. */
function sortOrderOf(sqlDialect: SqlDialect, order: UrlOrder): SortOrder {
  const ofVisit = (column: string) => ({ value: `coalesce(v.${column}, -1)`, needsVisit: true })
  switch (order) {
    case 'found':
      return { value: 'u.id', needsVisit: false }
    case 'url':
      return { value: sqlDialect.bytewise('u.url'), needsVisit: false }
    case 'depth':
      return { value: 'u.depth', needsVisit: false }
    case 'status':
      return ofVisit('http_status')
    case 'time':
      return ofVisit('fetch_ms')
    case 'size':
      return ofVisit('content_length')
    case 'visited':
      return ofVisit('visited_at')
  }
}

/** A cursor contains no text, since URLs are long: the URL at the cursor is looked up by id. */
async function afterCursor(
  db: BrowseDb,
  { crawl, query, values }: UrlListRequest,
  sortOrder: SortOrder,
  at: number[],
): Promise<string> {
  const [id = 0, number = 0] = at
  const comparison = query.isDescending ? '<' : '>'
  if (query.order !== 'url') {
    return `(${sortOrder.value}, u.id) ${comparison} (cast(${values.add(number)} as bigint), cast(${values.add(id)} as bigint))`
  }
  const [row] = await db.rows('select u.url from urls u where u.crawl = $1 and u.id = $2', [crawl.rowId, id])
  if (row === undefined) throw badCursorError()
  return `(${sortOrder.value}, u.id) ${comparison} (${values.add(row['url'])}, cast(${values.add(id)} as bigint))`
}

export function visitJoin(sqlDialect: SqlDialect, isNeeded: boolean): string {
  return isNeeded ? ` left join visits v on ${sqlDialect.ofUrl('v')} and v.attempt = u.attempts` : ''
}

const URL_COLUMNS = `u.id, u.url, u.state, u.reason, u.depth, u.rank, u.attempts, u.parent, u.first_seen_at,
  v.http_status, v.content_type, v.content_length, v.content_hash, v.title, v.redirect_to, v.fetch_ms, v.ip, v.visited_at,
  u.kind, v.canonical, v.noindex, v.cname, v.proxy, v.thread, v.processing_ms, l.lastmod, l.changefreq, l.priority as listed_priority,
  s.url_id is not null as is_from_script`

/** Selects the rows of a page first, so that no plan joins all rows. */
export function selectUrlRows(sqlDialect: SqlDialect, chosen: string, direction: 'asc' | 'desc'): string {
  return `select ${URL_COLUMNS}, ${sqlDialect.leasedBy} as leased_by, u.order_value from (${chosen}) u
    left join visits v on ${sqlDialect.ofUrl('v')} and v.attempt = u.attempts
    left join listings l on ${sqlDialect.ofUrl('l')}
    left join script_urls s on ${sqlDialect.ofUrl('s')}
    order by u.order_value ${direction}, u.id ${direction}`
}

/** `rows` has one more than the page, if there is one. */
function pageOf(rows: Row[], limit: number, name: string, end: number | null): Omit<UrlList, 'total'> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const cursorAt = (row: Row) => encodeCursor(name, [Number(row['id']), Number(row['order_value']) || 0])
  const isFull = rows.length > limit && last !== undefined
  const atEnd = end === null ? null : encodeCursor(name, [end, 0])
  return { rows: page.map(toUrlRow), nextCursor: isFull ? cursorAt(last) : atEnd }
}
