// All hosts that a crawl loop has leased, and the number of pending URLs over all of them.

import type { Lease } from '../../../ports/leases.ts'
import type { Throttle } from '../../politeness/throttle.ts'
import { findWaitReason, HostWaits, type WaitReason } from '../hosts/host-waits.ts'
import { type HostLoadSettings, LeasedHost } from '../hosts/leased-host.ts'
import type { CommitBuffer } from '../report/commit-buffer.ts'
import { NONE_WAITING, type PhaseSample } from '../stats/phase-recorder.ts'

export class LeasedHosts {
  readonly #settings: HostLoadSettings
  readonly #random: () => number
  readonly #byToken = new Map<number, LeasedHost>()
  readonly waits = new HostWaits()
  #pendingUrls = 0

  constructor(settings: HostLoadSettings, random: () => number) {
    this.#settings = settings
    this.#random = random
  }

  get size(): number {
    return this.#byToken.size
  }

  get pendingUrls(): number {
    return this.#pendingUrls
  }

  has(token: number): boolean {
    return this.#byToken.has(token)
  }

  /** A host may have several leases on different threads, and one on this. */
  find(name: string): LeasedHost | undefined {
    for (const host of this.#byToken.values()) if (host.lease.host === name) return host
    return undefined
  }

  tokens(): number[] {
    return [...this.#byToken.keys()]
  }

  values(): IterableIterator<LeasedHost> {
    return this.#byToken.values()
  }

  /** Adds a new lease, or more URLs to a known one. */
  add(lease: Lease, now: number): void {
    const known = this.#byToken.get(lease.token)
    if (known === undefined) this.#byToken.set(lease.token, new LeasedHost(lease, this.#settings, now, this.#random))
    else known.addUrls(lease.urls)
    this.#pendingUrls += lease.urls.length
  }

  /** Called when the store has granted or renewed these leases. */
  extend(tokens: number[], until: { startDeadline: number; endDeadline: number }): void {
    for (const token of tokens) {
      const host = this.#byToken.get(token)
      if (host === undefined) continue
      host.startDeadline = Math.max(host.startDeadline, until.startDeadline)
      host.endDeadline = Math.max(host.endDeadline, until.endDeadline)
    }
  }

  /** Removes the next pending URL of a host. */
  takeUrl(host: LeasedHost): void {
    host.takeUrl()
    this.#pendingUrls -= 1
  }

  /** Drops the pending URLs of one host. */
  dropPending(host: LeasedHost): void {
    this.#pendingUrls -= host.dropPending()
  }

  /** The policies of hosts have changed: these hosts are released once their requests have ended, and leased again. */
  releaseOutdated(hosts: LeasedHost[]): void {
    for (const host of hosts) {
      host.isOutdated = true
      this.dropPending(host)
    }
  }

  /** Drops all pending URLs. */
  dropAllPending(): void {
    for (const host of this.#byToken.values()) this.dropPending(host)
  }

  /** Releases hosts without URLs, and hosts that must wait long together with their pending URLs. */
  releaseIdle(commitBuffer: CommitBuffer, now: number): void {
    for (const [token, host] of this.#byToken) {
      if (host.mustWaitLong(now)) {
        this.waits.noteReleased(host.lease.host, host.pauseReason, host.nextAt)
        this.dropPending(host)
      }
      if (!host.isIdle) continue
      this.#byToken.delete(token)
      commitBuffer.addReleasedHost(host)
    }
  }

  /** Counts the hosts that could use a slot but have to wait, by reason. */
  countWaiting(throttle: Throttle, now: number): PhaseSample['waiting'] {
    const waiting: PhaseSample['waiting'] = { ...NONE_WAITING }
    for (const reason of this.waits.reasonsOfReleased(now)) waiting[toWaitingPhase(reason)] += 1
    for (const host of this.#byToken.values()) {
      if (host.isWaitingForHook) waiting.hooks += 1
      else if (host.isPreparing && host.inFlight === 0) waiting[host.address === null ? 'dns' : 'store'] += 1
      else {
        const reason = findWaitReason(host, throttle, now)
        // A host that is slow to respond has its slots taken, which are counted elsewhere.
        if (reason !== null && reason !== 'slow_answer') waiting[toWaitingPhase(reason)] += 1
      }
    }
    return waiting
  }

  /** The leases are lost: results are ignored, but each host is released only when its requests have ended. */
  fence(): void {
    for (const host of this.#byToken.values()) host.isFenced = true
    this.dropAllPending()
    this.#byToken.clear()
  }
}

function toWaitingPhase(reason: WaitReason): keyof PhaseSample['waiting'] {
  if (reason === 'documents' || reason === 'renderer' || reason === 'proxy' || reason === 'hooks') return reason
  return reason === 'no_answer' ? 'origin' : 'politeness'
}
