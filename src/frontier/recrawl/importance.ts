// How much a page matters, as a factor of the crawl value: 1 is average.

/** Priority of a page without a sitemap, or without a priority in it. */
const DEFAULT_PRIORITY = 0.5
/** Pages further down matter no less. */
const DEEPEST = 6

/**
 * A level deeper is worth 0.7 times as much: sites link to what matters first. The priority in a sitemap says what matters
 * to the site, and counts at most threefold, since it may be set without thought.
 */
export function importanceOf({ depth, priority }: { depth: number; priority: number | null }): number {
  const level = Math.min(Math.max(0, depth), DEEPEST)
  const given = priority === null || !(priority >= 0 && priority <= 1) ? DEFAULT_PRIORITY : priority
  return 2 * 0.7 ** level * (0.5 + given)
}

/** Rank of a URL that is not ranked: there is no index, or its links were not ranked yet. */
const DEFAULT_RANK = 0.5

/** Like the priority, the link rank counts at most threefold: the depth already reflects most of it. */
export function withLinkRank(importance: number, linkRank: number | null): number {
  return importance * (0.5 + (linkRank ?? DEFAULT_RANK))
}
