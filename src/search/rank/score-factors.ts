// Factors that multiply the text score.

import type { IndexQuery } from '../../ports/search.ts'

/** A page with the highest link rank scores this much more than one without: twice, for 1. */
const LINK_WEIGHT = 1
const HALF_LIFE_MS = 90 * 86_400_000
/** Lower bound for very old pages. */
const MIN_FRESHNESS = 0.3

export function linkFactor(linkRank: number): number {
  return 1 + LINK_WEIGHT * linkRank
}

/** 1 unless the search is sorted by freshness. */
export function freshnessFactor(changedAt: number, { sort, now }: Pick<IndexQuery, 'sort' | 'now'>): number {
  if (sort !== 'fresh') return 1
  const ageMs = Math.max(0, now - changedAt)
  return MIN_FRESHNESS + (1 - MIN_FRESHNESS) * 2 ** (-ageMs / HALF_LIFE_MS)
}
