// A lease at work: the urls in hand for one host, the requests under way, and when the next may start.

import type { HostReport, Lease, LeasedUrl } from '../../ports/frontier.ts'
import { gapMs, meanResponse } from './pace.ts'

export class HostWork {
  readonly lease: Lease
  readonly #delayMs: number | 'auto'
  #hand: LeasedUrl[]
  #next = 0
  inFlight = 0
  nextAt: number
  responseMs: number
  /** Waits for the rules of the host. */
  isWaiting = false
  /** From robots.txt; wins when it is longer. */
  crawlDelayMs = 0
  /** The lease was lost: what comes of its requests no longer counts. */
  isFenced = false
  /** Something to report with the next commit. */
  isDirty = false

  constructor(lease: Lease, delayMs: number | 'auto') {
    this.lease = lease
    this.#delayMs = delayMs
    this.#hand = lease.urls
    this.nextAt = lease.notBefore
    this.responseMs = lease.responseMs
  }

  get inHand(): number {
    return this.#hand.length - this.#next
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.inHand === 0
  }

  canStart(now: number): boolean {
    return this.inHand > 0 && !this.isWaiting && this.inFlight < this.lease.slots && this.nextAt <= now
  }

  add(urls: LeasedUrl[]): void {
    this.#hand = this.inHand === 0 ? urls : [...this.#hand.slice(this.#next), ...urls]
    this.#next = 0
  }

  /** The url to be started next. */
  get next(): LeasedUrl | undefined {
    return this.#hand[this.#next]
  }

  /** Takes the next url out of the hand. */
  take(): void {
    this.#next += 1
  }

  /** A request is about to go out. */
  begin(now: number): void {
    this.inFlight += 1
    this.nextAt = now + this.#gap()
    this.isDirty = true
  }

  /** With one slot the gap counts from the end of the answer, which the server sees as a longer one. */
  finish(fetchMs: number, now: number): void {
    this.inFlight -= 1
    this.responseMs = meanResponse(this.responseMs, fetchMs)
    if (this.lease.slots === 1) this.nextAt = now + this.#gap()
    this.isDirty = true
  }

  /** Gives up what has not been started. */
  dropHand(): number {
    const dropped = this.inHand
    this.#hand = []
    this.#next = 0
    return dropped
  }

  report(): HostReport {
    this.isDirty = false
    return { hostId: this.lease.hostId, nextAt: this.nextAt, responseMs: this.responseMs, gapMs: this.#gap() }
  }

  #gap(): number {
    return Math.max(gapMs(this.#delayMs, this.responseMs), this.crawlDelayMs)
  }
}
