// Finds the documents that match a query, with the values their order depends on. The number of ranked documents is
// bounded: if more match, those with the words in title or headings come first, unless `newest` is requested, then the
// newest.

import type { IndexQuery } from '../../../ports/search.ts'
import type { Queryable, Row, Statement } from '../../../store/postgres/query.ts'
import { collectLeaves, type QueryLeaf } from '../../query/query-leaves.ts'
import type { Candidate } from '../../rank/arrange-hits.ts'
import type { FacetSource } from '../../rank/facets.ts'
import { parseFingerprint } from '../../rank/fingerprint.ts'
import { freshnessFactor, linkFactor } from '../../rank/score-factors.ts'
import { SqlParams } from '../sql-params.ts'
import { type CorpusStatistics, maxMatches, readCorpusStatistics } from './corpus-statistics.ts'
import { filterConditions, type NearDuplicateTarget } from './filter-sql.ts'
import { scoreSql } from './score-sql.ts'
import { type TextMatch, toTextMatch } from './text-match.ts'

export interface CandidateLimits {
  /** Ranked documents: more than MAX_OFFSET and a page of hits. */
  ranked: number
  /** Documents with the words whose phrases and fields are checked. */
  scanned: number
  counted: number
}

/** Cost (2026-11): 8 us per ranked or checked document, 1 us per counted document. */
export const CANDIDATE_LIMITS: CandidateLimits = { ranked: 1200, scanned: 20_000, counted: 10_000 }

export type RankedCandidate = Candidate & FacetSource & { text: number; linkRank: number }

export interface Candidates {
  ranked: RankedCandidate[]
  total: number
  isTotalExact: boolean
  leaves: QueryLeaf[]
  statistics: CorpusStatistics
}

const NONE = { ranked: [], total: 0, isTotalExact: true }
const RANKS = 'document_ranks r on r.crawl = d.crawl and r.url_id = d.url_id'
const ROWS = `documents d join ${RANKS}`
const FACETS = 'd.lang, d.content_type'

export interface CandidateRequest {
  query: IndexQuery
  nearDuplicateTarget: NearDuplicateTarget | null
  limits: CandidateLimits
}

export async function findCandidates(db: Queryable, candidateRequest: CandidateRequest): Promise<Candidates> {
  const { text } = candidateRequest.query
  const leaves = text === null ? [] : collectLeaves(text)
  const corpusStatistics = await readCorpusStatistics(db, leaves)
  const candidateQuery = { ...candidateRequest, leaves, statistics: corpusStatistics }
  const match = text === null ? null : toTextMatch(text)
  if (text !== null && match === null) return { ...NONE, leaves, statistics: corpusStatistics }
  const candidateMatches =
    match === null ? await findByFilter(db, candidateQuery) : await findByText(db, candidateQuery, match)
  return { ...candidateMatches, leaves, statistics: corpusStatistics }
}

interface CandidateQuery extends CandidateRequest {
  leaves: QueryLeaf[]
  statistics: CorpusStatistics
}

type CandidateMatches = Pick<Candidates, 'ranked' | 'total' | 'isTotalExact'>

async function findByFilter(db: Queryable, candidateQuery: CandidateQuery): Promise<CandidateMatches> {
  const { query, nearDuplicateTarget, limits } = candidateQuery
  const sqlParams = new SqlParams()
  const conditions = conditionsOf(query, nearDuplicateTarget, sqlParams)
  const order = query.sort === 'relevance' ? 'r.link_rank desc, d.page' : 'd.changed_at desc, d.page'
  const sql = `select ${columns(query)}, d.fingerprint::text as print, r.link_rank, 1 as text from ${ROWS}
    where ${conditions.join(' and ')} order by ${order} limit ${limits.ranked + 1}`
  const ranked = await readCandidates(db, { text: sql, values: sqlParams.values }, query)
  if (ranked.length > limits.ranked) return { ranked, ...(await count(db, candidateQuery, null)) }
  return { ranked, total: ranked.length, isTotalExact: true }
}

async function findByText(db: Queryable, candidateQuery: CandidateQuery, match: TextMatch): Promise<CandidateMatches> {
  const { limits, query } = candidateQuery
  const most = maxMatches(query.text, candidateQuery.statistics)
  const isScanned = match.isAnsweredByIndex || most <= limits.scanned
  const hasBest = most > limits.ranked && query.sort !== 'newest'
  const best = hasBest ? await readRanked(db, candidateQuery, { ...match, titleQuery: match.wordQuery }) : []
  if (best.length > limits.ranked) return { ranked: best, ...(await count(db, candidateQuery, match)) }
  const known = new Set(best.map(({ pageId }) => pageId))
  const all = await readRanked(db, candidateQuery, match)
  const rest = all.filter(({ pageId }) => !known.has(pageId))
  const ranked = [...best, ...rest].slice(0, Math.max(limits.ranked, best.length))
  if (all.length > limits.ranked) return { ranked, ...(await count(db, candidateQuery, match)) }
  return { ranked, total: ranked.length, isTotalExact: isScanned }
}

async function readRanked(
  db: Queryable,
  { query, nearDuplicateTarget, leaves, statistics, limits }: CandidateQuery,
  match: TextMatch,
): Promise<RankedCandidate[]> {
  const sqlParams = new SqlParams()
  const conditions = conditionsOf(query, nearDuplicateTarget, sqlParams)
  const most = match.isAnsweredByIndex ? limits.ranked + 1 : limits.scanned
  const scanned = `${candidateSql(match, { rows: fromSql(query), conditions }, sqlParams)} order by ${orderBySql(query, statistics)} limit ${most}`
  // The outer query takes the order of the inner one; sorting again would unpack vectors beyond the limit. ts_delete()
  // deletes nothing here: it unpacks a vector once, which every function would do again otherwise.
  const chosen = `select d.*, ts_delete(d.terms, ' ') as vector, ts_delete(d.others, ' ') as other_vector
    from (${scanned}) as d where ${match.isAnsweredByIndex ? 'true' : match.sql(sqlParams)} limit ${limits.ranked + 1}`
  const sql = `select ${columns(query)}, d.fingerprint::text as print, r.link_rank,
    ${scoreSql(leaves, statistics, sqlParams)} as text from (${chosen}) as d join ${RANKS}`
  return readCandidates(db, { text: sql, values: sqlParams.values }, query)
}

/** Checking whether a document matches costs as much as eight known matches (2026-11). */
const SCAN_COST = 8

/**
 * Newest first. If many documents match, walking an index on time or page meets them soon. Otherwise all matches are
 * sorted, and `+ 0` keeps Postgres from that index, because it underestimates the cost of checking a document.
 */
function orderBySql({ sort, text }: IndexQuery, corpusStatistics: CorpusStatistics): string {
  const most = maxMatches(text, corpusStatistics)
  const isCommon = most * most > SCAN_COST * CANDIDATE_LIMITS.ranked * corpusStatistics.documents
  const plain = isCommon ? '' : ' + 0'
  return `${sort === 'newest' ? `d.changed_at${plain} desc, ` : ''}d.page${plain} desc`
}

/** What the index finds by itself; the rest of the condition only checks those. */
function candidateSql(
  match: TextMatch,
  { rows, conditions }: { rows: string; conditions: string[] },
  sqlParams: SqlParams,
): string {
  const words = match.isAnsweredByIndex
    ? match.sql(sqlParams)
    : `d.terms @@ ${sqlParams.add(match.wordQuery, 'tsquery')}`
  const heads =
    match.titleQuery === null ? [] : [`ts_filter(d.terms, '{a,b}') @@ ${sqlParams.add(match.titleQuery, 'tsquery')}`]
  return `select d.page, d.crawl, d.url_id, d.host, d.changed_at, d.fingerprint, ${FACETS}, d.length, d.terms, d.others
    from ${rows} where ${[words, ...heads, ...conditions].join(' and ')}`
}

/** Every document has a rank, so the join is only needed for a condition on it. */
function fromSql({ filter }: IndexQuery): string {
  return filter.inlinks === null ? 'documents d' : ROWS
}

/** Called when there are more matches than are ranked. */
async function count(
  db: Queryable,
  { query, nearDuplicateTarget, limits }: CandidateQuery,
  match: TextMatch | null,
): Promise<Omit<CandidateMatches, 'ranked'>> {
  if (match !== null && !match.isAnsweredByIndex) return { total: limits.ranked, isTotalExact: false }
  const sqlParams = new SqlParams()
  const words = match === null ? [] : [match.sql(sqlParams)]
  const conditions = [...words, ...conditionsOf(query, nearDuplicateTarget, sqlParams)]
  const text = `select count(*) as count from (
    select 1 from ${fromSql(query)} where ${conditions.join(' and ')} limit ${limits.counted}) as counted`
  const [row] = (await db.query({ text, values: sqlParams.values })).rows
  const total = Number(row?.['count'])
  return { total, isTotalExact: total < limits.counted }
}

function conditionsOf(
  { filter, now }: IndexQuery,
  nearDuplicateTarget: NearDuplicateTarget | null,
  sqlParams: SqlParams,
): string[] {
  return [
    ...filterConditions(filter, nearDuplicateTarget, sqlParams),
    `(d.expires_at is null or d.expires_at > ${sqlParams.add(now, 'bigint')})`,
  ]
}

function columns({ wantsFacets }: IndexQuery): string {
  return `d.page, d.host, d.changed_at${wantsFacets ? `, ${FACETS}` : ''}`
}

async function readCandidates(db: Queryable, statement: Statement, query: IndexQuery): Promise<RankedCandidate[]> {
  return (await db.query(statement)).rows.map((row) => toRankedCandidate(row, query))
}

function toRankedCandidate(row: Row, query: IndexQuery): RankedCandidate {
  const bare = {
    pageId: Number(row['page']),
    host: String(row['host']),
    lang: (row['lang'] ?? null) as string | null,
    contentType: (row['content_type'] ?? null) as string | null,
    fingerprint: parseFingerprint(row['print'] as string | null),
    changedAt: Number(row['changed_at']),
    isPartial: false,
    linkRank: Number(row['link_rank']),
  }
  return withTextScore(bare, Number(row['text']), query)
}

export function withTextScore(
  one: Omit<RankedCandidate, 'text' | 'score'>,
  text: number,
  query: IndexQuery,
): RankedCandidate {
  const score = text * linkFactor(one.linkRank) * freshnessFactor(one.changedAt, query)
  return { ...one, text, score }
}
