// Why a crawl is not faster right now: what each host waits for. Computed only on request, so it costs the crawl
// nothing. A wait is listed for a second after its end: a host with a gap waits most of the time, and a view that
// refreshes ten times a second would flicker.

import type { Throttle } from '../../politeness/throttle.ts'
import type { LeasedHost } from './leased-host.ts'

export const WAIT_REASONS = [
  'no_answer',
  'slow_answer',
  'cooldown',
  'fewer_at_a_time',
  'crawl_delay',
  'policy',
  'max_rate',
  'per_ip',
  'gap',
  'documents',
  'renderer',
  'proxy',
  'hooks',
] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** The hosts that wait for one reason, and the one that waits longest. */
export interface HostWait {
  reason: WaitReason
  hosts: number
  host: string
  /** Remaining wait of `host`; 0 if unknown. */
  leftMs: number
}

const LINGER_MS = 1000
/** A host without a response for this long is listed as slow. */
const SLOW_MS = 2000
const MAX_HOSTS = 1000

export class HostWaits {
  readonly #byHost = new Map<string, { reason: WaitReason; until: number; isReleased: boolean }>()

  /** Records a host that was released because it has to wait for long. */
  noteReleased(host: string, reason: WaitReason, until: number): void {
    this.#note(host, { reason, until, isReleased: true })
  }

  /** Reasons of the released hosts that still wait. */
  *reasonsOfReleased(now: number): Generator<WaitReason, void, undefined> {
    for (const { reason, until, isReleased } of this.#byHost.values()) if (isReleased && until > now) yield reason
  }

  /** Waits in the order of `WAIT_REASONS`. */
  list(hosts: Iterable<LeasedHost>, throttle: Throttle, now: number): HostWait[] {
    for (const host of hosts) {
      const reason = findWaitReason(host, throttle, now)
      if (reason === null) continue
      const until = reason === 'slow_answer' ? now : Math.max(now, host.nextAt)
      this.#note(host.lease.host, { reason, until, isReleased: false })
    }
    const waits = new Map<WaitReason, HostWait>()
    for (const [host, { reason, until }] of this.#byHost) {
      if (until <= now - LINGER_MS) this.#byHost.delete(host)
      else addWait(waits, { reason, hosts: 1, host, leftMs: Math.max(0, until - now) })
    }
    return sortByReason(waits)
  }

  #note(host: string, wait: { reason: WaitReason; until: number; isReleased: boolean }): void {
    if (this.#byHost.size >= MAX_HOSTS && !this.#byHost.has(host)) return
    this.#byHost.set(host, wait)
  }
}

export function findWaitReason(host: LeasedHost, throttle: Throttle, now: number): WaitReason | null {
  if (host.unansweredMs(now) >= SLOW_MS) return 'slow_answer'
  if (host.isWaitingForHook) return 'hooks'
  if (host.hasOnlyWaitingVisits) {
    // A faster reader would not help before the gap is over.
    if (host.nextAt > now) return host.pauseReason
    return host.documents > 0 ? 'documents' : host.rendering > 0 ? 'renderer' : 'hooks'
  }
  if (host.isLimitReached) return 'fewer_at_a_time'
  if (!host.hasHostSlot) return null
  if (host.nextAt > now) return host.pauseReason
  if (throttle.nextAt > now) return 'max_rate'
  return throttle.hasRoomFor(host.address) ? null : 'per_ip'
}

/** Merges the waits of several threads. */
export function mergeWaits(lists: HostWait[][]): HostWait[] {
  const merged = new Map<WaitReason, HostWait>()
  for (const hostWait of lists.flat()) addWait(merged, hostWait)
  return sortByReason(merged)
}

function addWait(waits: Map<WaitReason, HostWait>, hostWait: HostWait): void {
  const known = waits.get(hostWait.reason)
  if (known === undefined) return void waits.set(hostWait.reason, hostWait)
  const longest = hostWait.leftMs > known.leftMs ? hostWait : known
  waits.set(hostWait.reason, { ...longest, hosts: known.hosts + hostWait.hosts })
}

function sortByReason(waits: Map<WaitReason, HostWait>): HostWait[] {
  return WAIT_REASONS.flatMap((reason) => waits.get(reason) ?? [])
}
