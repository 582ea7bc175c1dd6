// When the next request to a leased host may start. It waits for the gap (set by the user, derived from response times, or
// the crawl delay of robots.txt), for the rate of its policy, and for pauses after refusals and failures.

import type { Lease } from '../../../ports/leases.ts'
import { computeGapMs, updateMeanMs } from '../../politeness/gap.ts'
import { TokenBucket } from '../../politeness/token-bucket.ts'
import type { WaitReason } from './host-waits.ts'

export interface PaceSettings {
  delayMs: number | 'auto'
  /** Random time that is added to each gap, up to this value; it at most doubles the gap. */
  jitterMs: number
}

export class HostPace {
  nextAt: number
  /** Mean response time; 0 if the host has never responded. */
  responseMs: number
  readonly #lease: Lease
  readonly #settings: PaceSettings
  readonly #random: () => number
  /** Null if no policy of the host limits its rate. */
  readonly #bucket: TokenBucket | null
  /** Crawl delay of robots.txt; applies if it is longer than the gap. */
  #crawlDelayMs = 0
  readonly #leasedAt: number
  /** Start of the gap; null before the first request. */
  #lastRequestAt: number | null = null
  #pausedUntil = 0
  /** Until then, all proxies of the host are set aside. */
  #proxyPausedUntil = 0

  constructor(lease: Lease, settings: PaceSettings, now: number, random: () => number) {
    this.#lease = lease
    this.#settings = settings
    this.#random = random
    const rate = lease.policy?.rate ?? null
    this.#bucket = rate === null ? null : new TokenBucket(rate, lease.nextAt)
    this.nextAt = lease.nextAt
    this.responseMs = lease.responseMs
    this.#leasedAt = now
    // The previous holder may not have known the delay of the policy. Its last request was at least its gap before `nextAt`.
    const isKnown = lease.nextAt > 0
    if (lease.policy !== null && isKnown) this.nextAt += Math.max(0, this.gapMs - lease.gapMs)
  }

  get gapMs(): number {
    return Math.max(computeGapMs(this.#settings.delayMs, this.responseMs), this.#crawlDelayMs)
  }

  /** At least the interval of the rate, so that the rate survives a crash just as the gap does. */
  get reportedGapMs(): number {
    return Math.max(this.gapMs, this.#bucket?.intervalMs ?? 0)
  }

  beginRequest(now: number): void {
    this.#bucket?.take(now)
    this.startGap(now)
  }

  /** Called when a request starts, and with a single slot also when it ends, so that the server sees a longer gap. */
  startGap(from: number): void {
    this.#lastRequestAt = from
    const jitterMs = Math.min(this.#settings.jitterMs, this.gapMs) * this.#random()
    this.nextAt = Math.max(from + this.gapMs + jitterMs, this.#bucket?.nextAt ?? 0)
  }

  addResponse(fetchMs: number): void {
    // At least 1 ms: 0 means that the host never responded.
    this.responseMs = updateMeanMs(this.responseMs, Math.max(1, fetchMs))
  }

  pause(until: number, proxyUntil: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
    this.#proxyPausedUntil = proxyUntil
    this.nextAt = Math.max(this.nextAt, until, proxyUntil)
  }

  /** The crawl delay runs from the last request, which may have been for robots.txt. Returns whether the delay has changed. */
  applyCrawlDelay(crawlDelayMs: number): boolean {
    if (crawlDelayMs === this.#crawlDelayMs) return false
    this.#crawlDelayMs = crawlDelayMs
    // The previous holder of the host did not know this delay, so `nextAt` of the lease does not include it.
    const isNewDelay = Math.floor(crawlDelayMs) > this.#lease.gapMs
    const gapStart = this.#lastRequestAt ?? (isNewDelay ? this.#leasedAt : null)
    if (gapStart !== null) this.nextAt = Math.max(this.nextAt, gapStart + this.gapMs)
    return true
  }

  /** Why the host waits until `nextAt`. */
  waitReason({ isSuspended, failures }: { isSuspended: boolean; failures: number }): WaitReason {
    if (this.#proxyPausedUntil > 0 && this.#proxyPausedUntil >= this.nextAt) return 'proxy'
    if (isSuspended) return 'no_answer'
    const isPaused = this.#pausedUntil > 0 && this.#pausedUntil >= this.nextAt
    if (isPaused) return failures > 0 ? 'no_answer' : 'cooldown'
    if (this.#crawlDelayMs > 0 && this.#crawlDelayMs >= this.gapMs) return 'crawl_delay'
    const isByRate = this.#bucket !== null && this.#bucket.nextAt >= this.nextAt
    return isByRate || this.#lease.policy?.isDelayFromPolicy === true ? 'policy' : 'gap'
  }
}
