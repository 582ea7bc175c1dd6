// All faults of a simulation, as a list that can be printed, replayed and shrunk.

import type { SeededRandom } from '../../../src/lib/seeded-random.ts'

/** Faults of the next call that a worker makes to the store. */
export const CALL_FAULTS = [
  'request lost',
  'reply lost',
  'request late',
  'reply late',
  'delivered twice',
  'error before',
  'error after',
] as const
export type CallFault = (typeof CALL_FAULTS)[number]

export const CLUSTER_FAULTS = ['crash', 'pause', 'restart', 'add worker', 'stop worker', 'set clock'] as const
/** Actions of the owner on a crawl, which are reverted after a while; a removed crawl stays removed. */
export const OWNER_ACTIONS = ['pause crawl', 'block host', 'lower depth', 'remove crawl'] as const
export type OwnerAction = (typeof OWNER_ACTIONS)[number]
export type FaultKind = CallFault | (typeof CLUSTER_FAULTS)[number] | OwnerAction

export const STORE_CALLS = ['lease', 'commit', 'renew', 'robots', 'beat'] as const
export type StoreCall = (typeof STORE_CALLS)[number]

export interface PlannedFault {
  atMs: number
  kind: FaultKind
  /** Selects among the existing workers, crawls and hosts. */
  pick: number
  /** How long, how late, or how far, depending on the kind. */
  ms: number
  /** The affected call, for call faults. */
  call: StoreCall
}

/** Longer than most crawls without faults take, with more of them early. */
const SPAN_MS = 15_000

export function makeFaults(seededRandom: SeededRandom, count: number): PlannedFault[] {
  const kinds: FaultKind[] = [...CALL_FAULTS, 'crash', 'crash', 'pause', 'pause', ...CLUSTER_FAULTS.slice(2)]
  return Array.from({ length: count }, () => {
    const kind = seededRandom.pick(kinds)
    return {
      atMs: Math.floor(seededRandom.next() ** 2 * SPAN_MS),
      kind,
      pick: seededRandom.below(16),
      ms:
        kind === 'set clock' ? seededRandom.below(60_000) - 30_000 : 20 + Math.floor(seededRandom.next() ** 3 * 30_000),
      call: seededRandom.pick(['lease', 'commit', 'commit', 'commit', 'renew', 'robots'] as const),
    }
  }).sort((a, b) => a.atMs - b.atMs)
}

export function makeOwnerActions(seededRandom: SeededRandom, count: number): PlannedFault[] {
  return Array.from({ length: count }, () => ({
    atMs: Math.floor(seededRandom.next() ** 2 * SPAN_MS),
    kind: seededRandom.pick(OWNER_ACTIONS),
    pick: seededRandom.below(16),
    ms: 20 + Math.floor(seededRandom.next() ** 2 * 40_000),
    call: 'lease',
  }))
}

export function isCallFault(kind: FaultKind): kind is CallFault {
  return (CALL_FAULTS as readonly string[]).includes(kind)
}

export function isOwnerAction(kind: FaultKind): kind is OwnerAction {
  return (OWNER_ACTIONS as readonly string[]).includes(kind)
}

export function describeFault({ atMs, kind, pick, ms, call }: PlannedFault): string {
  const what = isCallFault(kind) ? `${kind}: ${call}` : kind
  return `${String(atMs).padStart(6)} ms  ${what}  (worker ${pick}, ${ms} ms)`
}
