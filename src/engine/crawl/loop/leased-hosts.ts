// The leases of a crawl thread at host, and how many urls it has in hand over all of them.

import type { Lease } from '../../../ports/frontier.ts'
import type { Throttle } from '../../politeness/throttle.ts'
import { findWaitReason, HostWaits, type WaitReason } from '../hosts/host-waits.ts'
import { LeasedHost, type PaceSettings } from '../hosts/leased-host.ts'
import type { CommitBuffer } from '../report/commit-buffer.ts'
import { NONE_WAITING, type PhaseSample } from '../watch/phase-recorder.ts'

export class LeasedHosts {
  readonly #pace: PaceSettings
  readonly #byToken = new Map<number, LeasedHost>()
  readonly waits = new HostWaits()
  #pendingUrls = 0

  constructor(pace: PaceSettings) {
    this.#pace = pace
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

  tokens(): number[] {
    return [...this.#byToken.keys()]
  }

  values(): IterableIterator<LeasedHost> {
    return this.#byToken.values()
  }

  /** A new lease, or more urls for one that is held. */
  add(lease: Lease, now: number): void {
    const held = this.#byToken.get(lease.token)
    if (held === undefined) this.#byToken.set(lease.token, new LeasedHost(lease, this.#pace, now))
    else held.addUrls(lease.urls)
    this.#pendingUrls += lease.urls.length
  }

  /** The store has granted or renewed these leases. */
  extend(tokens: number[], until: { startBefore: number; endBefore: number }): void {
    for (const token of tokens) {
      const host = this.#byToken.get(token)
      if (host === undefined) continue
      host.startBefore = Math.max(host.startBefore, until.startBefore)
      host.endBefore = Math.max(host.endBefore, until.endBefore)
    }
  }

  /** Takes the next url out of a hand. */
  takeUrl(host: LeasedHost): void {
    host.takeUrl()
    this.#pendingUrls -= 1
  }

  /** Gives up what has not been started of one host. */
  dropPending(host: LeasedHost): void {
    this.#pendingUrls -= host.dropPending()
  }

  /** Gives up everything that has not been started. */
  dropAllPending(): void {
    for (const host of this.#byToken.values()) this.dropPending(host)
  }

  /** Hosts without urls go back, and hosts that have to rest, with the urls they have. */
  releaseIdle(commitBuffer: CommitBuffer, now: number): void {
    for (const [token, host] of this.#byToken) {
      if (host.isResting(now)) {
        this.waits.noteReleased(host.lease.host, host.pauseReason, host.nextAt)
        this.dropPending(host)
      }
      if (!host.isIdle) continue
      this.#byToken.delete(token)
      commitBuffer.addReleasedHost(host)
    }
  }

  /** Hosts that could use a slot and have to wait, by what they wait for. */
  countWaiting(throttle: Throttle, now: number): PhaseSample['waiting'] {
    const waiting: PhaseSample['waiting'] = { ...NONE_WAITING }
    for (const reason of this.waits.reasonsOfReleased(now)) waiting[toWaitingPhase(reason)] += 1
    for (const host of this.#byToken.values()) {
      if (host.isWaiting && host.inFlight === 0) waiting[host.address === null ? 'dns' : 'store'] += 1
      else {
        const reason = findWaitReason(host, throttle, now)
        // The slots of one that owes answers are taken, and seen as such.
        if (reason !== null && reason !== 'slow_answer') waiting[toWaitingPhase(reason)] += 1
      }
    }
    return waiting
  }

  /** The leases are lost: what comes of their requests no longer counts, but nobody else shall ask before they end. */
  fence(): void {
    for (const host of this.#byToken.values()) host.isFenced = true
    this.dropAllPending()
    this.#byToken.clear()
  }
}

function toWaitingPhase(reason: WaitReason): keyof PhaseSample['waiting'] {
  if (reason === 'documents') return 'documents'
  return reason === 'no_answer' ? 'origin' : 'politeness'
}
