// Finds the documents that match a query, with the values their order depends on. All matches are scored if they are
// few, otherwise those with the highest approximate scores (impact-search.ts). If only a few documents match all words,
// those that match some of them follow. The work is bounded by counts, so that results do not depend on load.

import type { DatabaseSync } from 'node:sqlite'
import {
  type Entity,
  type Field,
  type IndexQuery,
  MAX_OFFSET,
  MIN_FULL_MATCHES,
  type QueryNode,
} from '../../../ports/search.ts'
import { entityTerm } from '../../entity-terms.ts'
import { type Candidate, toPartialMatches } from '../../rank/arrange-hits.ts'
import { countFacets } from '../../rank/facets.ts'
import type { FingerprintHalves } from '../../rank/fingerprint.ts'
import { combineScore, type ScoreParts } from '../../rank/score-factors.ts'
import { Scorer } from '../../rank/scorer.ts'
import { prepareCached } from '../prepare-cached.ts'
import { fingerprintMatch, siteMatch } from '../site-terms.ts'
import {
  type CandidateRow,
  countFacetsById,
  countRowFacets,
  isNearTarget,
  readFilteredRows,
  readFingerprint,
  readRowsById,
  rowFingerprint,
} from './candidate-rows.ts'
import { type FilterSql, toFilterSql } from './filter-sql.ts'
import { toFtsMatch } from './fts-match.ts'
import { findBestByImpact } from './impact-search.ts'
import { orderByApproximateScore, orderByChange, readMatches } from './matches.ts'
import { type QueryTerms, readQueryTerms } from './query-terms.ts'

export interface CandidateLimits {
  /** Documents that are scored exactly for the first hits. */
  scored: number
  /** Documents that are scored exactly in all. */
  deepest: number
  /** Entries of impact lists that are read. */
  entries: number
  /** Matches that are counted. */
  counted: number
  /** Matches whose filter is checked, or documents scanned when no index applies. */
  scanned: number
}

/** Cost (2026-11): 4 us per scored document, 1 us per scanned one, 0.2 us per entry or counted match. */
export const CANDIDATE_LIMITS: CandidateLimits = {
  scored: 400,
  deepest: MAX_OFFSET + 500,
  entries: 20_000,
  counted: 10_000,
  scanned: 100_000,
}

export type RankedCandidate = Candidate & ScoreParts

export interface Candidates {
  found: RankedCandidate[]
  /** Candidates that rank behind all of `found`. */
  more(): RankedCandidate[]
  total: number
  isTotalExact: boolean
  /** Documents that match the whole query. */
  fullMatches: number
  facets: ReturnType<typeof countFacets> | null
  /** Scores by field for a document in `found`. */
  explain(pageId: number): Partial<Record<Field, number>>
}

interface SearchPlan {
  query: IndexQuery
  conditions: FilterSql
  target: FingerprintHalves | undefined
  limits: CandidateLimits
  /** To hosts and names, as FTS5 syntax that follows an expression; may be empty. */
  restriction: string
}

export function findCandidates(db: DatabaseSync, query: IndexQuery, limits: CandidateLimits): Candidates {
  const target = readFingerprint(db, query.filter.nearDuplicateOf)
  if (target === null) return nothing(query)
  const { text, anyWord, filter, now } = query
  if (text === null)
    return findByFilter(db, { query, conditions: toFilterSql(filter, now, target), target, limits, restriction: '' })
  const match = siteMatch(filter.hosts)
  const rest = match?.isExact === true ? { ...filter, hosts: [] } : filter
  const restriction = [match?.match ?? [], nameMatches(filter.names)]
    .flat()
    .map((part) => ` AND ${part}`)
    .join('')
  const plan = { query, conditions: toFilterSql(rest, now, target), target, limits, restriction }
  const words = readQueryTerms(db, text)
  const full = findByText(db, text, words, plan)
  if (anyWord === null || full.fullMatches >= MIN_FULL_MATCHES) return full
  return joinCandidates(full, findByText(db, anyWord, readQueryTerms(db, anyWord, words), plan))
}

function nothing({ wantsFacets }: IndexQuery): Candidates {
  const facets = wantsFacets ? countFacets([]) : null
  return { found: [], more: () => [], total: 0, isTotalExact: true, fullMatches: 0, facets, explain: () => ({}) }
}

/** `partial` has the documents of `full` as well. */
function joinCandidates(full: Candidates, partial: Candidates): Candidates {
  return {
    ...partial,
    found: [...full.found, ...toPartialMatches(partial.found, full.found)],
    more: () => toPartialMatches(partial.more(), full.found),
    fullMatches: full.fullMatches,
  }
}

function findByText(db: DatabaseSync, text: QueryNode, words: QueryTerms, plan: SearchPlan): Candidates {
  const { limits, conditions, query } = plan
  const match = toFtsMatch(words.text)
  if (match === null) return nothing(query)
  const scorer = new Scorer(text, words)
  const { matchIds, ids, isComplete, mayLackWords } = selectDocuments(db, { text, match, scorer }, plan)
  const rank = (some: readonly number[]) => {
    const rows = readRowsById(db, some, { conditions, wantsFacets: query.wantsFacets })
    const near = rows.filter((row) => isNearTarget(row, plan.target))
    const candidates = near.map((row) => toScoredCandidate(row, scorer, query))
    return { rows: near, candidates: mayLackWords ? candidates.filter(({ isPartial }) => !isPartial) : candidates }
  }
  const { rows, candidates: found } = rank(ids.slice(0, limits.scored))
  const isAll = matchIds.length <= limits.scored
  const countAllFacets = () => (isAll ? countRowFacets(rows) : countFacetsById(db, matchIds, conditions))
  return {
    found,
    more: () => rank(ids.slice(limits.scored)).candidates,
    total: isAll ? found.length : matchIds.length,
    isTotalExact: isComplete && !words.isTruncated && (isAll || !hasExpired(db, query.now)),
    fullMatches: isAll ? found.filter(({ isPartial }) => !isPartial).length : matchIds.length,
    facets: query.wantsFacets ? countAllFacets() : null,
    explain: (pageId) => explain(db, pageId, scorer),
  }
}

interface Selection {
  /** The documents that match, as far as they are known. */
  matchIds: number[]
  /** Those worth scoring, the most promising first. */
  ids: number[]
  /** No other document matches. */
  isComplete: boolean
  /** Some of the ids may not match. */
  mayLackWords: boolean
}

interface TextQuery {
  text: QueryNode
  match: string
  scorer: Scorer
}

function selectDocuments(db: DatabaseSync, { text, match, scorer }: TextQuery, plan: SearchPlan): Selection {
  const { query, conditions, limits, restriction } = plan
  const { entries: maxEntries, deepest, counted, scanned } = limits
  const byImpact = (among: readonly number[] | null) =>
    findBestByImpact(db, { terms: scorer.termWeights, among, restriction, maxEntries, limit: deepest })
  const isByImpact = !conditions.hasConditions && query.sort !== 'newest'
  if (isByImpact && isAnyOfTerms(text)) {
    const { hits, listIds, isComplete: isRead } = byImpact(null)
    const [all, ids] = [listIds(), orderByApproximateScore(db, hits, query)]
    return { matchIds: all.slice(0, counted), ids, isComplete: isRead && all.length <= counted, mayLackWords: false }
  }
  const { ids: matchIds, isComplete } = readMatches(db, {
    match: `${match}${restriction}`,
    conditions,
    counted,
    scanned,
  })
  if (query.sort === 'newest')
    return { matchIds, ids: orderByChange(db, matchIds, deepest), isComplete, mayLackWords: false }
  if (matchIds.length <= limits.scored) return { matchIds, ids: matchIds, isComplete, mayLackWords: false }
  // Impact lists know nothing of phrases, fields and filters.
  const isUnbounded = !isComplete && isByImpact && hasOnlyTerms(text)
  const { hits } = byImpact(isUnbounded ? null : matchIds)
  return { matchIds, ids: orderByApproximateScore(db, hits, query), isComplete, mayLackWords: isUnbounded }
}

function isAnyOfTerms(node: QueryNode): boolean {
  return node.kind === 'or' ? node.parts.every(isAnyOfTerms) : isPlainTerm(node)
}

function hasOnlyTerms(node: QueryNode): boolean {
  if (node.kind === 'not') return hasOnlyTerms(node.part)
  return 'parts' in node ? node.parts.every(hasOnlyTerms) : isPlainTerm(node)
}

function isPlainTerm(node: QueryNode): boolean {
  return node.kind === 'term' && node.field === null
}

function explain(db: DatabaseSync, pageId: number, scorer: Scorer): Partial<Record<Field, number>> {
  const row = prepareCached(db, 'select length, content from bags where page_id = ?').get(pageId)
  if (row === undefined) return {}
  scorer.read(row['content'] as Uint8Array)
  return scorer.scoresByField(Number(row['length']))
}

function findByFilter(db: DatabaseSync, { query, conditions, target, limits }: SearchPlan): Candidates {
  const { filter, wantsFacets } = query
  const order = query.sort === 'relevance' ? 'link_rank' : 'changed_at'
  const matches = [
    siteMatch(filter.hosts)?.match ?? [],
    nameMatches(filter.names),
    target === undefined ? [] : fingerprintMatch(target),
  ].flat()
  const isFindable = matches.length > 0 || filter.nearDuplicateOf !== null
  const all = readFilteredRows(db, {
    conditions,
    match: matches.length === 0 ? null : matches.join(' AND '),
    order,
    scanned: isFindable ? null : limits.scanned,
    limit: limits.counted,
    wantsFacets,
  })
  const rows = all.filter((row) => isNearTarget(row, target))
  return {
    ...nothing(query),
    found: rows.map((row) => toCandidate(row, { text: 1, isPartial: false }, query)),
    total: rows.length,
    isTotalExact: all.length < limits.counted && (isFindable || !hasMoreDocuments(db, limits.scanned)),
    fullMatches: rows.length,
    facets: wantsFacets ? countRowFacets(rows) : null,
  }
}

function nameMatches(names: readonly Entity[]): string[] {
  return names.flatMap((name) => entityTerm(name) ?? []).map((term) => `"${term}"`)
}

/** Expired documents are still counted by their terms. */
function hasExpired(db: DatabaseSync, now: number): boolean {
  return prepareCached(db, 'select 1 from documents where expires_at <= ? limit 1').get(now) !== undefined
}

function hasMoreDocuments(db: DatabaseSync, than: number): boolean {
  return prepareCached(db, 'select 1 from documents limit 1 offset ?').get(than) !== undefined
}

function toScoredCandidate(row: CandidateRow, scorer: Scorer, query: IndexQuery): RankedCandidate {
  scorer.read(row[10])
  return toCandidate(row, { text: scorer.score(row[9]), isPartial: !scorer.matchesContent() }, query)
}

function toCandidate(
  row: CandidateRow,
  { text, isPartial }: { text: number; isPartial: boolean },
  query: IndexQuery,
): RankedCandidate {
  const [pageId, host, linkRank, changedAt, , , lang, url, title] = row
  const scoreParts = combineScore(text, { linkRank, lang, changedAt }, query)
  return { pageId, url, host, title, fingerprint: rowFingerprint(row), changedAt, isPartial, ...scoreParts }
}
