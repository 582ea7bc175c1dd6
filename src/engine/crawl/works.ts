// The leases of a crawl thread at work, and how many urls it has in hand over all of them.

import type { Lease } from '../../ports/frontier.ts'
import type { Throttle } from '../politeness/throttle.ts'
import { HostWork, type PaceSettings } from './host-work.ts'
import type { Outbox } from './outbox.ts'
import { type Look, NOTHING_WAITS } from './phases.ts'
import { type WaitReason, Waits, waitOf } from './waits.ts'

export class Works {
  readonly #pace: PaceSettings
  readonly #byToken = new Map<number, HostWork>()
  readonly waits = new Waits()
  #inHand = 0

  constructor(pace: PaceSettings) {
    this.#pace = pace
  }

  get size(): number {
    return this.#byToken.size
  }

  get inHand(): number {
    return this.#inHand
  }

  holds(token: number): boolean {
    return this.#byToken.has(token)
  }

  tokens(): number[] {
    return [...this.#byToken.keys()]
  }

  values(): IterableIterator<HostWork> {
    return this.#byToken.values()
  }

  /** A new lease, or more urls for one that is held. */
  add(lease: Lease, now: number): void {
    const held = this.#byToken.get(lease.token)
    if (held === undefined) this.#byToken.set(lease.token, new HostWork(lease, this.#pace, now))
    else held.add(lease.urls)
    this.#inHand += lease.urls.length
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
  takeFrom(work: HostWork): void {
    work.take()
    this.#inHand -= 1
  }

  /** Gives up what has not been started of one host. */
  dropHand(work: HostWork): void {
    this.#inHand -= work.dropHand()
  }

  /** Gives up everything that has not been started. */
  dropHands(): void {
    for (const work of this.#byToken.values()) this.dropHand(work)
  }

  /** Hosts without urls go back, and hosts that have to rest, with the urls they have. */
  releaseIdle(outbox: Outbox, now: number): void {
    for (const [token, work] of this.#byToken) {
      if (work.isResting(now)) {
        this.waits.noteHandedBack(work.lease.host, work.pauseReason, work.nextAt)
        this.dropHand(work)
      }
      if (!work.isIdle) continue
      this.#byToken.delete(token)
      outbox.addRelease(work)
    }
  }

  /** Hosts that could use a slot and have to wait, by what they wait for. */
  waiting(throttle: Throttle, now: number): Look['waiting'] {
    const waiting: Look['waiting'] = { ...NOTHING_WAITS }
    for (const reason of this.waits.reasonsHandedBack(now)) waiting[phaseOf(reason)] += 1
    for (const work of this.#byToken.values()) {
      if (work.isWaiting && work.inFlight === 0) waiting[work.address === null ? 'dns' : 'store'] += 1
      else {
        const reason = waitOf(work, throttle, now)
        // The slots of one that owes answers are taken, and seen as such.
        if (reason !== null && reason !== 'slow_answer') waiting[phaseOf(reason)] += 1
      }
    }
    return waiting
  }

  /** The leases are lost: what comes of their requests no longer counts, but nobody else shall ask before they end. */
  fence(): void {
    for (const work of this.#byToken.values()) work.isFenced = true
    this.dropHands()
    this.#byToken.clear()
  }
}

function phaseOf(reason: WaitReason): keyof Look['waiting'] {
  if (reason === 'documents') return 'documents'
  return reason === 'no_answer' ? 'origin' : 'politeness'
}
