// Turns scored documents into the displayed order: near-duplicates are grouped under the best of them, and the third hit
// of a host gives way to nearly equal hits of others. Used by every index.

import { NEAR_BITS } from '../../ports/pages.ts'
import type { IndexQuery } from '../../ports/search.ts'
import { type FingerprintHalves, hammingDistance, quartersOf } from './fingerprint.ts'

export interface Candidate {
  pageId: number
  host: string
  fingerprint: FingerprintHalves | null
  /** Matches only some of the words in its content; ranks behind all others. */
  isPartial: boolean
  score: number
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
  return comparePartial(a, b) || b.score - a.score || b.changedAt - a.changedAt || a.pageId - b.pageId
}

export function comparatorFor(sort: IndexQuery['sort']): (a: Candidate, b: Candidate) => number {
  if (sort !== 'newest') return compareCandidates
  return (a, b) => comparePartial(a, b) || b.changedAt - a.changedAt || compareCandidates(a, b)
}

/** Full matches first. */
function comparePartial(a: Candidate, b: Candidate): number {
  return Number(a.isPartial) - Number(b.isPartial)
}

/** Those that are not among the full matches. */
export function toPartialMatches<C extends Candidate>(candidates: readonly C[], full: readonly C[]): C[] {
  const known = new Set(full.map(({ pageId }) => pageId))
  return candidates.filter(({ pageId }) => !known.has(pageId)).map((one) => ({ ...one, isPartial: true }))
}

/** `sorted` is best first and longer than needed, so that the first hits do not depend on its length. */
export function arrangeHits<C extends Candidate>(
  sorted: readonly C[],
  { groupsSimilar, filter }: Pick<IndexQuery, 'groupsSimilar' | 'filter'>,
): ArrangedHit<C>[] {
  if (!groupsSimilar || filter.nearDuplicateOf !== null)
    return sorted.map((candidate) => ({ ...candidate, similar: 0 }))
  const grouped = groupNearDuplicates(sorted)
  return filter.hosts.length > 0 ? grouped : diversifyHosts(grouped)
}

function groupNearDuplicates<C extends Candidate>(sorted: readonly C[]): ArrangedHit<C>[] {
  const grouped: ArrangedHit<C>[] = []
  const byQuarter = new Map<number, ArrangedHit<C>[]>()
  for (const candidate of sorted) {
    const keys = candidate.fingerprint === null ? [] : quartersOf(candidate.fingerprint)
    const original = findNearDuplicate(candidate, keys, byQuarter)
    if (original !== undefined) {
      original.similar += 1
      continue
    }
    const arranged = { ...candidate, similar: 0 }
    grouped.push(arranged)
    for (const key of keys) {
      const others = byQuarter.get(key)
      if (others === undefined) byQuarter.set(key, [arranged])
      else others.push(arranged)
    }
  }
  return grouped
}

function findNearDuplicate<C extends Candidate>(
  { fingerprint }: C,
  keys: number[],
  byQuarter: ReadonlyMap<number, ArrangedHit<C>[]>,
): ArrangedHit<C> | undefined {
  if (fingerprint === null) return undefined
  for (const key of keys) {
    const original = byQuarter
      .get(key)
      ?.find((other) => other.fingerprint !== null && hammingDistance(other.fingerprint, fingerprint) <= NEAR_BITS)
    if (original !== undefined) return original
  }
  return undefined
}

/**
 * A host's third hit gives way to hits of other hosts that score nearly as much, among the first ten. Sites are not
 * mixed for the sake of variety alone.
 */
function diversifyHosts<C extends Candidate>(sorted: ArrangedHit<C>[]): ArrangedHit<C>[] {
  const left = [...sorted]
  const first: ArrangedHit<C>[] = []
  const counts = new Map<string, number>()
  const isSpread = ({ host }: C) => (counts.get(host) ?? 0) < MAX_PER_HOST
  while (first.length < DIVERSIFIED_HITS && left[0] !== undefined) {
    const [best] = left
    const end = left.findIndex((other) => other.isPartial !== best.isPartial || other.score < best.score * NEARLY_EQUAL)
    const near = end === -1 ? left : left.slice(0, end)
    const at = Math.max(0, near.findIndex(isSpread))
    const [chosen = best] = left.splice(at, 1)
    first.push(chosen)
    counts.set(chosen.host, (counts.get(chosen.host) ?? 0) + 1)
  }
  return [...first, ...left]
}
