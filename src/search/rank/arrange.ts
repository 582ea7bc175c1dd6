// From documents with scores to the order that people see: near duplicates under the best of them, and no host twice too
// often in the first ten. The same for every index.

import { distance, type Print, quartersOf } from './fingerprint.ts'

export interface Candidate {
  pageId: number
  host: string
  print: Print | null
  score: number
  /** Orders those of the same score. */
  changedAt: number
}

export type Arranged<C extends Candidate> = C & { similar: number }

export const MAX_DISTANCE = 3
const FIRST = 10
const OF_A_HOST = 2

/** Best first; newest first where the score is the same, then by id, so that the order is always the same. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || b.changedAt - a.changedAt || a.pageId - b.pageId
}

/** `sorted` has the best first; enough of them for what is wanted, so that the first of a list never depend on its length. */
export function arrange<C extends Candidate>(sorted: readonly C[], folds: boolean): Arranged<C>[] {
  if (!folds) return sorted.map((candidate) => ({ ...candidate, similar: 0 }))
  return spreadHosts(fold(sorted))
}

function fold<C extends Candidate>(sorted: readonly C[]): Arranged<C>[] {
  const kept: Arranged<C>[] = []
  const byQuarter = new Map<number, Arranged<C>[]>()
  for (const candidate of sorted) {
    const keys = candidate.print === null ? [] : quartersOf(candidate.print)
    const twin = findTwin(candidate, keys, byQuarter)
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

function findTwin<C extends Candidate>(
  { print }: C,
  keys: number[],
  byQuarter: ReadonlyMap<number, Arranged<C>[]>,
): Arranged<C> | undefined {
  if (print === null) return undefined
  for (const key of keys) {
    const twin = byQuarter
      .get(key)
      ?.find((other) => other.print !== null && distance(other.print, print) <= MAX_DISTANCE)
    if (twin !== undefined) return twin
  }
  return undefined
}

/** Those put off come right after the first ten, or among them when there are no others. */
function spreadHosts<C extends Candidate>(sorted: Arranged<C>[]): Arranged<C>[] {
  const first: Arranged<C>[] = []
  const rest: Arranged<C>[] = []
  const counts = new Map<string, number>()
  for (const candidate of sorted) {
    const count = counts.get(candidate.host) ?? 0
    if (first.length < FIRST && count < OF_A_HOST) {
      first.push(candidate)
      counts.set(candidate.host, count + 1)
    } else rest.push(candidate)
  }
  return [...first, ...rest]
}
