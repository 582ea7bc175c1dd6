// Everything that goes wrong in a world, as a list that can be printed, replayed and cut down.

import type { Random } from '../../../src/demo/random.ts'

/** Of the next call that a worker makes to the store. */
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

export const WORLD_FAULTS = ['crash', 'pause', 'restart', 'add worker', 'stop worker', 'set clock'] as const
/** What the owner of the crawls does to one of them, and takes back after a while; a crawl that is removed stays so. */
export const MOVES = ['pause crawl', 'block host', 'lower depth', 'remove crawl'] as const
export type Move = (typeof MOVES)[number]
export type FaultKind = CallFault | (typeof WORLD_FAULTS)[number] | Move

export const CALLS = ['lease', 'commit', 'renew', 'robots', 'beat'] as const
export type CallName = (typeof CALLS)[number]

export interface Fault {
  atMs: number
  kind: FaultKind
  /** Chooses among the workers, crawls and hosts that are there. */
  pick: number
  /** How long, how late, or by how much. */
  ms: number
  /** Which call, for faults of calls. */
  call: CallName
}

/** Longer than most crawls without faults take, with more of them early. */
const SPAN_MS = 15_000

export function makeFaults(random: Random, count: number): Fault[] {
  const kinds: FaultKind[] = [...CALL_FAULTS, 'crash', 'crash', 'pause', 'pause', ...WORLD_FAULTS.slice(2)]
  return Array.from({ length: count }, () => {
    const kind = random.pick(kinds)
    return {
      atMs: Math.floor(random.next() ** 2 * SPAN_MS),
      kind,
      pick: random.below(16),
      ms: kind === 'set clock' ? random.below(60_000) - 30_000 : 20 + Math.floor(random.next() ** 3 * 30_000),
      call: random.pick(['lease', 'commit', 'commit', 'commit', 'renew', 'robots'] as const),
    }
  }).sort((a, b) => a.atMs - b.atMs)
}

export function makeMoves(random: Random, count: number): Fault[] {
  return Array.from({ length: count }, () => ({
    atMs: Math.floor(random.next() ** 2 * SPAN_MS),
    kind: random.pick(MOVES),
    pick: random.below(16),
    ms: 20 + Math.floor(random.next() ** 2 * 40_000),
    call: 'lease',
  }))
}

export function isCallFault(kind: FaultKind): kind is CallFault {
  return (CALL_FAULTS as readonly string[]).includes(kind)
}

export function isMove(kind: FaultKind): kind is Move {
  return (MOVES as readonly string[]).includes(kind)
}

export function describeFault({ atMs, kind, pick, ms, call }: Fault): string {
  const what = isCallFault(kind) ? `${kind}: ${call}` : kind
  return `${String(atMs).padStart(6)} ms  ${what}  (worker ${pick}, ${ms} ms)`
}
