// The documents that fit a query, with what their order depends on. So many are looked at and no more: all of them if
// they are few, else those that have the words in a title, a heading, a link or the url, and the newest if those are few.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Field, IndexQuery, QueryNode } from '../../ports/search.ts'
import { type Candidate, MAX_DISTANCE } from '../rank/arrange.ts'
import { countFacets, type Facetted } from '../rank/facets.ts'
import { freshnessFactor, linkFactor } from '../rank/factors.ts'
import { distance, type Print } from '../rank/fingerprint.ts'
import { type Conditions, toConditions } from './conditions.ts'
import { scoreSql, toMatch } from './match.ts'
import { siteMatch } from './site-terms.ts'

export interface Limits {
  /** If there are no more documents than this, all are ranked. */
  ranked: number
  /** Else so many of those that have the words where they tell most, and so many of the newest. */
  some: number
  /** Documents that are counted, and whose conditions are looked at. */
  looked: number
  /** Documents that are gone through when there is nothing to find them by. */
  scanned: number
}

/**
 * 2 to 4 us for each that is ranked, 1 us for one whose conditions are looked at and 0.1 for one that is counted. To
 * rank at all took 4 ms for a common word among 100,000 documents: FTS5 counts its documents every time (2026-11).
 */
export const LIMITS: Limits = { ranked: 1000, some: 500, looked: 10_000, scanned: 100_000 }

export interface Found extends Candidate {
  text: number
  linkRank: number
  freshness: number
}

export interface Candidates {
  found: Found[]
  total: number
  isTotalExact: boolean
  facets: ReturnType<typeof countFacets> | null
}

/** As arrays: half of the time that objects take. */
type Row = [
  pageId: number,
  hostKey: string,
  linkRank: number,
  changedAt: number,
  high: number | null,
  low: number | null,
  text: number,
  lang?: string | null,
  contentType?: string | null,
  origin?: string,
]

const COLUMNS = 'd.page_id, d.host_key, d.link_rank, d.changed_at, d.print_high, d.print_low'
const FACET_COLUMNS = ', d.lang, d.content_type, substr(d.url, 1, d.path_start)'
/** Where words tell most of what a page is about. */
const TELLING: readonly Field[] = ['title', 'headings', 'anchors', 'url']

export function findCandidates(db: DatabaseSync, query: IndexQuery, limits: Limits): Candidates {
  const nothing = { found: [], total: 0, isTotalExact: true, facets: query.wantsFacets ? countFacets([]) : null }
  const twin = printOf(db, query.filter.nearDuplicateOf)
  if (twin === null) return nothing
  const { text, filter, now } = query
  if (text === null) return byFilter(db, { query, conditions: toConditions(filter, now, twin), twin, limits })
  const match = toMatch(text)
  if (match === null) return nothing
  const site = siteMatch(filter.hosts)
  const rest = site === null ? filter : { ...filter, hosts: [] }
  const words: Words = { text, match, site: site === null ? '' : ` AND ${site}` }
  return byText(db, words, { query, conditions: toConditions(rest, now, twin), twin, limits })
}

interface Way {
  query: IndexQuery
  conditions: Conditions
  twin: Print | undefined
  limits: Limits
}

interface Words {
  text: QueryNode
  match: string
  /** On which hosts; may be empty. */
  site: string
}

function byText(db: DatabaseSync, words: Words, way: Way): Candidates {
  const { limits, conditions, query } = way
  const all = `${words.match}${words.site}`
  const { count, floor } = newestMatches(db, all, limits.looked)
  const isFew = conditions.isNarrow || count <= limits.ranked
  const first = isFew ? read(db, { ...way, match: all, floor, limit: limits.ranked + 1 }) : []
  const isAll = floor === 0 && isFew && first.length <= limits.ranked
  const rows = isAll ? first : readSome(db, words, { ...way, floor })
  const found = rows.map((row) => toFound(row, row[6], query))
  const total = conditions.isNarrow ? rows.length : count
  const isTotalExact = isAll || (floor === 0 && !conditions.isNarrow)
  const facets = isAll || !query.wantsFacets ? facetsOf(rows, query) : countMatches(db, all, { ...way, floor })
  return { found, total: isAll ? rows.length : total, isTotalExact, facets }
}

/** Facets of all that were counted, not only of those that are ranked. */
function countMatches(db: DatabaseSync, match: string, way: Way & { floor: number }): Candidates['facets'] {
  const { conditions, twin, floor } = way
  const rows = rowsOf(
    db.prepare(
      `select ${COLUMNS}, 0${FACET_COLUMNS} from terms cross join documents d on d.page_id = terms.rowid
       where terms match ? and terms.rowid >= cast(? as integer) and ${conditions.sql}`,
    ),
    [match, floor, ...conditions.values],
  )
  return facetsOf(
    rows.filter((row) => isLike(row, twin)),
    way.query,
  )
}

/** How many have the words, up to `looked`, and the lowest id among those; 0 when that is all of them. */
function newestMatches(db: DatabaseSync, match: string, looked: number): { count: number; floor: number } {
  const newest = 'select rowid as id from terms where terms match ? order by rowid desc limit ?'
  const row = db.prepare(`select count(*) as n, min(id) as floor from (${newest})`).get(match, looked)
  const count = Number(row?.['n'])
  return { count, floor: count < looked ? 0 : Number(row?.['floor']) }
}

/** The newest that fit, from an id on. */
function read(db: DatabaseSync, way: Way & { match: string; floor: number; limit: number }): Row[] {
  const { conditions, twin, query, match, floor, limit } = way
  const rows = rowsOf(
    // FTS5 passes over a rowid that is no integer, as bound numbers are not.
    db.prepare(
      `select ${COLUMNS}, ${scoreSql()}${query.wantsFacets ? FACET_COLUMNS : ''}
       from terms cross join documents d on d.page_id = terms.rowid
       where terms match ? and terms.rowid >= cast(? as integer) and ${conditions.sql}
       order by terms.rowid desc limit ?`,
    ),
    [match, floor, ...conditions.values, limit],
  )
  return rows.filter((row) => isLike(row, twin))
}

/** Those that have the words where they tell most, unless the newest are asked for; and the newest if those are few. */
function readSome(db: DatabaseSync, { text, match, site }: Words, way: Way & { floor: number }): Row[] {
  const { limits, conditions, query } = way
  const telling = `${toMatch(text, TELLING)}${site}`
  const floor = conditions.isNarrow ? newestMatches(db, telling, limits.looked).floor : 0
  const limit = limits.some
  const some = query.sort === 'newest' ? [] : read(db, { ...way, match: telling, floor, limit })
  if (some.length === limit) return some
  return merge(some, read(db, { ...way, match: `${match}${site}`, limit }))
}

function rowsOf(statement: StatementSync, values: (string | number | null)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...values) as unknown as Row[]
}

/** The second list has the whole score of a document, the first one only that of some fields. */
function merge(some: Row[], whole: Row[]): Row[] {
  const known = new Set(whole.map(([pageId]) => pageId))
  return [...whole, ...some.filter(([pageId]) => !known.has(pageId))]
}

function byFilter(db: DatabaseSync, { query, conditions, twin, limits }: Way): Candidates {
  const { filter, wantsFacets } = query
  const order = query.sort === 'relevance' ? 'link_rank' : 'changed_at'
  const isFindable = filter.hosts.length > 0 || filter.nearDuplicateOf !== null
  const source = isFindable ? 'documents' : `(select * from documents order by ${order} desc limit ${limits.scanned})`
  const all = rowsOf(
    db.prepare(
      `select ${COLUMNS}, 1${wantsFacets ? FACET_COLUMNS : ''} from ${source} d where ${conditions.sql}
       order by d.${order} desc limit ?`,
    ),
    [...conditions.values, limits.looked],
  )
  const rows = all.filter((row) => isLike(row, twin))
  const found = rows.map((row) => toFound(row, 1, query))
  const isTotalExact = all.length < limits.looked && (isFindable || !hasMore(db, limits.scanned))
  return { found, total: rows.length, isTotalExact, facets: facetsOf(rows, query) }
}

function hasMore(db: DatabaseSync, documents: number): boolean {
  return db.prepare('select 1 from documents limit 1 offset ?').get(documents) !== undefined
}

function toFound(row: Row, text: number, query: IndexQuery): Found {
  const [pageId, host, rank, changedAt] = row
  const linkRank = linkFactor(rank)
  const freshness = freshnessFactor(changedAt, query)
  const score = text * linkRank * freshness
  return { pageId, host, print: printIn(row), changedAt, text, linkRank, freshness, score }
}

function printIn([, , , , high, low]: Row): Print | null {
  return high === null || low === null ? null : { high, low }
}

/** Undefined: no likeness is asked for, or that of a page without a fingerprint. Null: that of a page that is not here. */
function printOf(db: DatabaseSync, pageId: number | null): Print | undefined | null {
  if (pageId === null) return undefined
  const row = db.prepare('select print_high, print_low from documents where page_id = ?').get(pageId)
  if (row === undefined) return null
  const { print_high: high, print_low: low } = row
  return typeof high === 'number' && typeof low === 'number' ? { high, low } : undefined
}

function isLike(row: Row, twin: Print | undefined): boolean {
  if (twin === undefined) return true
  const print = printIn(row)
  return print !== null && distance(print, twin) <= MAX_DISTANCE
}

function facetsOf(rows: Row[], query: IndexQuery): Candidates['facets'] {
  return query.wantsFacets ? countFacets(rows.map(toFacetted)) : null
}

function toFacetted([, , , changedAt, , , , lang, contentType, origin]: Row): Facetted {
  const host = (origin ?? '').slice((origin ?? '').indexOf('//') + 2)
  return { host, lang: lang ?? null, contentType: contentType ?? null, changedAt }
}
