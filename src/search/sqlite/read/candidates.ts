// The documents that fit a query, with what their order depends on. So many are looked at and no more: all of them if
// they are few, else those that have the words in a title, a heading, a link or the url, and the newest if those are few.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { NEAR_BITS } from '../../../engine/text/fingerprint.ts'
import { type Field, type IndexQuery, MAX_OFFSET, type QueryNode } from '../../../ports/search.ts'
import type { Candidate } from '../../rank/arrange-hits.ts'
import { countFacets, type FacetSource } from '../../rank/facets.ts'
import { type FingerprintHalves, hammingDistance } from '../../rank/fingerprint.ts'
import { freshnessFactor, linkFactor } from '../../rank/score-factors.ts'
import { prepareCached } from '../prepare-cached.ts'
import { fingerprintMatch, siteMatch } from '../site-terms.ts'
import { countNewest, type ScanLimits } from './count-newest.ts'
import { type FilterSql, toFilterSql } from './filter-sql.ts'
import { HEAD_FIELDS, toFtsMatch, toHeadFtsMatch } from './fts-match.ts'
import { readQueryTerms } from './query-terms.ts'
import { Scorer } from './scorer.ts'

export interface CandidateLimits extends ScanLimits {
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
export const CANDIDATE_LIMITS: CandidateLimits = {
  ...{ ranked: 1000, some: 500, most: MAX_OFFSET + 500, looked: 10_000, scanned: 100_000 },
  ...{ atOnce: 131_072, leastAtOnce: 8192, enough: 2000, looksMs: 25 },
}

export interface RankedCandidate extends Candidate {
  text: number
  linkRank: number
  freshness: number
}

export interface Candidates {
  found: RankedCandidate[]
  /** Those that come behind all of these. */
  more(): RankedCandidate[]
  total: number
  isTotalExact: boolean
  facets: ReturnType<typeof countFacets> | null
  /** Of a document among them. */
  explain(pageId: number): Partial<Record<Field, number>>
}

/** As arrays: half of the time that objects take. */
type CandidateRow = [
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

export function findCandidates(db: DatabaseSync, query: IndexQuery, candidateLimits: CandidateLimits): Candidates {
  const facets = query.wantsFacets ? countFacets([]) : null
  const nothing = { found: [], more: () => [], total: 0, isTotalExact: true, facets, explain: () => ({}) }
  const twin = readFingerprint(db, query.filter.nearDuplicateOf)
  if (twin === null) return nothing
  const { text, filter, now } = query
  if (text === null)
    return findByFilter(db, { query, conditions: toFilterSql(filter, now, twin), twin, limits: candidateLimits })
  const words = readQueryTerms(db, text)
  const match = toFtsMatch(words.text)
  if (match === null) return nothing
  const site = siteMatch(filter.hosts)
  const rest = site?.isExact === true ? { ...filter, hosts: [] } : filter
  const textQuery: TextQuery = {
    ...{ text: words.text, match, site: site === null ? '' : ` AND ${site.match}`, isCut: words.isTruncated },
    ...{ words: countQuotedTerms(match) + (site === null ? 0 : 1), scorer: new Scorer(text, words) },
  }
  return findByText(db, textQuery, { query, conditions: toFilterSql(rest, now, twin), twin, limits: candidateLimits })
}

/** Every one is in quotes. */
function countQuotedTerms(match: string): number {
  return match.split('"').length >> 1
}

interface SearchPlan {
  query: IndexQuery
  conditions: FilterSql
  twin: FingerprintHalves | undefined
  limits: CandidateLimits
}

interface TextQuery {
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

function findByText(db: DatabaseSync, textQuery: TextQuery, searchPlan: SearchPlan): Candidates {
  const { limits, conditions, query } = searchPlan
  const { words, scorer } = textQuery
  const goesOn = query.offset > 0
  const all = { table: 'terms' as const, match: `${textQuery.match}${textQuery.site}`, words, goesOn }
  const { count, floor } = countNewest(db, all, limits)
  const isFew = conditions.hasConditions || count <= limits.ranked
  const first = isFew ? readRows(db, { ...searchPlan, ...all, floor, limit: limits.ranked + 1 }) : []
  const isAll = floor === 0 && isFew && first.length <= limits.ranked
  const rows = isAll ? first : readBest(db, textQuery, { ...searchPlan, floor, limit: limits.some })
  const toAll = (some: CandidateRow[]) =>
    some.map((candidateRow) => toRankedCandidate(candidateRow, textScore(candidateRow, scorer), query))
  const more = () =>
    isAll ? [] : toAll(excludeRows(readBest(db, textQuery, { ...searchPlan, floor, limit: limits.most }), rows))
  const total = conditions.hasConditions ? rows.length : count
  const isCounted = isAll || (floor === 0 && !conditions.hasConditions && !hasExpired(db, query.now))
  const isTotalExact = isCounted && !textQuery.isCut
  const facets =
    isAll || !query.wantsFacets ? facetsOf(rows, query) : countMatchFacets(db, all.match, { ...searchPlan, floor })
  return {
    ...{ found: toAll(rows), more, total: isAll ? rows.length : total, isTotalExact, facets },
    explain: (id) => explain(db, id, scorer),
  }
}

function textScore(candidateRow: CandidateRow, scorer: Scorer): number {
  scorer.read(candidateRow[7])
  return scorer.score(candidateRow[6])
}

function explain(db: DatabaseSync, pageId: number, scorer: Scorer): Partial<Record<Field, number>> {
  const row = prepareCached(db, 'select length, content from bags where page_id = ?').get(pageId)
  if (row === undefined) return {}
  scorer.read(row['content'] as Uint8Array)
  return scorer.scoresByField(Number(row['length']))
}

/** Facets of all that were counted, not only of those that are ranked. */
function countMatchFacets(db: DatabaseSync, match: string, way: SearchPlan & { floor: number }): Candidates['facets'] {
  const { conditions, twin, floor, limits } = way
  const statement = prepareCached(
    db,
    `select d.lang, d.content_type, substr(d.url, 1, d.path_start), d.changed_at, d.print_high, d.print_low
     from terms cross join documents d on d.page_id = terms.rowid
     where terms match ? and terms.rowid >= cast(? as integer) and ${conditions.sql}
     order by terms.rowid desc limit ?`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all(match, floor, ...conditions.values, limits.looked) as unknown as FacetRow[]
  const alike = twin === undefined ? rows : rows.filter((row) => isNearDuplicate(toFingerprint(row[4], row[5]), twin))
  return countFacets(
    alike.map(([lang, contentType, origin, changedAt]) => ({ host: originHost(origin), lang, contentType, changedAt })),
  )
}

type RowQuery = SearchPlan & { table: 'terms' | 'heads'; match: string; floor: number; limit: number }

/** The newest that fit, from an id on: those kept last, or changed last if the newest are asked for. */
function readRows(db: DatabaseSync, { conditions, twin, query, table, match, floor, limit }: RowQuery): CandidateRow[] {
  const order = query.sort === 'newest' ? 'd.changed_at desc, d.page_id desc' : `${table}.rowid desc`
  const rows = rowsOf(
    // FTS5 passes over a rowid that is no integer, as bound numbers are not. Bags are read of those alone that are left.
    prepareCached(
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
  return rows.filter((candidateRow) => isNearTarget(candidateRow, twin))
}

/** Those that have the words where they tell most, unless the newest are asked for; and the newest if those are few. */
function readBest(
  db: DatabaseSync,
  textQuery: TextQuery,
  way: SearchPlan & { floor: number; limit: number },
): CandidateRow[] {
  const some = way.query.sort === 'newest' ? [] : readHeadMatches(db, textQuery, way)
  if (some.length === way.limit) return some
  const newest = readRows(db, { ...way, table: 'terms', match: `${textQuery.match}${textQuery.site}` })
  return [...some, ...excludeRows(newest, some)]
}

function readHeadMatches(
  db: DatabaseSync,
  { text, site, words, scorer }: TextQuery,
  way: SearchPlan & { limit: number },
): CandidateRow[] {
  const { limits, limit, query } = way
  const heads = toHeadFtsMatch(text)
  const table = heads === null ? ('terms' as const) : ('heads' as const)
  const match = `${heads ?? toFtsMatch(text, HEAD_FIELDS)}${site}`
  // Among heads there is little on the way to those that fit; it is conditions that may leave out many.
  const isQuick = heads !== null && !way.conditions.hasConditions
  const goesOn = query.offset > 0
  const floor = isQuick ? 0 : countNewest(db, { table, match, words, goesOn }, limits).floor
  const rows = readRows(db, { ...way, table, match, floor, limit })
  if (heads === null) return rows
  return rows.filter((candidateRow) => {
    scorer.read(candidateRow[7])
    return scorer.matches()
  })
}

function rowsOf(statement: StatementSync, values: (string | number | null)[]): CandidateRow[] {
  statement.setReturnArrays(true)
  return statement.all(...values) as unknown as CandidateRow[]
}

function excludeRows(rows: CandidateRow[], others: CandidateRow[]): CandidateRow[] {
  const known = new Set(others.map(([pageId]) => pageId))
  return rows.filter(([pageId]) => !known.has(pageId))
}

function findByFilter(db: DatabaseSync, { query, conditions, twin, limits }: SearchPlan): Candidates {
  const { filter, wantsFacets } = query
  const order = query.sort === 'relevance' ? 'link_rank' : 'changed_at'
  const matches = [siteMatch(filter.hosts)?.match ?? [], twin === undefined ? [] : fingerprintMatch(twin)].flat()
  const isFindable = matches.length > 0 || filter.nearDuplicateOf !== null
  const some = isFindable ? 'documents d' : `(select * from documents order by ${order} desc limit ${limits.scanned}) d`
  const source = matches.length === 0 ? some : 'heads cross join documents d on d.page_id = heads.rowid'
  const all = rowsOf(
    prepareCached(
      db,
      `select ${COLUMNS}, ${NO_BAG}${wantsFacets ? `, ${FACET_COLUMNS}` : ''} from ${source}
       where ${matches.length === 0 ? '' : 'heads match ? and '}${conditions.sql} order by d.${order} desc limit ?`,
    ),
    [...(matches.length === 0 ? [] : [matches.join(' AND ')]), ...conditions.values, limits.looked],
  )
  const rows = all.filter((candidateRow) => isNearTarget(candidateRow, twin))
  const found = rows.map((candidateRow) => toRankedCandidate(candidateRow, 1, query))
  const isTotalExact = all.length < limits.looked && (isFindable || !hasMore(db, limits.scanned))
  const facets = facetsOf(rows, query)
  return { found, more: () => [], total: rows.length, isTotalExact, facets, explain: () => ({}) }
}

/** They are counted by their terms alone. */
function hasExpired(db: DatabaseSync, now: number): boolean {
  return prepareCached(db, 'select 1 from documents where expires_at <= ? limit 1').get(now) !== undefined
}

function hasMore(db: DatabaseSync, documents: number): boolean {
  return prepareCached(db, 'select 1 from documents limit 1 offset ?').get(documents) !== undefined
}

function toRankedCandidate(candidateRow: CandidateRow, text: number, query: IndexQuery): RankedCandidate {
  const [pageId, host, rank, changedAt] = candidateRow
  const linkRank = linkFactor(rank)
  const freshness = freshnessFactor(changedAt, query)
  const score = text * linkRank * freshness
  return { pageId, host, fingerprint: rowFingerprint(candidateRow), changedAt, text, linkRank, freshness, score }
}

function rowFingerprint([, , , , high, low]: CandidateRow): FingerprintHalves | null {
  return toFingerprint(high, low)
}

function toFingerprint(high: number | null, low: number | null): FingerprintHalves | null {
  return high === null || low === null ? null : { high, low }
}

/** Undefined: no likeness is asked for, or that of a page without a fingerprint. Null: that of a page that is not here. */
function readFingerprint(db: DatabaseSync, pageId: number | null): FingerprintHalves | undefined | null {
  if (pageId === null) return undefined
  const row = prepareCached(db, 'select print_high, print_low from documents where page_id = ?').get(pageId)
  if (row === undefined) return null
  const { print_high: high, print_low: low } = row
  return typeof high === 'number' && typeof low === 'number' ? { high, low } : undefined
}

function isNearTarget(candidateRow: CandidateRow, twin: FingerprintHalves | undefined): boolean {
  return twin === undefined || isNearDuplicate(rowFingerprint(candidateRow), twin)
}

function isNearDuplicate(print: FingerprintHalves | null, twin: FingerprintHalves): boolean {
  return print !== null && hammingDistance(print, twin) <= NEAR_BITS
}

function facetsOf(rows: CandidateRow[], query: IndexQuery): Candidates['facets'] {
  return query.wantsFacets ? countFacets(rows.map(toFacetSource)) : null
}

function toFacetSource([, , , changedAt, , , , , lang, contentType, origin]: CandidateRow): FacetSource {
  return { host: originHost(origin ?? ''), lang: lang ?? null, contentType: contentType ?? null, changedAt }
}

/** The origin is `http://host`. */
function originHost(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2)
}
