// Finds the documents with the highest approximate scores from the impact lists (see impacts.ts). Reads the lists with
// the highest contributions first, and a fixed number of entries at most.

import type { DatabaseSync } from 'node:sqlite'
import { impactTerm, TIERS, tierScore } from '../../rank/impacts.ts'
import type { TermWeight } from '../../rank/scorer.ts'
import { type DocumentList, impactListsOf } from './impact-lists.ts'
import { type ApproximateHit, ScoreTable } from './score-table.ts'
import { termCountsOf } from './term-counts.ts'

export interface ImpactRequest {
  terms: readonly TermWeight[]
  /** Only these documents; null: all. */
  among: readonly number[] | null
  /** FTS5 syntax that follows a term; may be empty. */
  restriction: string
  /** Entries of lists that are read. */
  maxEntries: number
  /** Documents in the index. */
  documents: number
}

export interface ImpactResult {
  /** Best first. */
  highest(limit: number): ApproximateHit[]
  /** Documents found. */
  size: number
  ids(): number[]
  /** All lists were read to their end. */
  isComplete: boolean
}

interface ScoredList extends DocumentList {
  score: number
}

/** The other terms, of prefixes or long texts, are ignored: each is sixteen lists. */
const MAX_TERMS = 96
/**
 * A term with fewer documents is read as one list: its documents are scored exactly anyway, and a list takes 20 us before
 * its first entry (2026-11).
 */
const RARE = 64
/** Its documents count as those of a high tier, so that none is missed. */
const RARE_TIER = 11

export function findBestByImpact(db: DatabaseSync, request: ImpactRequest): ImpactResult {
  const { among, restriction, maxEntries } = request
  const table = new ScoreTable(among?.length ?? Math.min(maxEntries, request.documents))
  if (among !== null) table.addAll(among, 0)
  const impactLists = impactListsOf(db)
  let left = maxEntries
  for (const { score, ...list } of listsOf(request.terms, termCountsOf(db))) {
    if (left === 0) break
    const ids = impactLists.read(list, restriction, left)
    left -= ids.length
    if (among === null) table.addAll(ids, score)
    else table.addPresent(ids, score)
  }
  const { size } = table
  return { highest: (limit) => table.highest(limit), size, ids: () => table.ids(), isComplete: left > 0 }
}

/** Highest contribution first. Equal terms were typed twice, or belong to two variants. */
function listsOf(terms: readonly TermWeight[], counts: { count(term: string): number }): ScoredList[] {
  const weights = new Map<string, number>()
  for (const { term, weight } of terms) weights.set(term, (weights.get(term) ?? 0) + weight)
  const lists: ScoredList[] = []
  for (const [term, weight] of [...weights].sort(([, a], [, b]) => b - a).slice(0, MAX_TERMS)) {
    if (counts.count(term) < RARE) {
      lists.push({ table: 'terms', term, score: weight * tierScore(RARE_TIER) })
      continue
    }
    for (let tier = 0; tier < TIERS; tier++)
      lists.push({ table: 'impacts', term: impactTerm(term, tier), score: weight * tierScore(tier) })
  }
  return lists.sort((a, b) => b.score - a.score)
}
