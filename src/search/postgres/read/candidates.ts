// Finds the documents that match a query, with the values that decide their order. The number of scored documents is
// bounded: if more match, documents with the words in title or headings come first, or with `newest` the newest ones.
// If only a few documents match all words, documents with the rarest words of the query follow.

import { type IndexQuery, MIN_FULL_MATCHES, type QueryNode } from '../../../ports/search.ts'
import type { Queryable, Row } from '../../../store/postgres/query.ts'
import { type Candidate, toPartialMatches } from '../../rank/arrange-hits.ts'
import { type Candidates, NO_CANDIDATES } from '../../rank/candidates.ts'
import type { FacetSource } from '../../rank/facets.ts'
import { parseFingerprint } from '../../rank/fingerprint.ts'
import { combineScore, fileNameFactor, type ScoreParts, toFileName } from '../../rank/score-factors.ts'
import { Scorer } from '../../rank/scorer.ts'
import { SqlParams } from '../sql-params.ts'
import { filterConditions, type NearDuplicateTarget } from './filter-sql.ts'
import { maxMatches, type QueryTerms, readQueryTerms } from './query-terms.ts'
import { type TextMatch, toTextMatch } from './text-match.ts'

export interface CandidateLimits {
  /** Scored documents: more than MAX_OFFSET and a page of hits. */
  ranked: number
  /** Limit of documents with the words whose phrases and fields are checked. */
  scanned: number
  counted: number
}

/** Cost (2026-11): 8 us per checked document, 1 us per counted document. */
export const CANDIDATE_LIMITS: CandidateLimits = { ranked: 1200, scanned: 20_000, counted: 10_000 }

export type RankedCandidate = Candidate & FacetSource & ScoreParts

export interface CandidateRequest {
  query: IndexQuery
  nearDuplicateTarget: NearDuplicateTarget | null
  limits: CandidateLimits
}

const RANKS = 'url_ranks r on r.url_key = d.url_key'
const ROWS = `documents d join ${RANKS}`
const FACETS = 'd.content_type'

export async function findCandidates(db: Queryable, request: CandidateRequest): Promise<Candidates<RankedCandidate>> {
  const { text, anyWord } = request.query
  if (text === null) return findByFilter(db, request)
  const full = await findByText(db, request, { text, scoredText: text, words: await readQueryTerms(db, text) })
  if (anyWord === null || full.fullMatches >= MIN_FULL_MATCHES) return full
  const words = await readQueryTerms(db, anyWord)
  const rarest = keepRarest(anyWord, words, request.limits.ranked)
  const partial = await findByText(db, request, { text: rarest, scoredText: anyWord, words })
  const ranked = [...full.ranked, ...toPartialMatches(partial.ranked, { full: full.ranked, text })]
  return { ...partial, ranked, fullMatches: full.fullMatches }
}

/**
 * Share of the scored documents that is reserved for documents with a rare word; the rest is for documents with two
 * other words.
 */
const RARE_SHARE = 0.7

/**
 * Keeps the rarest of the alternative words, and pairs of the next ones, as many as the limit allows: a document with
 * several words may be better than one with a single rare word, and one common word hardly changes the score.
 */
function keepRarest(node: QueryNode, words: QueryTerms, maxDocuments: number): QueryNode {
  if (node.kind === 'and') return { ...node, parts: node.parts.map((part) => keepRarest(part, words, maxDocuments)) }
  if (node.kind !== 'or' || node.areForms) return node
  const rarest = node.parts
    .map((part) => ({ part, matches: maxMatches(part, words) }))
    .filter(({ matches }) => matches > 0)
    .sort((a, b) => a.matches - b.matches)
  let sum = 0
  const isAll = rarest.reduce((all, { matches }) => all + matches, 0) <= maxDocuments
  const count = rarest.findIndex(({ matches }, i) => {
    sum += matches
    return i > 0 && sum > RARE_SHARE * maxDocuments
  })
  if (isAll || count === -1) return rarest.length === 0 ? node : { ...node, parts: rarest.map(({ part }) => part) }
  const kept = rarest.slice(0, count)
  const room = maxDocuments - kept.reduce((all, { matches }) => all + matches, 0)
  const pairs = pairsOf(rarest.slice(count), words.documents, room)
  return { ...node, parts: [...kept.map(({ part }) => part), ...pairs] }
}

interface CountedPart {
  part: QueryNode
  matches: number
}

/** Words of one text occur together more often than by chance. */
const CO_OCCURRENCE_FACTOR = 2

/** Pairs of the parts, the rarest first, with at most `maxDocuments` documents by estimate. */
function pairsOf(parts: readonly CountedPart[], documents: number, maxDocuments: number): QueryNode[] {
  const all = parts.flatMap((first, i) =>
    parts.slice(i + 1).map((second) => ({
      node: { kind: 'and' as const, parts: [first.part, second.part] },
      matches: (CO_OCCURRENCE_FACTOR * first.matches * second.matches) / Math.max(1, documents),
    })),
  )
  let sum = 0
  return all
    .sort((a, b) => a.matches - b.matches)
    .filter(({ matches }) => {
      sum += matches
      return sum <= maxDocuments
    })
    .map(({ node }) => node)
}

async function findByFilter(db: Queryable, request: CandidateRequest): Promise<Candidates<RankedCandidate>> {
  const { query, nearDuplicateTarget, limits } = request
  const sqlParams = new SqlParams()
  const conditions = conditionsOf(query, nearDuplicateTarget, sqlParams)
  const order = query.sort === 'relevance' ? 'r.link_rank desc, d.page' : 'd.changed_at desc, d.page'
  const sql = `select ${columns(query)}, d.fingerprint::text as print, r.link_rank from ${ROWS}
    where ${conditions.join(' and ')} order by ${order} limit ${limits.ranked + 1}`
  const { rows } = await db.query({ text: sql, values: sqlParams.values })
  const ranked = rows.map((row) => toCandidate(row, { text: 1, isPartial: false }, query))
  const isAll = ranked.length <= limits.ranked
  const counts = isAll ? { total: ranked.length, isTotalExact: true } : await count(db, request, null)
  return { ...NO_CANDIDATES, ranked, ...counts, fullMatches: counts.total }
}

interface TextQuery {
  /** Selects the documents. */
  text: QueryNode
  /** Scores them; contains all words of `text`. */
  scoredText: QueryNode
  /** Words of `scoredText`. */
  words: QueryTerms
}

async function findByText(
  db: Queryable,
  request: CandidateRequest,
  { text, scoredText, words }: TextQuery,
): Promise<Candidates<RankedCandidate>> {
  const { limits, query } = request
  const match = toTextMatch(text)
  if (match === null) return NO_CANDIDATES
  const scorer = new Scorer(scoredText, words)
  const upperBound = maxMatches(text, words)
  const read = async (one: TextMatch) => readRows(db, request, { match: one, upperBound, documents: words.documents })
  const hasBest = upperBound > limits.ranked && query.sort !== 'newest'
  const best = hasBest ? await read({ ...match, titleQuery: match.wordQuery }) : []
  const isBestEnough = best.length > limits.ranked
  const all = isBestEnough ? [] : await read(match)
  const known = new Set(best.map((row) => row['page']))
  const rows = [...best, ...all.filter((row) => !known.has(row['page']))].slice(0, Math.max(limits.ranked, best.length))
  const fileName = toFileName(query.words)
  const ranked = rows.map((row) => toScoredCandidate(row, { scorer, fileName }, query))
  const isAll = !isBestEnough && all.length <= limits.ranked
  const isScanned = match.isAnsweredByIndex || upperBound <= limits.scanned
  const counts = isAll ? { total: ranked.length, isTotalExact: isScanned } : await count(db, request, match)
  const bags = new Map(rows.map((row) => [Number(row['page']), row]))
  return {
    ranked,
    ...counts,
    fullMatches: isAll ? ranked.filter(({ isPartial }) => !isPartial).length : counts.total,
    explain(pageId) {
      const row = bags.get(pageId)
      if (row === undefined) return {}
      scorer.read(row['bag'] as Buffer)
      return scorer.scoresByField(Number(row['length']))
    },
  }
}

interface RowRequest {
  match: TextMatch
  /** Upper bound on the number of matches. */
  upperBound: number
  /** Documents in the index. */
  documents: number
}

async function readRows(
  db: Queryable,
  { query, nearDuplicateTarget, limits }: CandidateRequest,
  { match, upperBound, documents }: RowRequest,
): Promise<Row[]> {
  const sqlParams = new SqlParams()
  const conditions = conditionsOf(query, nearDuplicateTarget, sqlParams)
  const limit = match.isAnsweredByIndex ? limits.ranked + 1 : limits.scanned
  const order = orderBySql(query, upperBound, documents)
  const scanned = `${candidateSql(match, { rows: fromSql(query), conditions }, sqlParams)} order by ${order} limit ${limit}`
  // The outer query takes the order of the inner one; sorting again would unpack vectors beyond the limit.
  const chosen = `select d.* from (${scanned}) as d
    where ${match.isAnsweredByIndex ? 'true' : match.sql(sqlParams)} limit ${limits.ranked + 1}`
  const sql = `select ${columns(query)}, d.fingerprint::text as print, r.link_rank, d.length, d.bag
    from (${chosen}) as d left join ${RANKS}`
  return (await db.query({ text: sql, values: sqlParams.values })).rows
}

/** Checking whether a document matches costs as much as eight known matches (2026-11). */
const SCAN_COST = 8

/**
 * Newest first. If many documents match, an index on time or page reaches them soon. Otherwise all matches are sorted,
 * and `+ 0` keeps Postgres from using that index, because it underestimates the cost of checking a document.
 */
function orderBySql({ sort }: IndexQuery, upperBound: number, documents: number): string {
  const isCommon = upperBound * upperBound > SCAN_COST * CANDIDATE_LIMITS.ranked * documents
  const plain = isCommon ? '' : ' + 0'
  return `${sort === 'newest' ? `d.changed_at${plain} desc, ` : ''}d.page${plain} desc`
}

/** Restricts the condition to documents that the index finds; the rest of the condition only checks those. */
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
  return `select d.page, d.url_key, d.url, d.host, d.title, d.changed_at, d.fingerprint, d.lang, ${FACETS}, d.length, d.bag, d.terms, d.others
    from ${rows} where ${[words, ...heads, ...conditions].join(' and ')}`
}

/** Every document has a rank, so the join is only needed for a condition on it. */
function fromSql({ filter }: IndexQuery): string {
  return filter.inlinks === null ? 'documents d' : ROWS
}

/** Called when there are more matches than are ranked. */
async function count(
  db: Queryable,
  { query, nearDuplicateTarget, limits }: CandidateRequest,
  match: TextMatch | null,
): Promise<Pick<Candidates<RankedCandidate>, 'total' | 'isTotalExact'>> {
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
  return `d.page, d.url, d.host, d.title, d.changed_at, d.lang${wantsFacets ? `, ${FACETS}` : ''}`
}

function toScoredCandidate(
  row: Row,
  { scorer, fileName }: { scorer: Scorer; fileName: string },
  query: IndexQuery,
): RankedCandidate {
  scorer.read(row['bag'] as Buffer)
  const text = scorer.score(Number(row['length'])) * fileNameFactor(String(row['url']), fileName)
  return toCandidate(row, { text, isPartial: !scorer.matchesContent() }, query)
}

function toCandidate(
  row: Row,
  { text, isPartial }: { text: number; isPartial: boolean },
  query: IndexQuery,
): RankedCandidate {
  const changedAt = Number(row['changed_at'])
  const lang = row['lang'] as string | null
  return {
    pageId: Number(row['page']),
    url: String(row['url']),
    host: String(row['host']),
    title: String(row['title']),
    lang,
    contentType: (row['content_type'] ?? null) as string | null,
    fingerprint: parseFingerprint(row['print'] as string | null),
    changedAt,
    isPartial,
    ...combineScore(text, { linkRank: Number(row['link_rank']), lang, changedAt, isPartial }, query),
  }
}
