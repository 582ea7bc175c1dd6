// Finds the documents that match a query, with the values their order depends on. The number of ranked documents is
// bounded: all matches if they are few, otherwise those with the words in a title, heading, anchor text or URL, filled
// up with the newest.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { NEAR_BITS } from '../../../ports/pages.ts'
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
  /** Up to this many matches, all are ranked. */
  ranked: number
  /** Otherwise this many with the words in head fields, and this many of the newest. */
  best: number
  /** Replaces `best` for requests beyond its reach. */
  deepest: number
  /** Documents scanned when no index applies. */
  scanned: number
}

/**
 * Cost (2026-11): 4 us per ranked document, 1 us per document whose filter is checked, 0.1 us per counted document, and
 * about 30 ns for every document of every word on the way.
 */
export const CANDIDATE_LIMITS: CandidateLimits = {
  ranked: 1000,
  best: 500,
  deepest: MAX_OFFSET + 500,
  counted: 10_000,
  scanned: 100_000,
  idsPerStatement: 131_072,
  minIdsPerStatement: 8192,
  enough: 2000,
  scanMs: 25,
}

export interface RankedCandidate extends Candidate {
  text: number
  linkRank: number
  freshness: number
}

export interface Candidates {
  found: RankedCandidate[]
  /** Candidates that rank behind all of `found`. */
  more(): RankedCandidate[]
  total: number
  isTotalExact: boolean
  facets: ReturnType<typeof countFacets> | null
  /** Scores by field for a document in `found`. */
  explain(pageId: number): Partial<Record<Field, number>>
}

/** Rows as arrays take half the time of objects. */
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
  const target = readFingerprint(db, query.filter.nearDuplicateOf)
  if (target === null) return nothing
  const { text, filter, now } = query
  if (text === null)
    return findByFilter(db, { query, conditions: toFilterSql(filter, now, target), target, limits: candidateLimits })
  const words = readQueryTerms(db, text)
  const match = toFtsMatch(words.text)
  if (match === null) return nothing
  const site = siteMatch(filter.hosts)
  const rest = site?.isExact === true ? { ...filter, hosts: [] } : filter
  const textQuery: TextQuery = {
    text: words.text,
    match,
    site: site === null ? '' : ` AND ${site.match}`,
    isTruncated: words.isTruncated,
    words: countQuotedTerms(match) + (site === null ? 0 : 1),
    scorer: new Scorer(text, words),
  }
  return findByText(db, textQuery, {
    query,
    conditions: toFilterSql(rest, now, target),
    target,
    limits: candidateLimits,
  })
}

/** Every term is quoted. */
function countQuotedTerms(match: string): number {
  return match.split('"').length >> 1
}

interface SearchPlan {
  query: IndexQuery
  conditions: FilterSql
  target: FingerprintHalves | undefined
  limits: CandidateLimits
}

interface TextQuery {
  text: QueryNode
  match: string
  /** Host restriction; may be empty. */
  site: string
  /** The match may miss documents. */
  isTruncated: boolean
  /** Number of words; each adds to the cost of a statement. */
  words: number
  scorer: Scorer
}

function findByText(db: DatabaseSync, textQuery: TextQuery, searchPlan: SearchPlan): Candidates {
  const { limits, conditions, query } = searchPlan
  const { words, scorer } = textQuery
  const isContinued = query.offset > 0
  const all = { table: 'terms' as const, match: `${textQuery.match}${textQuery.site}`, words, isContinued }
  const { count, floor } = countNewest(db, all, limits)
  const isFew = conditions.hasConditions || count <= limits.ranked
  const first = isFew ? readRows(db, { ...searchPlan, ...all, floor, limit: limits.ranked + 1 }) : []
  const isAll = floor === 0 && isFew && first.length <= limits.ranked
  const rows = isAll ? first : readBest(db, textQuery, { ...searchPlan, floor, limit: limits.best })
  const rank = (candidateRows: CandidateRow[]) =>
    candidateRows.map((candidateRow) => toRankedCandidate(candidateRow, textScore(candidateRow, scorer), query))
  const more = () =>
    isAll ? [] : rank(excludeRows(readBest(db, textQuery, { ...searchPlan, floor, limit: limits.deepest }), rows))
  const total = conditions.hasConditions ? rows.length : count
  const isCounted = isAll || (floor === 0 && !conditions.hasConditions && !hasExpired(db, query.now))
  const isTotalExact = isCounted && !textQuery.isTruncated
  const facets =
    isAll || !query.wantsFacets ? facetsOf(rows, query) : countMatchFacets(db, all.match, { ...searchPlan, floor })
  return {
    found: rank(rows),
    more,
    total: isAll ? rows.length : total,
    isTotalExact,
    facets,
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

/** Facets of all counted documents, not only of the ranked ones. */
function countMatchFacets(db: DatabaseSync, match: string, plan: SearchPlan & { floor: number }): Candidates['facets'] {
  const { conditions, target, floor, limits } = plan
  const statement = prepareCached(
    db,
    `select d.lang, d.content_type, substr(d.url, 1, d.path_start), d.changed_at, d.print_high, d.print_low
     from terms cross join documents d on d.page_id = terms.rowid
     where terms match ? and terms.rowid >= cast(? as integer) and ${conditions.sql}
     order by terms.rowid desc limit ?`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all(match, floor, ...conditions.values, limits.counted) as unknown as FacetRow[]
  const near =
    target === undefined ? rows : rows.filter((row) => isNearDuplicate(toFingerprint(row[4], row[5]), target))
  return countFacets(
    near.map(([lang, contentType, origin, changedAt]) => ({ host: originHost(origin), lang, contentType, changedAt })),
  )
}

type RowQuery = SearchPlan & { table: 'terms' | 'heads'; match: string; floor: number; limit: number }

/** The newest matches from an id on: by archiving order, or by change if `newest` is requested. */
function readRows(
  db: DatabaseSync,
  { conditions, target, query, table, match, floor, limit }: RowQuery,
): CandidateRow[] {
  const order = query.sort === 'newest' ? 'd.changed_at desc, d.page_id desc' : `${table}.rowid desc`
  const rows = rowsOf(
    // FTS5 ignores a bound on rowid that is not an integer, hence the cast. Bags are read only for the remaining rows.
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
  return rows.filter((candidateRow) => isNearTarget(candidateRow, target))
}

/** Matches in head fields, unless `newest` is requested, filled up with the newest. */
function readBest(
  db: DatabaseSync,
  textQuery: TextQuery,
  plan: SearchPlan & { floor: number; limit: number },
): CandidateRow[] {
  const inHeads = plan.query.sort === 'newest' ? [] : readHeadMatches(db, textQuery, plan)
  if (inHeads.length === plan.limit) return inHeads
  const newest = readRows(db, { ...plan, table: 'terms', match: `${textQuery.match}${textQuery.site}` })
  return [...inHeads, ...excludeRows(newest, inHeads)]
}

function readHeadMatches(
  db: DatabaseSync,
  { text, site, words, scorer }: TextQuery,
  plan: SearchPlan & { limit: number },
): CandidateRow[] {
  const { limits, limit, query } = plan
  const heads = toHeadFtsMatch(text)
  const table = heads === null ? ('terms' as const) : ('heads' as const)
  const match = `${heads ?? toFtsMatch(text, HEAD_FIELDS)}${site}`
  // The heads table has few rows between matches; only a filter may reject many.
  const isQuick = heads !== null && !plan.conditions.hasConditions
  const isContinued = query.offset > 0
  const floor = isQuick ? 0 : countNewest(db, { table, match, words, isContinued }, limits).floor
  const rows = readRows(db, { ...plan, table, match, floor, limit })
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

function findByFilter(db: DatabaseSync, { query, conditions, target, limits }: SearchPlan): Candidates {
  const { filter, wantsFacets } = query
  const order = query.sort === 'relevance' ? 'link_rank' : 'changed_at'
  const matches = [siteMatch(filter.hosts)?.match ?? [], target === undefined ? [] : fingerprintMatch(target)].flat()
  const isFindable = matches.length > 0 || filter.nearDuplicateOf !== null
  const bounded = isFindable
    ? 'documents d'
    : `(select * from documents order by ${order} desc limit ${limits.scanned}) d`
  const source = matches.length === 0 ? bounded : 'heads cross join documents d on d.page_id = heads.rowid'
  const all = rowsOf(
    prepareCached(
      db,
      `select ${COLUMNS}, ${NO_BAG}${wantsFacets ? `, ${FACET_COLUMNS}` : ''} from ${source}
       where ${matches.length === 0 ? '' : 'heads match ? and '}${conditions.sql} order by d.${order} desc limit ?`,
    ),
    [...(matches.length === 0 ? [] : [matches.join(' AND ')]), ...conditions.values, limits.counted],
  )
  const rows = all.filter((candidateRow) => isNearTarget(candidateRow, target))
  const found = rows.map((candidateRow) => toRankedCandidate(candidateRow, 1, query))
  const isTotalExact = all.length < limits.counted && (isFindable || !hasMore(db, limits.scanned))
  const facets = facetsOf(rows, query)
  return { found, more: () => [], total: rows.length, isTotalExact, facets, explain: () => ({}) }
}

/** Expired documents are still counted by their terms. */
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

/** Undefined if no near-duplicates are requested or the page has no fingerprint; null if the page is not indexed. */
function readFingerprint(db: DatabaseSync, pageId: number | null): FingerprintHalves | undefined | null {
  if (pageId === null) return undefined
  const row = prepareCached(db, 'select print_high, print_low from documents where page_id = ?').get(pageId)
  if (row === undefined) return null
  const { print_high: high, print_low: low } = row
  return typeof high === 'number' && typeof low === 'number' ? { high, low } : undefined
}

function isNearTarget(candidateRow: CandidateRow, target: FingerprintHalves | undefined): boolean {
  return target === undefined || isNearDuplicate(rowFingerprint(candidateRow), target)
}

function isNearDuplicate(fingerprint: FingerprintHalves | null, target: FingerprintHalves): boolean {
  return fingerprint !== null && hammingDistance(fingerprint, target) <= NEAR_BITS
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
