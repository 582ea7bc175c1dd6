// Turns scored documents into the displayed order: near-duplicates and versions of a document are grouped under one of
// them, and the third hit of a host gives way to nearly equal hits of others. Used by every index.

import type { IndexQuery, QueryNode } from '../../ports/search.ts'
import type { FingerprintHalves } from './fingerprint.ts'
import { groupSimilar, type HitGroup } from './group-similar.ts'
import { type ScoreParts, scaleScore, toPartialScore } from './score-factors.ts'

export interface Candidate {
  pageId: number
  url: string
  host: string
  title: string
  fingerprint: FingerprintHalves | null
  /** Matches only some of the words in its content, which lowers its score. */
  isPartial: boolean
  score: number
  /** Higher if more links lead to it. */
  linkRank: number
  /** Tie-breaker for equal scores. */
  changedAt: number
}

export type ArrangedHit<C extends Candidate> = C & { similar: number }

const DIVERSIFIED_HITS = 10
const MAX_PER_HOST = 2
/** Share of the score of a hit that another one needs to take its place. */
const NEARLY_EQUAL = 0.8

/** Best first; ties by newest, then by id, so that the order is deterministic. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || b.changedAt - a.changedAt || a.pageId - b.pageId
}

export function comparatorFor(sort: IndexQuery['sort']): (a: Candidate, b: Candidate) => number {
  if (sort !== 'newest') return compareCandidates
  // Sorted by time, full matches come first.
  return (a, b) => Number(a.isPartial) - Number(b.isPartial) || b.changedAt - a.changedAt || compareCandidates(a, b)
}

/**
 * Candidates that are not among the full matches. `text` is what full matches match: if it is one name, such as
 * re.sub, its separate words mean something else, so pages with the name come first.
 */
export function toPartialMatches<C extends Candidate & ScoreParts>(
  candidates: readonly C[],
  { full, text }: { full: readonly C[]; text: QueryNode },
): C[] {
  const known = new Set(full.map(({ pageId }) => pageId))
  const least = isName(text) && full.length > 0 ? Math.min(...full.map(({ score }) => score)) : null
  return candidates
    .filter(({ pageId }) => !known.has(pageId))
    .map((one) => (one.isPartial ? one : { ...one, ...toPartialScore(one), isPartial: true }))
    .map((one) => (least === null ? one : { ...one, ...scaleScore(one, least / (one.score + least)) }))
}

/** Words in sequence without quotes, or another form of them. A quoted phrase has no partial matches. */
function isName(text: QueryNode): boolean {
  return text.kind === 'phrase' || (text.kind === 'or' && text.areForms === true && text.parts[0]?.kind === 'phrase')
}

/**
 * `sorted` is best first and longer than needed, so that the first hits do not depend on its length. `later` follows it,
 * and changes nothing about its order, whatever its scores.
 */
export function arrangeHits<C extends Candidate>(
  sorted: readonly C[],
  { groupsSimilar, filter, sort }: Pick<IndexQuery, 'groupsSimilar' | 'filter' | 'sort'>,
  later: readonly C[] = [],
): ArrangedHit<C>[] {
  const all = [...sorted, ...later]
  if (!groupsSimilar || filter.nearDuplicateOf !== null) return all.map((candidate) => ({ ...candidate, similar: 0 }))
  const grouped = groupSimilar(all)
  // Sorted by time, the best hit of a group is the latest. Reordering would break the order by time.
  if (sort === 'newest') return grouped.map(({ best, similar }) => ({ ...best, similar }))
  const laterHits = new Set(later)
  const isFirst = ({ best }: HitGroup<C>) => !laterHits.has(best)
  const arranged =
    filter.hosts.length > 0
      ? grouped
      : [...diversifyHosts(grouped.filter(isFirst)), ...grouped.filter((group) => !isFirst(group))]
  return arranged.map(({ shown, similar }) => ({ ...shown, similar }))
}

/**
 * A host's third hit gives way to hits of other hosts that score nearly as much, among the first ten. Sites are not
 * mixed for the sake of variety alone.
 */
function diversifyHosts<C extends Candidate>(sorted: HitGroup<C>[]): HitGroup<C>[] {
  const left = [...sorted]
  const first: HitGroup<C>[] = []
  const counts = new Map<string, number>()
  const isSpread = ({ best }: HitGroup<C>) => (counts.get(best.host) ?? 0) < MAX_PER_HOST
  while (first.length < DIVERSIFIED_HITS && left[0] !== undefined) {
    const [next] = left
    const { score } = next.best
    const end = left.findIndex(({ best }) => best.score < score * NEARLY_EQUAL)
    const near = end === -1 ? left : left.slice(0, end)
    const at = Math.max(0, near.findIndex(isSpread))
    const [chosen = next] = left.splice(at, 1)
    first.push(chosen)
    counts.set(chosen.best.host, (counts.get(chosen.best.host) ?? 0) + 1)
  }
  return [...first, ...left]
}
