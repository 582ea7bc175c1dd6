// What the score of a text is multiplied with.

import type { IndexQuery } from '../../ports/search.ts'

/** The page with the most links to it counts for so much more than one with none. */
const LINK_WEIGHT = 1
const HALF_LIFE_MS = 90 * 86_400_000
/** What is left of a very old page. */
const MIN_FRESHNESS = 0.3

export function linkFactor(linkRank: number): number {
  return 1 + LINK_WEIGHT * linkRank
}

/** 1 unless freshness was asked for. */
export function freshnessFactor(changedAt: number, { sort, now }: Pick<IndexQuery, 'sort' | 'now'>): number {
  if (sort !== 'fresh') return 1
  const ageMs = Math.max(0, now - changedAt)
  return MIN_FRESHNESS + (1 - MIN_FRESHNESS) * 2 ** (-ageMs / HALF_LIFE_MS)
}
