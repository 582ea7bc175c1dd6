// The documents that fit a query, with what their order depends on. So many are looked at and no more: all of them if
// they are few, else those that have the words in a title, a heading, a link or the url, and the newest if those are few.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Field, type IndexQuery, MAX_OFFSET, type QueryNode } from '../../ports/search.ts'
import { type Candidate, MAX_DISTANCE } from '../rank/arrange.ts'
import { countFacets, type Facetted } from '../rank/facets.ts'
import { freshnessFactor, linkFactor } from '../rank/factors.ts'
import { distance, type Print } from '../rank/fingerprint.ts'
import { type Conditions, toConditions } from './conditions.ts'
import { countNewest, type LookingLimits } from './looking.ts'
import { TELLING, toHeadMatch, toMatch } from './match.ts'
import { prepared } from './prepared.ts'
import { Scorer } from './score.ts'
import { printMatch, siteMatch } from './site-terms.ts'
import { readWords } from './words.ts'

export interface Limits extends LookingLimits {
  /** If there are no more documents than this, all are ranked. */
  ranked: number
  /** Else so many of those that have the words where they tell most, and so many of the newest. */
  some: number
  /** So many in place of these when someone looks farther than they reach. */
  most: number
  /** Documents that are gone through when there is nothing to find them by. */
  scanned: number
}

/**
 * 4 us for each that is ranked, 1 us for one whose conditions are looked at, 0.1 for one that is counted, and some 30 ns for
 * every document of every word on the way (2026-11).
 */
export const LIMITS: Limits = {
  ...{ ranked: 1000, some: 500, most: MAX_OFFSET + 500, looked: 10_000, scanned: 100_000 },
  ...{ atOnce: 131_072, leastAtOnce: 8192, enough: 2000, looksMs: 25 },
}

export interface Found extends Candidate {
  text: number
  linkRank: number
  freshness: number
}

export interface Candidates {
  found: Found[]
  /** Those that come behind all of these. */
  more(): Found[]
  total: number
  isTotalExact: boolean
  facets: ReturnType<typeof countFacets> | null
  /** Of a document among them. */
  explain(pageId: number): Partial<Record<Field, number>>
}

/** As arrays: half of the time that objects take. */
type Row = [
  pageId: number,
  hostKey: string,
  linkRank: number,
  changedAt: number,
  high: number | null,
  low: number | null,
  length: number,
  bag: Uint8Array,
  lang?: string | null,
  contentType?: string | null,
  origin?: string,
]

type FacetRow = [
  lang: string | null,
  contentType: string | null,
  origin: string,
  changedAt: number,
  high: number | null,
  low: number | null,
]

const COLUMNS = 'd.page_id, d.host_key, d.link_rank, d.changed_at, d.print_high, d.print_low'
const NO_BAG = '0, null'
const FACET_COLUMNS = 'd.lang, d.content_type, substr(d.url, 1, d.path_start)'

export function findCandidates(db: DatabaseSync, query: IndexQuery, limits: Limits): Candidates {
  const facets = query.wantsFacets ? countFacets([]) : null
  const nothing = { found: [], more: () => [], total: 0, isTotalExact: true, facets, explain: () => ({}) }
  const twin = printOf(db, query.filter.nearDuplicateOf)
  if (twin === null) return nothing
  const { text, filter, now } = query
  if (text === null) return byFilter(db, { query, conditions: toConditions(filter, now, twin), twin, limits })
  const words = readWords(db, text)
  const match = toMatch(words.text)
  if (match === null) return nothing
  const site = siteMatch(filter.hosts)
  const rest = site?.isExact === true ? { ...filter, hosts: [] } : filter
  const asked: Asked = {
    ...{ text: words.text, match, site: site === null ? '' : ` AND ${site.match}`, isCut: words.isCut },
    ...{ words: wordsIn(match) + (site === null ? 0 : 1), scorer: new Scorer(text, words) },
  }
  return byText(db, asked, { query, conditions: toConditions(rest, now, twin), twin, limits })
}

/** Every one is in quotes. */
function wordsIn(match: string): number {
  return match.split('"').length >> 1
}

interface Way {
  query: IndexQuery
  conditions: Conditions
  twin: Print | undefined
  limits: Limits
}

interface Asked {
  text: QueryNode
  match: string
  /** On which hosts; may be empty. */
  site: string
  /** There may be more than the match finds. */
  isCut: boolean
  /** How many there are: each takes its time. */
  words: number
  scorer: Scorer
}

function byText(db: DatabaseSync, asked: Asked, way: Way): Candidates {
  const { limits, conditions, query } = way
  const { words, scorer } = asked
  const goesOn = query.offset > 0
  const all = { table: 'terms' as const, match: `${asked.match}${asked.site}`, words, goesOn }
  const { count, floor } = countNewest(db, all, limits)
  const isFew = conditions.isNarrow || count <= limits.ranked
  const first = isFew ? read(db, { ...way, ...all, floor, limit: limits.ranked + 1 }) : []
  const isAll = floor === 0 && isFew && first.length <= limits.ranked
  const rows = isAll ? first : readSome(db, asked, { ...way, floor, limit: limits.some })
  const toAll = (some: Row[]) => some.map((row) => toFound(row, textScore(row, scorer), query))
  const more = () => (isAll ? [] : toAll(without(readSome(db, asked, { ...way, floor, limit: limits.most }), rows)))
  const total = conditions.isNarrow ? rows.length : count
  const isCounted = isAll || (floor === 0 && !conditions.isNarrow && !hasExpired(db, query.now))
  const isTotalExact = isCounted && !asked.isCut
  const facets = isAll || !query.wantsFacets ? facetsOf(rows, query) : countMatches(db, all.match, { ...way, floor })
  return {
    ...{ found: toAll(rows), more, total: isAll ? rows.length : total, isTotalExact, facets },
    explain: (id) => explain(db, id, scorer),
  }
}

function textScore(row: Row, scorer: Scorer): number {
  scorer.read(row[7])
  return scorer.score(row[6])
}

function explain(db: DatabaseSync, pageId: number, scorer: Scorer): Partial<Record<Field, number>> {
  const row = prepared(db, 'select length, content from bags where page_id = ?').get(pageId)
  if (row === undefined) return {}
  scorer.read(row['content'] as Uint8Array)
  return scorer.parts(Number(row['length']))
}

/** Facets of all that were counted, not only of those that are ranked. */
function countMatches(db: DatabaseSync, match: string, way: Way & { floor: number }): Candidates['facets'] {
  const { conditions, twin, floor, limits } = way
  const statement = prepared(
    db,
    `select d.lang, d.content_type, substr(d.url, 1, d.path_start), d.changed_at, d.print_high, d.print_low
     from terms cross join documents d on d.page_id = terms.rowid
     where terms match ? and terms.rowid >= cast(? as integer) and ${conditions.sql}
     order by terms.rowid desc limit ?`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all(match, floor, ...conditions.values, limits.looked) as unknown as FacetRow[]
  const alike = twin === undefined ? rows : rows.filter((row) => isNear(printFrom(row[4], row[5]), twin))
  return countFacets(
    alike.map(([lang, contentType, origin, changedAt]) => ({ host: hostIn(origin), lang, contentType, changedAt })),
  )
}

type Reading = Way & { table: 'terms' | 'heads'; match: string; floor: number; limit: number }

/** The newest that fit, from an id on: those kept last, or changed last if the newest are asked for. */
function read(db: DatabaseSync, { conditions, twin, query, table, match, floor, limit }: Reading): Row[] {
  const order = query.sort === 'newest' ? 'd.changed_at desc, d.page_id desc' : `${table}.rowid desc`
  const rows = rowsOf(
    // FTS5 passes over a rowid that is no integer, as bound numbers are not. Bags are read of those alone that are left.
    prepared(
      db,
      `select ${COLUMNS}, b.length, b.content${query.wantsFacets ? `, ${FACET_COLUMNS}` : ''}
       from (
         select d.page_id as id from ${table} cross join documents d on d.page_id = ${table}.rowid
         where ${table} match ? and ${table}.rowid >= cast(? as integer) and ${conditions.sql}
         order by ${order} limit ?
       ) cross join documents d on d.page_id = id cross join bags b on b.page_id = id`,
    ),
    [match, floor, ...conditions.values, limit],
  )
  return rows.filter((row) => isLike(row, twin))
}

/** Those that have the words where they tell most, unless the newest are asked for; and the newest if those are few. */
function readSome(db: DatabaseSync, asked: Asked, way: Way & { floor: number; limit: number }): Row[] {
  const some = way.query.sort === 'newest' ? [] : readTelling(db, asked, way)
  if (some.length === way.limit) return some
  const newest = read(db, { ...way, table: 'terms', match: `${asked.match}${asked.site}` })
  return [...some, ...without(newest, some)]
}

function readTelling(db: DatabaseSync, { text, site, words, scorer }: Asked, way: Way & { limit: number }): Row[] {
  const { limits, limit, query } = way
  const heads = toHeadMatch(text)
  const table = heads === null ? ('terms' as const) : ('heads' as const)
  const match = `${heads ?? toMatch(text, TELLING)}${site}`
  // Among heads there is little on the way to those that fit; it is conditions that may leave out many.
  const isQuick = heads !== null && !way.conditions.isNarrow
  const goesOn = query.offset > 0
  const floor = isQuick ? 0 : countNewest(db, { table, match, words, goesOn }, limits).floor
  const rows = read(db, { ...way, table, match, floor, limit })
  if (heads === null) return rows
  return rows.filter((row) => {
    scorer.read(row[7])
    return scorer.fits()
  })
}

function rowsOf(statement: StatementSync, values: (string | number | null)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...values) as unknown as Row[]
}

function without(rows: Row[], others: Row[]): Row[] {
  const known = new Set(others.map(([pageId]) => pageId))
  return rows.filter(([pageId]) => !known.has(pageId))
}

function byFilter(db: DatabaseSync, { query, conditions, twin, limits }: Way): Candidates {
  const { filter, wantsFacets } = query
  const order = query.sort === 'relevance' ? 'link_rank' : 'changed_at'
  const matches = [siteMatch(filter.hosts)?.match ?? [], twin === undefined ? [] : printMatch(twin)].flat()
  const isFindable = matches.length > 0 || filter.nearDuplicateOf !== null
  const some = isFindable ? 'documents d' : `(select * from documents order by ${order} desc limit ${limits.scanned}) d`
  const source = matches.length === 0 ? some : 'heads cross join documents d on d.page_id = heads.rowid'
  const all = rowsOf(
    prepared(
      db,
      `select ${COLUMNS}, ${NO_BAG}${wantsFacets ? `, ${FACET_COLUMNS}` : ''} from ${source}
       where ${matches.length === 0 ? '' : 'heads match ? and '}${conditions.sql} order by d.${order} desc limit ?`,
    ),
    [...(matches.length === 0 ? [] : [matches.join(' AND ')]), ...conditions.values, limits.looked],
  )
  const rows = all.filter((row) => isLike(row, twin))
  const found = rows.map((row) => toFound(row, 1, query))
  const isTotalExact = all.length < limits.looked && (isFindable || !hasMore(db, limits.scanned))
  const facets = facetsOf(rows, query)
  return { found, more: () => [], total: rows.length, isTotalExact, facets, explain: () => ({}) }
}

/** They are counted by their terms alone. */
function hasExpired(db: DatabaseSync, now: number): boolean {
  return prepared(db, 'select 1 from documents where expires_at <= ? limit 1').get(now) !== undefined
}

function hasMore(db: DatabaseSync, documents: number): boolean {
  return prepared(db, 'select 1 from documents limit 1 offset ?').get(documents) !== undefined
}

function toFound(row: Row, text: number, query: IndexQuery): Found {
  const [pageId, host, rank, changedAt] = row
  const linkRank = linkFactor(rank)
  const freshness = freshnessFactor(changedAt, query)
  const score = text * linkRank * freshness
  return { pageId, host, print: printIn(row), changedAt, text, linkRank, freshness, score }
}

function printIn([, , , , high, low]: Row): Print | null {
  return printFrom(high, low)
}

function printFrom(high: number | null, low: number | null): Print | null {
  return high === null || low === null ? null : { high, low }
}

/** Undefined: no likeness is asked for, or that of a page without a fingerprint. Null: that of a page that is not here. */
function printOf(db: DatabaseSync, pageId: number | null): Print | undefined | null {
  if (pageId === null) return undefined
  const row = prepared(db, 'select print_high, print_low from documents where page_id = ?').get(pageId)
  if (row === undefined) return null
  const { print_high: high, print_low: low } = row
  return typeof high === 'number' && typeof low === 'number' ? { high, low } : undefined
}

function isLike(row: Row, twin: Print | undefined): boolean {
  return twin === undefined || isNear(printIn(row), twin)
}

function isNear(print: Print | null, twin: Print): boolean {
  return print !== null && distance(print, twin) <= MAX_DISTANCE
}

function facetsOf(rows: Row[], query: IndexQuery): Candidates['facets'] {
  return query.wantsFacets ? countFacets(rows.map(toFacetted)) : null
}

function toFacetted([, , , changedAt, , , , , lang, contentType, origin]: Row): Facetted {
  return { host: hostIn(origin ?? ''), lang: lang ?? null, contentType: contentType ?? null, changedAt }
}

/** The origin is `http://host`. */
function hostIn(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2)
}
