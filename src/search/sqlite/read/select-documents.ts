// Selects the documents to score. All matches are scored if they are few, otherwise those with the highest approximate
// scores (impact-search.ts).

import type { DatabaseSync } from 'node:sqlite'
import { type IndexQuery, MAX_OFFSET, type QueryNode } from '../../../ports/search.ts'
import type { FingerprintHalves } from '../../rank/fingerprint.ts'
import type { Scorer } from '../../rank/scorer.ts'
import { validTerms, wordKey } from '../../rank/word-statistics.ts'
import type { FilterSql } from './filter-sql.ts'
import { toFtsMatch } from './fts-match.ts'
import { findBestByImpact } from './impact-search.ts'
import { orderByApproximateScore, orderByChange, readMatches } from './matches.ts'
import type { QueryTerms } from './query-terms.ts'

export interface CandidateLimits {
  /** Documents that are scored exactly for the first hits. */
  scored: number
  /** Limit of scored documents for a query of many words. */
  scoredForLongQuery: number
  /** Documents that are scored exactly for later pages of hits. */
  maxScored: number
  /** Entries of impact lists that are read. */
  entries: number
  /** Matches that are counted. */
  counted: number
  /** Limit of matches whose filter is checked, or of scanned documents if no index applies. */
  scanned: number
}

/**
 * Cost (2026-11): 8 us per scored document, 1 us per scanned one, 0.2 us per counted match, up to 75 ns per entry, and
 * 5 from memory. More entries and fewer documents give better results for less: on questions over 31,572 pages, the
 * first ten hits shared .977 with the best of all matches with 80,000 entries and 250 documents, .997 with 120,000 and
 * 200, .987 with 120,000 and 120, which lost .03 of the recall among the first hundred of CACM. With 100 documents,
 * the hits of queries of two to four words shared .993, with 150 .997.
 */
export const CANDIDATE_LIMITS: CandidateLimits = {
  scored: 100,
  scoredForLongQuery: 200,
  maxScored: MAX_OFFSET + 500,
  entries: 120_000,
  counted: 10_000,
  scanned: 100_000,
}

export interface SearchPlan {
  query: IndexQuery
  conditions: FilterSql
  target: FingerprintHalves | undefined
  limits: CandidateLimits
  /** Restriction to hosts and names, as FTS5 syntax that follows an expression; may be empty. */
  restriction: string
}

export interface TextRequest {
  text: QueryNode
  /** Documents with some of the words may follow the full matches: phrases and compounds need not match as such. */
  isAnyWord: boolean
}

export interface Selection {
  /** The documents to score first, the most promising of them first. */
  first: number[]
  /** The remaining documents. */
  more: () => number[]
  /** Documents that match, as far as they are known. */
  total: number
  matchIds: () => number[]
  /** No other document matches. */
  isComplete: boolean
  /**
   * Which documents are checked again because they may lack words: none, or those that must have the words in any
   * field or in their content.
   */
  recheck: 'none' | 'all-fields' | 'content'
}

interface TextQuery extends TextRequest {
  /** The query has many words. */
  isLong: boolean
  match: string
  queryTerms: QueryTerms
  scorer: Scorer
}

export function selectDocuments(db: DatabaseSync, textQuery: TextQuery, plan: SearchPlan): Selection {
  const { text, isAnyWord, isLong, match, scorer, queryTerms } = textQuery
  const { query, conditions, limits, restriction } = plan
  const { entries: maxEntries, scored, maxScored, counted, scanned } = limits
  const byImpact = (among: readonly number[] | null) =>
    findBestByImpact(db, {
      terms: scorer.termWeights,
      among,
      restriction,
      maxEntries,
      wanted: among === null && isLong ? FIRST_SHARE * scored : null,
      documents: queryTerms.documents,
    })
  const isByImpact = !conditions.hasConditions && query.sort !== 'newest'
  if (isByImpact && (isAnyWord ? isAnyOfWords(text) : isAnyOfTerms(text))) {
    const impacts = byImpact(null)
    return {
      ...inParts((limit) => orderByApproximateScore(db, impacts.highest(limit), query), limits),
      total: Math.min(impacts.size, counted),
      matchIds: () => impacts.ids().slice(0, counted),
      isComplete: impacts.isComplete && impacts.size <= counted,
      recheck: 'none',
    }
  }
  const rarest = isByImpact ? findRarestWord(text, queryTerms, scored) : null
  const wordMatch = rarest === null ? null : toFtsMatch(rarest)
  if (rarest !== null && wordMatch === null) return NO_DOCUMENTS
  const recheck = wordMatch === null ? 'none' : 'all-fields'
  const matchRequest = { match: `${wordMatch ?? match}${restriction}`, conditions, counted, scanned }
  const { ids, isComplete } = readMatches(db, matchRequest)
  const matches = { total: ids.length, matchIds: () => ids, isComplete, recheck } as const
  if (query.sort === 'newest') {
    const newest = orderByChange(db, ids, maxScored)
    return { ...matches, first: newest.slice(0, scored), more: () => newest.slice(scored) }
  }
  if (ids.length <= scored || query.limit === 0) return { ...matches, first: ids, more: () => [] }
  // Impact lists know nothing of phrases, fields and filters.
  const isUnbounded = !isComplete && isByImpact && hasOnlyTerms(text)
  const impacts = byImpact(isUnbounded ? null : ids)
  return {
    ...matches,
    ...inParts((limit) => orderByApproximateScore(db, impacts.highest(limit), query), limits),
    recheck: isUnbounded ? 'content' : 'none',
  }
}

const NO_DOCUMENTS: Selection = {
  first: [],
  more: () => [],
  total: 0,
  matchIds: () => [],
  isComplete: true,
  recheck: 'none',
}

/**
 * For more words, FTS5 takes longer to find the documents with all of them than it takes to check the documents of one
 * word.
 */
const MAX_MATCHED_WORDS = 5

/** The word with the fewest documents, if all of them can be scored and checked for the other words. May have no term. */
function findRarestWord(text: QueryNode, queryTerms: QueryTerms, maxDocuments: number): QueryNode | null {
  if (text.kind !== 'and' || text.parts.length <= MAX_MATCHED_WORDS || !hasOnlyTerms(text)) return null
  let rarest: { node: QueryNode; documents: number } | null = null
  for (const part of text.parts) {
    if (part.kind !== 'term' || part.isPrefix) continue
    const key = wordKey(validTerms(part.terms), false)
    const documents = queryTerms.documentFrequencies.get(key) ?? 0
    const node = { ...part, terms: [...(queryTerms.terms.get(key) ?? [])] }
    if (documents <= (rarest?.documents ?? maxDocuments)) rarest = { node, documents }
  }
  return rarest?.node ?? null
}

/** Documents with high scores apart from their text are among the first, although they come later by their text. */
const FIRST_SHARE = 1.5

/** Most searches show the first hits only, so the remaining documents are sorted on demand. */
function inParts(
  listBest: (limit: number) => number[],
  { scored, maxScored }: CandidateLimits,
): Pick<Selection, 'first' | 'more'> {
  const first = listBest(FIRST_SHARE * scored).slice(0, scored)
  const more = () => {
    const known = new Set(first)
    return listBest(maxScored).filter((id) => !known.has(id))
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
