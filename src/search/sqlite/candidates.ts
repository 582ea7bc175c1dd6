// The documents that fit a query, with what their order depends on. So many are looked at and no more: the newest of
// them, and those that have the words in a title, a heading, a link or the url.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { FIELD_WEIGHTS, FIELDS, type IndexQuery } from '../../ports/search.ts'
import { type Candidate, MAX_DISTANCE } from '../rank/arrange.ts'
import { countFacets, type Facetted } from '../rank/facets.ts'
import { freshnessFactor, linkFactor } from '../rank/factors.ts'
import { distance, type Print } from '../rank/fingerprint.ts'
import { type Conditions, toConditions } from './conditions.ts'
import { toMatch } from './match.ts'

export interface Limits {
  /** Documents that are ranked, newest first. */
  ranked: number
  /** And of those that have the words where they tell most, when there are more. */
  telling: number
  /** Documents that are counted, and whose conditions are looked at. */
  looked: number
}

/** 4 us for each that is ranked, 1 us for one whose conditions are looked at and 0.06 for one that is counted (2026-11). */
export const LIMITS: Limits = { ranked: 1500, telling: 700, looked: 20_000 }

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

const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHTS[field]).join(', ')
const COLUMNS = 'd.page_id, d.host_key, d.link_rank, d.changed_at, d.print_high, d.print_low'
const FACET_COLUMNS = ', d.lang, d.content_type, substr(d.url, 1, d.path_start)'
/** Where words tell most of what a page is about. */
const TELLING = '{title headings anchors url}'

export function findCandidates(db: DatabaseSync, query: IndexQuery, limits: Limits): Candidates {
  const nothing = { found: [], total: 0, isTotalExact: true, facets: query.wantsFacets ? countFacets([]) : null }
  const twin = printOf(db, query.filter.nearDuplicateOf)
  if (twin === null) return nothing
  const way = { query, conditions: toConditions(query.filter, query.now, twin), twin, limits }
  if (query.text === null) return byFilter(db, way)
  const match = toMatch(query.text)
  return match === null ? nothing : byText(db, match, way)
}

interface Way {
  query: IndexQuery
  conditions: Conditions
  twin: Print | undefined
  limits: Limits
}

function byText(db: DatabaseSync, match: string, way: Way): Candidates {
  const { limits, conditions, query } = way
  const { count, floor } = newestMatches(db, match, limits.looked)
  const newest = read(db, { ...way, match, floor, limit: limits.ranked })
  const isAll = floor === 0 && newest.length < limits.ranked
  const rows = isAll ? newest : merge(readTelling(db, match, way), newest)
  const found = rows.map((row) => toFound(row, row[6], query))
  const total = conditions.isNarrow ? rows.length : Math.max(count, rows.length)
  const isTotalExact = isAll || (floor === 0 && !conditions.isNarrow)
  return { found, total: isAll ? rows.length : total, isTotalExact, facets: facetsOf(rows, query) }
}

/** How many have the words, up to `looked`, and the lowest id among those; 0 when that is all of them. */
function newestMatches(db: DatabaseSync, match: string, looked: number): { count: number; floor: number } {
  const newest = 'select rowid as id from terms where terms match ? order by rowid desc limit ?'
  const row = db.prepare(`select count(*) as n, min(id) as floor from (${newest})`).get(match, looked)
  const count = Number(row?.['n'])
  return { count, floor: count < looked ? 0 : Number(row?.['floor']) }
}

/** Those that have the words in a title, a heading, a link or the url. */
function readTelling(db: DatabaseSync, match: string, way: Way): Row[] {
  const telling = `${TELLING} : (${match})`
  const { limits, conditions } = way
  const floor = conditions.isNarrow ? newestMatches(db, telling, limits.looked).floor : 0
  return read(db, { ...way, match: telling, floor, limit: limits.telling })
}

/** The newest that fit, from an id on. */
function read(db: DatabaseSync, way: Way & { match: string; floor: number; limit: number }): Row[] {
  const { conditions, twin, query, match, floor, limit } = way
  const rows = rowsOf(
    // FTS5 passes over a rowid that is no integer, as bound numbers are not.
    db.prepare(
      `select ${COLUMNS}, -bm25(terms, ${WEIGHTS})${query.wantsFacets ? FACET_COLUMNS : ''}
       from terms cross join documents d on d.page_id = terms.rowid
       where terms match ? and terms.rowid >= cast(? as integer) and ${conditions.sql}
       order by terms.rowid desc limit ?`,
    ),
    [match, floor, ...conditions.values, limit],
  )
  return rows.filter((row) => isLike(row, twin))
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
  const order = query.sort === 'relevance' ? 'd.link_rank' : 'd.changed_at'
  const all = rowsOf(
    db.prepare(
      `select ${COLUMNS}, 1${query.wantsFacets ? FACET_COLUMNS : ''} from documents d where ${conditions.sql}
       order by ${order} desc limit ?`,
    ),
    [...conditions.values, limits.looked],
  )
  const rows = all.filter((row) => isLike(row, twin))
  const found = rows.map((row) => toFound(row, 1, query))
  return { found, total: rows.length, isTotalExact: all.length < limits.looked, facets: facetsOf(rows, query) }
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
