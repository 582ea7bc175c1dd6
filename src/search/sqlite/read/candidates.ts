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
import { combineScore, fileNameFactor, type ScoreParts, toFileName } from '../../rank/score-factors.ts'
import { Scorer } from '../../rank/scorer.ts'
import { validTerms, wordKey } from '../../rank/word-statistics.ts'
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
  /** The same for a query of many words. */
  scoredForLongQuery: number
  /** Documents that are scored exactly in all. */
  deepest: number
  /** Entries of impact lists that are read. */
  entries: number
  /** Matches that are counted. */
  counted: number
  /** Matches whose filter is checked, or documents scanned when no index applies. */
  scanned: number
}

/**
 * Cost (2026-11): 4 us per scored document, 1 us per scanned one, 0.2 us per counted match, up to 75 ns per entry. With
 * 20,000 entries, the first ten hits of questions over 31,572 pages shared .88 with the best of all matches; with 60,000
 * .96, with 100,000 .99. With 150 scored documents .94, with 250 .97; on queries of two to four words .998 and 1.
 */
export const CANDIDATE_LIMITS: CandidateLimits = {
  scored: 150,
  scoredForLongQuery: 250,
  deepest: MAX_OFFSET + 500,
  entries: 80_000,
  counted: 10_000,
  scanned: 100_000,
}

/** A query with more words than this is long. */
const LONG_QUERY = 5

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
  const full = findByText(db, { text, isAnyWord: false }, plan)
  if (anyWord === null || full.fullMatches >= MIN_FULL_MATCHES) return full
  return joinCandidates(full, findByText(db, { text: anyWord, isAnyWord: true }, plan))
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

function findByText(db: DatabaseSync, { text, isAnyWord }: TextRequest, plan: SearchPlan): Candidates {
  const { conditions, query } = plan
  const words = readQueryTerms(db, text)
  const match = toFtsMatch(words.text)
  if (match === null) return nothing(query)
  const scorer = new Scorer(text, words)
  const fileName = toFileName(query.words)
  const { scored, scoredForLongQuery } = plan.limits
  const limits = { ...plan.limits, scored: scorer.leaves > LONG_QUERY ? scoredForLongQuery : scored }
  const selection = selectDocuments(db, { text, isAnyWord, match, scorer, words }, { ...plan, limits })
  const { total, isComplete, check } = selection
  const rank = (some: readonly number[]) => {
    const rows = readRowsById(db, some, { conditions, wantsFacets: query.wantsFacets })
    const near = rows.filter((row) => isNearTarget(row, plan.target))
    const candidates: RankedCandidate[] = []
    const matching: CandidateRow[] = []
    for (const row of near) {
      scorer.read(row[10])
      if (check === 'all-fields' && !scorer.matchesAnywhere()) continue
      matching.push(row)
      const isPartial = !scorer.matchesContent()
      const text = scorer.score(row[9]) * fileNameFactor(row[7], fileName)
      if (text > 0 && !(check === 'content' && isPartial)) candidates.push(toCandidate(row, { text, isPartial }, query))
    }
    return { rows: matching, candidates }
  }
  const { rows, candidates: found } = rank(selection.first)
  const isAll = total <= limits.scored
  const countAllFacets = () => (isAll ? countRowFacets(rows) : countFacetsById(db, selection.matchIds(), conditions))
  return {
    found,
    more: () => rank(selection.more()).candidates,
    total: isAll ? found.length : total,
    isTotalExact: isComplete && !words.isTruncated && (isAll || !hasExpired(db, query.now)),
    fullMatches: isAll ? found.filter(({ isPartial }) => !isPartial).length : total,
    facets: query.wantsFacets ? countAllFacets() : null,
    explain: (pageId) => explain(db, pageId, scorer),
  }
}

interface TextRequest {
  text: QueryNode
  /** Documents with some of the words may follow those with all: phrases and compounds need not match as such. */
  isAnyWord: boolean
}

interface Selection {
  /** The documents to score first, the most promising of them first. */
  first: number[]
  /** Those that follow. */
  more: () => number[]
  /** Documents that match, as far as they are known. */
  total: number
  matchIds: () => number[]
  /** No other document matches. */
  isComplete: boolean
  /** Some of the documents may lack words: keep those that have them in any field, or in their content. */
  check: 'none' | 'all-fields' | 'content'
}

interface TextQuery extends TextRequest {
  match: string
  words: QueryTerms
  scorer: Scorer
}

function selectDocuments(db: DatabaseSync, textQuery: TextQuery, plan: SearchPlan): Selection {
  const { text, isAnyWord, match, scorer, words } = textQuery
  const { query, conditions, limits, restriction } = plan
  const { entries: maxEntries, scored, deepest, counted, scanned } = limits
  const byImpact = (among: readonly number[] | null) =>
    findBestByImpact(db, { terms: scorer.termWeights, among, restriction, maxEntries, documents: words.documents })
  const isByImpact = !conditions.hasConditions && query.sort !== 'newest'
  if (isByImpact && (isAnyWord ? isAnyOfWords(text) : isAnyOfTerms(text))) {
    const impacts = byImpact(null)
    return {
      ...inParts((limit) => orderByApproximateScore(db, impacts.highest(limit), query), limits),
      total: Math.min(impacts.size, counted),
      matchIds: () => impacts.ids().slice(0, counted),
      isComplete: impacts.isComplete && impacts.size <= counted,
      check: 'none',
    }
  }
  const rarest = isByImpact ? findRarestWord(text, words, scored) : null
  const wordMatch = rarest === null ? null : toFtsMatch(rarest)
  if (rarest !== null && wordMatch === null) return NO_DOCUMENTS
  const check = wordMatch === null ? 'none' : 'all-fields'
  const matchRequest = { match: `${wordMatch ?? match}${restriction}`, conditions, counted, scanned }
  const { ids, isComplete } = readMatches(db, matchRequest)
  const matches = { total: ids.length, matchIds: () => ids, isComplete, check } as const
  if (query.sort === 'newest') {
    const newest = orderByChange(db, ids, deepest)
    return { ...matches, first: newest.slice(0, scored), more: () => newest.slice(scored) }
  }
  if (ids.length <= scored) return { ...matches, first: ids, more: () => [] }
  // Impact lists know nothing of phrases, fields and filters.
  const isUnbounded = !isComplete && isByImpact && hasOnlyTerms(text)
  const impacts = byImpact(isUnbounded ? null : ids)
  return {
    ...matches,
    ...inParts((limit) => orderByApproximateScore(db, impacts.highest(limit), query), limits),
    check: isUnbounded ? 'content' : 'none',
  }
}

const NO_DOCUMENTS: Selection = {
  first: [],
  more: () => [],
  total: 0,
  matchIds: () => [],
  isComplete: true,
  check: 'none',
}

/** With more words FTS5 takes longer to find the documents with all of them than it takes to check those of one word. */
const MAX_MATCHED_WORDS = 5

/** The word with the fewest documents, if all of them can be scored and checked for the other words. May have no term. */
function findRarestWord(text: QueryNode, words: QueryTerms, maxDocuments: number): QueryNode | null {
  if (text.kind !== 'and' || text.parts.length <= MAX_MATCHED_WORDS || !hasOnlyTerms(text)) return null
  let rarest: { node: QueryNode; documents: number } | null = null
  for (const part of text.parts) {
    if (part.kind !== 'term' || part.isPrefix) continue
    const key = wordKey(validTerms(part.terms), false)
    const documents = words.documentFrequencies.get(key) ?? 0
    const node = { ...part, terms: [...(words.terms.get(key) ?? [])] }
    if (documents <= (rarest?.documents ?? maxDocuments)) rarest = { node, documents }
  }
  return rarest?.node ?? null
}

/** Documents with high scores apart from their text are among the first, although they come later by their text. */
const FIRST_SHARE = 1.5

/** Most searches show the first hits only, so the rest is put in order on demand. */
function inParts(
  listBest: (limit: number) => number[],
  { scored, deepest }: CandidateLimits,
): Pick<Selection, 'first' | 'more'> {
  const first = listBest(FIRST_SHARE * scored).slice(0, scored)
  const more = () => {
    const known = new Set(first)
    return listBest(deepest).filter((id) => !known.has(id))
  }
  return { first, more }
}

function isAnyOfTerms(node: QueryNode): boolean {
  return node.kind === 'or' ? node.parts.every(isAnyOfTerms) : isPlainTerm(node)
}

/** Words, and forms of them. */
function isAnyOfWords(node: QueryNode): boolean {
  if (node.kind === 'or')
    return node.parts.every((part) => isAnyOfWords(part) || (node.areForms === true && isForm(part)))
  return node.kind === 'phrase' ? node.field === null : isPlainTerm(node)
}

function isForm(node: QueryNode): boolean {
  return node.kind === 'and' && node.parts.every(isPlainTerm)
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

function toCandidate(
  row: CandidateRow,
  { text, isPartial }: { text: number; isPartial: boolean },
  query: IndexQuery,
): RankedCandidate {
  const [pageId, host, linkRank, changedAt, , , lang, url, title] = row
  const scoreParts = combineScore(text, { linkRank, lang, changedAt }, query)
  return { pageId, url, host, title, fingerprint: rowFingerprint(row), changedAt, isPartial, ...scoreParts }
}
