// Finds the documents that match a query, with the values that decide their order. If only a few documents match all
// words, documents that match some of them follow. The work is bounded by counts, so that results do not depend on
// load.

import type { DatabaseSync } from 'node:sqlite'
import { type Entity, type Field, type IndexQuery, MIN_FULL_MATCHES, type QueryNode } from '../../../ports/search.ts'
import { entityTerm } from '../../entity-terms.ts'
import { type Candidate, toPartialMatches } from '../../rank/arrange-hits.ts'
import { countFacets } from '../../rank/facets.ts'
import { combineScore, fileNameFactor, type ScoreParts, toFileName } from '../../rank/score-factors.ts'
import { Scorer } from '../../rank/scorer.ts'
import { prepareCached } from '../prepare-cached.ts'
import { fingerprintMatch, siteMatch } from '../site-terms.ts'
import {
  type CandidateRow,
  COLUMN,
  countFacetsById,
  countRowFacets,
  isNearTarget,
  readFilteredRows,
  readFingerprint,
  readRowsById,
  rowFingerprint,
} from './candidate-rows.ts'
import { toFilterSql } from './filter-sql.ts'
import { toFtsMatch } from './fts-match.ts'
import { readQueryTerms } from './query-terms.ts'
import { type CandidateLimits, type SearchPlan, selectDocuments, type TextRequest } from './select-documents.ts'

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
  return joinCandidates(full, findByText(db, { text: anyWord, isAnyWord: true }, plan), text)
}

function nothing({ wantsFacets }: IndexQuery): Candidates {
  const facets = wantsFacets ? countFacets([]) : null
  return { found: [], more: () => [], total: 0, isTotalExact: true, fullMatches: 0, facets, explain: () => ({}) }
}

/** `partial` has the documents of `full` as well. */
function joinCandidates(full: Candidates, partial: Candidates, text: QueryNode): Candidates {
  const to = { full: full.found, text }
  return {
    ...partial,
    found: [...full.found, ...toPartialMatches(partial.found, to)],
    more: () => toPartialMatches(partial.more(), to),
    fullMatches: full.fullMatches,
  }
}

function findByText(db: DatabaseSync, { text, isAnyWord }: TextRequest, plan: SearchPlan): Candidates {
  const { conditions, query } = plan
  const queryTerms = readQueryTerms(db, text)
  const match = toFtsMatch(queryTerms.text)
  if (match === null) return nothing(query)
  const scorer = new Scorer(text, queryTerms)
  const fileName = toFileName(query.words)
  const { scored, scoredForLongQuery } = plan.limits
  const isLong = scorer.leafCount > LONG_QUERY
  const limits = { ...plan.limits, scored: isLong ? scoredForLongQuery : scored }
  const selection = selectDocuments(db, { text, isAnyWord, isLong, match, scorer, queryTerms }, { ...plan, limits })
  const { total, isComplete, recheck } = selection
  if (query.limit === 0 && recheck === 'none' && !query.wantsFacets)
    return { ...nothing(query), total, isTotalExact: isComplete && !queryTerms.isTruncated, fullMatches: total }
  const rank = (some: readonly number[]) => {
    const rows = readRowsById(db, some, { conditions, wantsFacets: query.wantsFacets })
    const near = rows.filter((row) => isNearTarget(row, plan.target))
    const candidates: RankedCandidate[] = []
    const matching: CandidateRow[] = []
    for (const row of near) {
      scorer.read(row[COLUMN.bag])
      if (recheck === 'all-fields' && !scorer.matchesAnywhere()) continue
      matching.push(row)
      const isPartial = !scorer.matchesContent()
      const text = scorer.score(row[COLUMN.length]) * fileNameFactor(row[COLUMN.url], fileName)
      if (text > 0 && !(recheck === 'content' && isPartial))
        candidates.push(toCandidate(row, { text, isPartial }, query))
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
    isTotalExact: isComplete && !queryTerms.isTruncated && (isAll || !hasExpired(db, query.now)),
    fullMatches: isAll ? found.filter(({ isPartial }) => !isPartial).length : total,
    facets: query.wantsFacets ? countAllFacets() : null,
    explain: (pageId) => explain(db, pageId, scorer),
  }
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
  const scoreParts = combineScore(text, { linkRank, lang, changedAt, isPartial }, query)
  return { pageId, url, host, title, fingerprint: rowFingerprint(row), changedAt, isPartial, ...scoreParts }
}
