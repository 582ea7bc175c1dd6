// The leases of a crawl thread at work, and how many urls it has in hand over all of them.

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
      const work = this.#byToken.get(token)
      if (work === undefined) continue
      work.startBefore = Math.max(work.startBefore, until.startBefore)
      work.endBefore = Math.max(work.endBefore, until.endBefore)
    }
  }

  /** Takes the next url out of a hand. */
  takeUrl(work: LeasedHost): void {
    work.takeUrl()
    this.#pendingUrls -= 1
  }

  /** Gives up what has not been started of one host. */
  dropPending(work: LeasedHost): void {
    this.#pendingUrls -= work.dropPending()
  }

  /** Gives up everything that has not been started. */
  dropAllPending(): void {
    for (const work of this.#byToken.values()) this.dropPending(work)
  }

  /** Hosts without urls go back, and hosts that have to rest, with the urls they have. */
  releaseIdle(commitBuffer: CommitBuffer, now: number): void {
    for (const [token, work] of this.#byToken) {
      if (work.isResting(now)) {
        this.waits.noteReleased(work.lease.host, work.pauseReason, work.nextAt)
        this.dropPending(work)
      }
      if (!work.isIdle) continue
      this.#byToken.delete(token)
      commitBuffer.addReleasedHost(work)
    }
  }

  /** Hosts that could use a slot and have to wait, by what they wait for. */
  countWaiting(throttle: Throttle, now: number): PhaseSample['waiting'] {
    const waiting: PhaseSample['waiting'] = { ...NONE_WAITING }
    for (const reason of this.waits.reasonsOfReleased(now)) waiting[toWaitingPhase(reason)] += 1
    for (const work of this.#byToken.values()) {
      if (work.isWaiting && work.inFlight === 0) waiting[work.address === null ? 'dns' : 'store'] += 1
      else {
        const reason = findWaitReason(work, throttle, now)
        // The slots of one that owes answers are taken, and seen as such.
        if (reason !== null && reason !== 'slow_answer') waiting[toWaitingPhase(reason)] += 1
      }
    }
    return waiting
  }

  /** The leases are lost: what comes of their requests no longer counts, but nobody else shall ask before they end. */
  fence(): void {
    for (const work of this.#byToken.values()) work.isFenced = true
    this.dropAllPending()
    this.#byToken.clear()
  }
}

function toWaitingPhase(reason: WaitReason): keyof PhaseSample['waiting'] {
  if (reason === 'documents') return 'documents'
  return reason === 'no_answer' ? 'origin' : 'politeness'
}
