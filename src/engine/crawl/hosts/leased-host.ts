// A lease at work: the urls in hand for one host, the requests under way, and when the next may start.

import { HEALTHY_HOST, type HostHealth, type HostReport, type Lease, type LeasedUrl } from '../../../ports/frontier.ts'
import type { HeadersExpectation } from '../../fetch/fetch-limits.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import { isLimited, lowerLimit, raiseLimit } from '../../politeness/concurrency-limit.ts'
import { computeGapMs, updateMeanMs } from '../../politeness/gap.ts'
import {
  classifyResponse,
  type HealthSettings,
  isSuspended,
  type ResponseClass,
  updateHealth,
} from '../../politeness/host-health.ts'
import { parseRetryAfterMs } from '../../politeness/retry-after.ts'
import type { WaitReason } from './host-waits.ts'

export interface PaceSettings extends HealthSettings {
  delayMs: number | 'auto'
  /** Requests at a time to one host, over all workers. */
  perHost: number
}

/** A request that has ended. */
export interface FinishedRequest {
  startedAt: number
  /** Requests of this lease under way when it began, with itself. */
  concurrentRequests: number
  /** Visits to its url made before, and how often it was put off before because the host was overloaded. */
  attempts: number
  deferrals: number
}

export interface RequestOutcome {
  responseClass: ResponseClass
  /** It was refused because the host has too much to do: nothing is held against its url. */
  isOverload: boolean
  /** The host paused because the answer had a Retry-After. */
  hasRetryAfter: boolean
}

/** A host that must not be asked for longer goes back, with what is left of its hand. */
const RELEASE_AFTER_MS = 1000
/** A dead host is to be found out in ten seconds. A slow page may take longer, and then holds up the other slots. */
const HANGING_MS = 9000
/** A host that has had no requests for this long starts with a clean record. */
const HEALTH_EXPIRY_MS = 10 * 60_000

export class LeasedHost {
  readonly lease: Lease
  readonly #pace: PaceSettings
  #urls: LeasedUrl[]
  #nextIndex = 0
  inFlight = 0
  /** Answers that have come and are not reported yet. */
  processing = 0
  /** Of these, documents that wait for a reader or are with one. */
  documents = 0
  nextAt: number
  responseMs: number
  health: HostHealth
  /** Requests at a time that the host takes; 0: no limit is known. */
  concurrencyLimit: number
  /** Refusals of requests from before are no reason to lower the limit again. */
  #loweredAt = Number.NEGATIVE_INFINITY
  /** The limit has changed since the store was told. */
  #hasLimitChanged = false
  /** The server the host was last known to live on. */
  address: string | null = null
  isAddressRequested = false
  /** Waits for the rules of the host. */
  isWaiting = false
  /** From robots.txt; wins when it is longer. */
  #crawlDelayMs = 0
  readonly #leasedAt: number
  /** What the gap counts from; null before the first request. */
  #lastRequestAt: number | null = null
  /** Since when requests are under way and none has ended; null while there are none. */
  #unansweredSince: number | null = null
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
    this.#urls = lease.urls
    this.nextAt = lease.notBefore
    this.responseMs = lease.responseMs
    this.health = initialHealth(lease, now)
    this.concurrencyLimit = lease.concurrencyLimit
    this.#leasedAt = now
  }

  get pendingUrls(): number {
    return this.#urls.length - this.#nextIndex
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.processing === 0 && this.pendingUrls === 0
  }

  get hasSlot(): boolean {
    return this.pendingUrls > 0 && !this.isWaiting && this.inFlight < (this.isSuspended ? 1 : this.slots)
  }

  /** Requests that may be under way at a time. */
  get slots(): number {
    return this.isLimited ? Math.min(this.lease.slots, Math.floor(this.concurrencyLimit)) : this.lease.slots
  }

  /** The host has refused requests that were too many at a time. */
  get isLimited(): boolean {
    return isLimited(this.concurrencyLimit, this.#pace.perHost)
  }

  /** Nobody else has slots of the host. */
  get #hasAllSlots(): boolean {
    return this.lease.slots >= this.#pace.perHost
  }

  /** The limit of a host is for one worker to keep, and this one has only some of its slots. */
  get mustRelease(): boolean {
    return this.isLimited && !this.#hasAllSlots
  }

  /** More could be asked at a time if the host took them. */
  get isLimitReached(): boolean {
    return this.pendingUrls > 0 && this.slots < this.lease.slots && this.inFlight >= this.slots
  }

  /** Requests are under way, more could be, and nothing is in hand for them. */
  get hasIdleSlots(): boolean {
    return this.pendingUrls === 0 && this.inFlight > 0 && this.inFlight < this.slots && !this.isSuspended
  }

  /** Nothing is left to do for it but documents, which may take long: meanwhile its pages are fetched. */
  get hasOnlyDocuments(): boolean {
    return this.pendingUrls === 0 && this.inFlight === 0 && this.processing > 0 && this.processing === this.documents
  }

  /** It has stopped answering: the next request only tries whether it does again. */
  get isSuspended(): boolean {
    return isSuspended(this.health)
  }

  get hasAnswered(): boolean {
    return this.responseMs > 0
  }

  /** How long it has left all its requests without a whole answer. */
  unansweredMs(now: number): number {
    return this.#unansweredSince === null ? 0 : now - this.#unansweredSince
  }

  /** So long that no more is asked of it before an answer comes, or a request is given up. */
  isHanging(now: number): boolean {
    return this.unansweredMs(now) >= HANGING_MS
  }

  isDown(now: number): boolean {
    return this.health.downUntil > now
  }

  canStart(now: number): boolean {
    return this.hasSlot && !this.isHanging(now) && now < this.startBefore && (this.nextAt <= now || this.isDown(now))
  }

  addUrls(urls: LeasedUrl[]): void {
    this.#urls = this.pendingUrls === 0 ? urls : [...this.#urls.slice(this.#nextIndex), ...urls]
    this.#nextIndex = 0
  }

  /** The url to be started next. */
  get nextUrl(): LeasedUrl | undefined {
    return this.#urls[this.#nextIndex]
  }

  /** Takes the next url out of the hand. */
  takeUrl(): void {
    this.#nextIndex += 1
  }

  /** A request is about to go out. */
  beginRequest(now: number): void {
    this.#unansweredSince ??= now
    this.inFlight += 1
    this.#lastRequestAt = now
    this.nextAt = now + this.gapMs
    this.isDirty = true
  }

  /** Of the request that has just begun. */
  expectationFor(url: string): HeadersExpectation {
    return { url, responseMs: this.responseMs, inFlight: this.inFlight, isOverloaded: this.isLimited }
  }

  /** Takes the delay that the rules ask for; it counts from the last request, which may have been for the rules. */
  applyCrawlDelay(crawlDelayMs: number): void {
    if (crawlDelayMs === this.#crawlDelayMs) return
    this.#crawlDelayMs = crawlDelayMs
    // Who had the host before us did not tell of this delay, so when they asked it last is not known either.
    const isNews = Math.floor(crawlDelayMs) > this.lease.gapMs
    const requestedAt = this.#lastRequestAt ?? (isNews ? this.#leasedAt : null)
    if (requestedAt !== null) this.nextAt = Math.max(this.nextAt, requestedAt + this.gapMs)
    this.isDirty = true
  }

  /** With one slot the gap counts from the end of the answer, which the server sees as a longer one. */
  finishRequest(
    result: FetchResult,
    now: number,
    finishedRequest: FinishedRequest,
    hasPausedBefore = false,
  ): RequestOutcome {
    const concurrentRequests = Math.max(finishedRequest.concurrentRequests, this.inFlight)
    this.inFlight -= 1
    this.#unansweredSince = this.inFlight > 0 ? now : null
    this.isDirty = true
    const responseClass = classifyResponse(result)
    const context = {
      startedAt: now - result.fetchMs,
      now,
      hasAnswered: this.hasAnswered,
      retryAfterMs: result.kind === 'failure' ? 0 : parseRetryAfterMs(result.retryAfter, now),
      attempts: finishedRequest.attempts,
      deferrals: finishedRequest.deferrals,
      hasPausedBefore,
      isAlone: this.#hasAllSlots && concurrentRequests === 1,
      isLimited: this.isLimited,
    }
    const { health, pauseUntil, isOverload, shouldLowerLimit } = updateHealth(
      this.health,
      responseClass,
      context,
      this.#pace,
    )
    this.health = health
    if (responseClass === 'good') this.#raiseLimit()
    else if (shouldLowerLimit && finishedRequest.startedAt > this.#loweredAt) this.#lowerLimit(concurrentRequests, now)
    // A host that answers at once took a millisecond: zero means that it never answered.
    if (result.kind === 'response') this.responseMs = updateMeanMs(this.responseMs, Math.max(1, result.fetchMs))
    if (this.lease.slots === 1) {
      this.#lastRequestAt = now
      this.nextAt = now + this.gapMs
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, pauseUntil)
    this.nextAt = Math.max(this.nextAt, pauseUntil)
    return { responseClass: responseClass, isOverload, hasRetryAfter: pauseUntil > 0 && context.retryAfterMs > 0 }
  }

  #raiseLimit(): void {
    if (!this.isLimited) return
    this.concurrencyLimit = raiseLimit(this.concurrencyLimit, this.#pace.perHost)
    this.#hasLimitChanged = true
  }

  #lowerLimit(concurrentRequests: number, now: number): void {
    this.concurrencyLimit = lowerLimit(this.concurrencyLimit, concurrentRequests)
    this.#loweredAt = now
    this.#hasLimitChanged = true
  }

  /** What the time before `nextAt` is for. */
  get pauseReason(): WaitReason {
    if (this.isSuspended) return 'no_answer'
    if (this.#pausedUntil > 0 && this.#pausedUntil >= this.nextAt) return 'cooldown'
    return this.#crawlDelayMs > 0 && this.#crawlDelayMs >= this.gapMs ? 'crawl_delay' : 'gap'
  }

  /** Nothing to do for a while: others shall have its place. */
  isResting(now: number): boolean {
    const isBusy = this.inFlight > 0 || this.processing > 0 || this.isWaiting
    return !isBusy && this.nextAt > now + RELEASE_AFTER_MS && !this.isDown(now)
  }

  /** Gives up what has not been started. */
  dropPending(): number {
    const dropped = this.pendingUrls
    this.#urls = []
    this.#nextIndex = 0
    return dropped
  }

  takeReport(): HostReport {
    this.isDirty = false
    const { responseMs, health, nextAt, gapMs } = this
    const concurrencyLimit = this.#hasLimitChanged ? this.concurrencyLimit : null
    this.#hasLimitChanged = false
    return { hostId: this.lease.hostId, nextAt, responseMs, gapMs, concurrencyLimit, health }
  }

  get gapMs(): number {
    return Math.max(computeGapMs(this.#pace.delayMs, this.responseMs), this.#crawlDelayMs)
  }
}

function initialHealth({ health, notBefore }: Lease, now: number): HostHealth {
  const isTroubled = health.failures > 0 || health.failureShare > 0
  const isOld = isTroubled && health.downUntil <= now && notBefore < now - HEALTH_EXPIRY_MS
  return isOld ? { ...HEALTHY_HOST, strikes: health.strikes } : health
}
