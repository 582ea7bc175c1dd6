// From documents with scores to the order that people see: near duplicates under the best of them, and no host twice too
// often in the first ten. The same for every index.

import { NEAR_BITS } from '../../engine/text/fingerprint.ts'
import { type FingerprintHalves, hammingDistance, quartersOf } from './fingerprint.ts'

export interface Candidate {
  pageId: number
  host: string
  fingerprint: FingerprintHalves | null
  score: number
  /** Orders those of the same score. */
  changedAt: number
}

export type ArrangedHit<C extends Candidate> = C & { similar: number }

const DIVERSIFIED_HITS = 10
const MAX_PER_HOST = 2

/** Best first; newest first where the score is the same, then by id, so that the order is always the same. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || b.changedAt - a.changedAt || a.pageId - b.pageId
}

/** `sorted` has the best first; enough of them for what is wanted, so that the first of a list never depend on its length. */
export function arrangeHits<C extends Candidate>(sorted: readonly C[], folds: boolean): ArrangedHit<C>[] {
  if (!folds) return sorted.map((candidate) => ({ ...candidate, similar: 0 }))
  return diversifyHosts(groupNearDuplicates(sorted))
}

function groupNearDuplicates<C extends Candidate>(sorted: readonly C[]): ArrangedHit<C>[] {
  const kept: ArrangedHit<C>[] = []
  const byQuarter = new Map<number, ArrangedHit<C>[]>()
  for (const candidate of sorted) {
    const keys = candidate.fingerprint === null ? [] : quartersOf(candidate.fingerprint)
    const twin = findNearDuplicate(candidate, keys, byQuarter)
    if (twin !== undefined) {
      twin.similar += 1
      continue
    }
    const arranged = { ...candidate, similar: 0 }
    kept.push(arranged)
    for (const key of keys) {
      const others = byQuarter.get(key)
      if (others === undefined) byQuarter.set(key, [arranged])
      else others.push(arranged)
    }
  }
  return kept
}

function findNearDuplicate<C extends Candidate>(
  { fingerprint }: C,
  keys: number[],
  byQuarter: ReadonlyMap<number, ArrangedHit<C>[]>,
): ArrangedHit<C> | undefined {
  if (fingerprint === null) return undefined
  for (const key of keys) {
    const twin = byQuarter
      .get(key)
      ?.find((other) => other.fingerprint !== null && hammingDistance(other.fingerprint, fingerprint) <= NEAR_BITS)
    if (twin !== undefined) return twin
  }
  return undefined
}

/** Those put off come right after the first ten, or among them when there are no others. */
function diversifyHosts<C extends Candidate>(sorted: ArrangedHit<C>[]): ArrangedHit<C>[] {
  const first: ArrangedHit<C>[] = []
  const rest: ArrangedHit<C>[] = []
  const counts = new Map<string, number>()
  for (const candidate of sorted) {
    const count = counts.get(candidate.host) ?? 0
    if (first.length < DIVERSIFIED_HITS && count < MAX_PER_HOST) {
      first.push(candidate)
      counts.set(candidate.host, count + 1)
    } else rest.push(candidate)
  }
  return [...first, ...rest]
}
