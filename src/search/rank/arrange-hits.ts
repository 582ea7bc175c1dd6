// Turns scored documents into the displayed order: near-duplicates are grouped under the best of them, and no host
// takes more than two of the first ten places. Used by every index.

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

/** `sorted` is best first and longer than needed, so that the first hits do not depend on its length. */
export function arrangeHits<C extends Candidate>(sorted: readonly C[], groupsSimilar: boolean): ArrangedHit<C>[] {
  if (!groupsSimilar) return sorted.map((candidate) => ({ ...candidate, similar: 0 }))
  return diversifyHosts(groupNearDuplicates(sorted))
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

/** Hits over the limit follow after the first ten, or among them if there are no others. */
function diversifyHosts<C extends Candidate>(sorted: ArrangedHit<C>[]): ArrangedHit<C>[] {
  const first: ArrangedHit<C>[] = []
  const postponed: ArrangedHit<C>[] = []
  const counts = new Map<string, number>()
  for (const candidate of sorted) {
    const count = counts.get(candidate.host) ?? 0
    if (first.length < DIVERSIFIED_HITS && count < MAX_PER_HOST) {
      first.push(candidate)
      counts.set(candidate.host, count + 1)
    } else postponed.push(candidate)
  }
  return [...first, ...postponed]
}
