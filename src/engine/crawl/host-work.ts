// A lease at work: the urls in hand for one host, the requests under way, and when the next may start.

import { HEALTHY, type HostHealth, type HostReport, type Lease, type LeasedUrl } from '../../ports/frontier.ts'
import type { FetchResult } from '../fetch/result.ts'
import { afterReception, type HealthSettings, isSetAside, type Reception, receptionOf } from '../politeness/health.ts'
import { gapMs, meanResponse } from '../politeness/pace.ts'
import { retryAfterMs } from './verdict.ts'
import type { WaitReason } from './waits.ts'

export interface PaceSettings extends HealthSettings {
  delayMs: number | 'auto'
}

/** A host that must not be asked for longer goes back, with what is left of its hand. */
const REST_MS = 1000
/** A dead host is to be found out in ten seconds. A slow page may take longer, and then holds up the other slots. */
const MUTE_MS = 9000
/** Silence is no longer held against a host that nobody has asked for so long. */
const FORGET_MS = 10 * 60_000

export class HostWork {
  readonly lease: Lease
  readonly #pace: PaceSettings
  #hand: LeasedUrl[]
  #next = 0
  inFlight = 0
  /** Answers that have come and are not reported yet. */
  reading = 0
  /** Of these, documents that wait for a reader or are with one. */
  documents = 0
  nextAt: number
  responseMs: number
  health: HostHealth
  /** The server the host was last known to live on. */
  address: string | null = null
  isAddressSought = false
  /** Waits for the rules of the host. */
  isWaiting = false
  /** From robots.txt; wins when it is longer. */
  #crawlDelayMs = 0
  readonly #leasedAt: number
  /** What the gap counts from; null before the first request. */
  #askedAt: number | null = null
  /** Since when requests are under way and none has ended; null while there are none. */
  #owesSince: number | null = null
  /** End of the pause after a refusal or failure. */
  #pausedUntil = 0
  /** Nothing starts from then on unless the lease is renewed: a request shall be over before others may get the host. */
  startBefore = 0
  /** A request that is under way then is ended: others may get the host soon after. */
  endBefore = 0
  /** The lease was lost: what comes of its requests no longer counts. */
  isFenced = false
  /** Something to report with the next commit. */
  isDirty = false

  constructor(lease: Lease, pace: PaceSettings, now: number) {
    this.lease = lease
    this.#pace = pace
    this.#hand = lease.urls
    this.nextAt = lease.notBefore
    this.responseMs = lease.responseMs
    this.health = remembered(lease, now)
    this.#leasedAt = now
  }

  get inHand(): number {
    return this.#hand.length - this.#next
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.reading === 0 && this.inHand === 0
  }

  get hasSlot(): boolean {
    return this.inHand > 0 && !this.isWaiting && this.inFlight < (this.isSetAside ? 1 : this.lease.slots)
  }

  /** Requests are under way, more could be, and nothing is in hand for them. */
  get hasIdleSlots(): boolean {
    return this.inHand === 0 && this.inFlight > 0 && this.inFlight < this.lease.slots && !this.isSetAside
  }

  /** Nothing is left to do for it but documents, which may take long: meanwhile its pages are fetched. */
  get hasOnlyDocuments(): boolean {
    return this.inHand === 0 && this.inFlight === 0 && this.reading > 0 && this.reading === this.documents
  }

  /** It has stopped answering: the next request only tries whether it does again. */
  get isSetAside(): boolean {
    return isSetAside(this.health)
  }

  get hasAnswered(): boolean {
    return this.responseMs > 0
  }

  /** How long it has left all its requests without a whole answer. */
  owesMs(now: number): number {
    return this.#owesSince === null ? 0 : now - this.#owesSince
  }

  /** So long that no more is asked of it before an answer comes, or a request is given up. */
  isMute(now: number): boolean {
    return this.owesMs(now) >= MUTE_MS
  }

  isDown(now: number): boolean {
    return this.health.downUntil > now
  }

  canStart(now: number): boolean {
    return this.hasSlot && !this.isMute(now) && now < this.startBefore && (this.nextAt <= now || this.isDown(now))
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
    this.#owesSince ??= now
    this.inFlight += 1
    this.#askedAt = now
    this.nextAt = now + this.gapMs
    this.isDirty = true
  }

  /** Takes the delay that the rules ask for; it counts from the last request, which may have been for the rules. */
  heedDelay(crawlDelayMs: number): void {
    if (crawlDelayMs === this.#crawlDelayMs) return
    this.#crawlDelayMs = crawlDelayMs
    // Who had the host before us did not tell of this delay, so when they asked it last is not known either.
    const isNews = Math.floor(crawlDelayMs) > this.lease.gapMs
    const askedAt = this.#askedAt ?? (isNews ? this.#leasedAt : null)
    if (askedAt !== null) this.nextAt = Math.max(this.nextAt, askedAt + this.gapMs)
    this.isDirty = true
  }

  /** With one slot the gap counts from the end of the answer, which the server sees as a longer one. */
  finish(result: FetchResult, now: number): Reception {
    this.inFlight -= 1
    this.#owesSince = this.inFlight > 0 ? now : null
    this.isDirty = true
    const reception = receptionOf(result)
    const moment = {
      startedAt: now - result.fetchMs,
      now,
      hasAnswered: this.hasAnswered,
      hintMs: result.kind === 'failure' ? 0 : retryAfterMs(result.retryAfter, now),
    }
    const { health, holdUntil } = afterReception(this.health, reception, moment, this.#pace)
    this.health = health
    // A host that answers at once took a millisecond: zero means that it never answered.
    if (result.kind === 'response') this.responseMs = meanResponse(this.responseMs, Math.max(1, result.fetchMs))
    if (this.lease.slots === 1) {
      this.#askedAt = now
      this.nextAt = now + this.gapMs
    }
    this.#pausedUntil = holdUntil
    this.nextAt = Math.max(this.nextAt, holdUntil)
    return reception
  }

  /** What the time before `nextAt` is for. */
  get pauseReason(): WaitReason {
    if (this.isSetAside) return 'no_answer'
    if (this.#pausedUntil > 0 && this.#pausedUntil >= this.nextAt) return 'cooldown'
    return this.#crawlDelayMs > 0 && this.#crawlDelayMs >= this.gapMs ? 'crawl_delay' : 'gap'
  }

  /** Nothing to do for a while: others shall have its place. */
  isResting(now: number): boolean {
    const isBusy = this.inFlight > 0 || this.reading > 0 || this.isWaiting
    return !isBusy && this.nextAt > now + REST_MS && !this.isDown(now)
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
    const { responseMs, health, nextAt } = this
    return { hostId: this.lease.hostId, nextAt, responseMs, gapMs: this.gapMs, health }
  }

  get gapMs(): number {
    return Math.max(gapMs(this.#pace.delayMs, this.responseMs), this.#crawlDelayMs)
  }
}

function remembered({ health, notBefore }: Lease, now: number): HostHealth {
  const isOld = health.failures > 0 && health.downUntil <= now && notBefore < now - FORGET_MS
  return isOld ? { ...HEALTHY, strikes: health.strikes } : health
}
