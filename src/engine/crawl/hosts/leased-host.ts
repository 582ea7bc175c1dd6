// A host under lease: its pending URLs, its requests in flight, and when the next request may start.
//
// The host's pace comes from three sources: the gap (set by the user, derived from response times, or by a crawl
// delay), pauses after refusals and failures (host health), and the concurrency limit learned from refusals. A policy of the
// host replaces the settings of the crawl, and may add a rate.

import type { HostHealth, HostReport, Lease, LeasedUrl } from '../../../ports/frontier.ts'
import type { HeadersExpectation } from '../../fetch/fetch-limits.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import { isLimited, lowerLimit, raiseLimit } from '../../politeness/concurrency-limit.ts'
import { computeGapMs, updateMeanMs } from '../../politeness/gap.ts'
import {
  classifyResponse,
  expireHealth,
  type HealthSettings,
  isSuspended,
  type ResponseClass,
  updateHealth,
} from '../../politeness/host-health.ts'
import { parseRetryAfterMs } from '../../politeness/retry-after.ts'
import { TokenBucket } from '../../politeness/token-bucket.ts'
import type { WaitReason } from './host-waits.ts'

export interface HostLoadSettings extends HealthSettings {
  delayMs: number | 'auto'
  /** Each gap is longer by a random time up to this, and at most doubled. */
  jitterMs: number
  /** Concurrent requests to one host, over all workers. */
  perHost: number
}

export interface FinishedRequest {
  startedAt: number
  /** Requests of this lease in flight when it started, including itself. */
  concurrentRequests: number
  /** Earlier visits to its URL, and how often the URL was postponed because the host was overloaded. */
  attempts: number
  postponements: number
}

export interface RequestOutcome {
  responseClass: ResponseClass
  /** The host refused because it is overloaded; this does not count against the URL. */
  isOverload: boolean
  /** The next request for the URL has to be the only one of the host. */
  mustRetryAlone: boolean
  /** The host is paused because of a Retry-After header. */
  hasRetryAfter: boolean
}

/** A host that must wait longer than this is released with its pending URLs. */
const RELEASE_AFTER_MS = 1000
/** Dead hosts must be found within ten seconds. A slow page may take longer, and then blocks its host's other slots. */
const HANGING_MS = 9000

export class LeasedHost {
  readonly lease: Lease
  readonly #settings: HostLoadSettings
  readonly #random: () => number
  /** Null if no policy of the host limits its rate. */
  readonly #bucket: TokenBucket | null
  #urls: LeasedUrl[]
  #nextIndex = 0
  inFlight = 0
  /** Responses received and not reported yet. */
  processing = 0
  /** Those of them that wait for a document reader, the renderer or a hook, or are being read by one. */
  documents = 0
  rendering = 0
  inHooks = 0
  nextAt: number
  responseMs: number
  health: HostHealth
  /** Concurrent requests that the host accepts; 0 if no limit is known. */
  concurrencyLimit: number
  /** Refusals of requests started before this do not lower the limit again. */
  #loweredAt = Number.NEGATIVE_INFINITY
  /** The limit has changed since the last host report. */
  #hasLimitChanged = false
  /** No request starts until those in flight have ended. */
  #isDraining = false
  /** Last known address of the host's server. */
  address: string | null = null
  isAddressRequested = false
  /** Waits for the address of the host, its robots.txt rules or a hook. */
  isWaiting = false
  isWaitingForHook = false
  /** From robots.txt; applies if it is longer than the gap. */
  #crawlDelayMs = 0
  readonly #leasedAt: number
  /** Start of the gap; null before the first request. */
  #lastRequestAt: number | null = null
  /** Since when requests are in flight without any of them ending; null if none is in flight. */
  #unansweredSince: number | null = null
  #pausedUntil = 0
  /** All proxies of the host are set aside until then. */
  #proxyPausedUntil = 0
  /** No request starts after this unless the lease is renewed: it must end before another thread can get the host. */
  startDeadline = 0
  /** Requests still in flight at this time are aborted: another thread may get the host soon after. */
  endDeadline = 0
  /** The lease was lost: results of its requests are ignored. */
  isFenced = false
  /** The next commit must include a host report. */
  isDirty = false
  /** The policies of hosts have changed since it was leased. It gets no more URLs and is released. */
  isOutdated = false

  /** `random` returns a number in [0, 1). */
  constructor(lease: Lease, settings: HostLoadSettings, now: number, random: () => number) {
    this.lease = lease
    this.#random = random
    this.#settings = lease.policy === null ? settings : { ...settings, ...lease.policy }
    const rate = lease.policy?.rate ?? null
    this.#bucket = rate === null ? null : new TokenBucket(rate, lease.notBefore)
    this.#urls = lease.urls
    this.nextAt = lease.notBefore
    this.responseMs = lease.responseMs
    this.health = expireHealth(lease.health, lease.notBefore, now)
    this.concurrencyLimit = lease.concurrencyLimit
    this.#leasedAt = now
    // The previous holder may not have known the delay of the policy. Its last request was at least its gap before `notBefore`.
    const isKnown = lease.notBefore > 0
    if (lease.policy !== null && isKnown) this.nextAt += Math.max(0, this.gapMs - lease.gapMs)
  }

  get pendingUrls(): number {
    return this.#urls.length - this.#nextIndex
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.processing === 0 && this.pendingUrls === 0
  }

  get hasHostSlot(): boolean {
    return this.pendingUrls > 0 && !this.isWaiting && !this.#isDraining && this.inFlight < this.#maxInFlight
  }

  get #maxInFlight(): number {
    return this.isSuspended ? 1 : this.slots
  }

  /** Requests that may be in flight at a time. */
  get slots(): number {
    return this.isLimited ? Math.min(this.lease.slots, Math.floor(this.concurrencyLimit)) : this.lease.slots
  }

  /** The host has refused concurrent requests. */
  get isLimited(): boolean {
    return isLimited(this.concurrencyLimit, this.#settings.perHost)
  }

  /** No other thread has slots of the host. */
  get #hasAllSlots(): boolean {
    return this.lease.slots >= this.#settings.perHost
  }

  /** Only a thread with all slots of a host can enforce its limit, and this one has only some of them. */
  get mustReleaseLease(): boolean {
    return this.isLimited && !this.#hasAllSlots
  }

  /** The concurrency limit keeps pending URLs from starting. */
  get isLimitReached(): boolean {
    return this.pendingUrls > 0 && this.slots < this.lease.slots && this.inFlight >= this.slots
  }

  /** Requests are in flight and slots are free, but no URLs are pending. */
  get hasIdleSlots(): boolean {
    return this.pendingUrls === 0 && this.inFlight > 0 && this.inFlight < this.slots && !this.isSuspended
  }

  /** Only documents and rendered pages are left, which may take long. Meanwhile the lease is topped up with more URLs. */
  get hasOnlyBlocked(): boolean {
    const blocked = this.documents + this.rendering + this.inHooks
    return this.pendingUrls === 0 && this.inFlight === 0 && this.processing > 0 && this.processing === blocked
  }

  /** The host stopped responding; the next request is a probe. */
  get isSuspended(): boolean {
    return isSuspended(this.health)
  }

  get hasResponded(): boolean {
    return this.responseMs > 0
  }

  /** How long all requests in flight have been without a complete response. */
  unansweredMs(now: number): number {
    return this.#unansweredSince === null ? 0 : now - this.#unansweredSince
  }

  /** No request starts until one of those in flight ends. */
  isHanging(now: number): boolean {
    return this.unansweredMs(now) >= HANGING_MS
  }

  isDown(now: number): boolean {
    return this.health.downUntil > now
  }

  canStart(now: number): boolean {
    return (
      this.hasHostSlot && !this.isHanging(now) && now < this.startDeadline && (this.nextAt <= now || this.isDown(now))
    )
  }

  /** Whether a request of a rendered page may start. It takes a slot and keeps the gap like a URL. */
  canStartSubrequest(now: number): boolean {
    const hasSlot = !this.isWaiting && !this.#isDraining && this.inFlight < this.#maxInFlight
    return hasSlot && !this.isHanging(now) && now < this.startDeadline && this.nextAt <= now
  }

  addUrls(urls: LeasedUrl[]): void {
    this.#urls = this.pendingUrls === 0 ? urls : [...this.#urls.slice(this.#nextIndex), ...urls]
    this.#nextIndex = 0
  }

  get nextUrl(): LeasedUrl | undefined {
    return this.#urls[this.#nextIndex]
  }

  /** In the order in which they are requested. */
  get pending(): readonly LeasedUrl[] {
    return this.#urls.slice(this.#nextIndex)
  }

  takeUrl(): void {
    this.#nextIndex += 1
  }

  beginRequest(now: number): void {
    this.#unansweredSince ??= now
    this.inFlight += 1
    this.#lastRequestAt = now
    this.#bucket?.take(now)
    this.#waitForGap(now)
    this.isDirty = true
  }

  /** The gap begins at `from`. */
  #waitForGap(from: number): void {
    const jitterMs = Math.min(this.#settings.jitterMs, this.gapMs) * this.#random()
    this.nextAt = Math.max(from + this.gapMs + jitterMs, this.#bucket?.nextAt ?? 0)
  }

  /** While requests are in flight: starts no more until they have ended. */
  drain(): void {
    this.#isDraining = this.inFlight > 0
  }

  /** What to expect of the request that was just started. */
  expectationFor(url: string): HeadersExpectation {
    return { url, responseMs: this.responseMs, inFlight: this.inFlight, isOverloaded: this.isLimited }
  }

  /** Applies the crawl delay of robots.txt. It runs from the last request, which may have been for robots.txt. */
  applyCrawlDelay(crawlDelayMs: number): void {
    if (crawlDelayMs === this.#crawlDelayMs) return
    this.#crawlDelayMs = crawlDelayMs
    // The previous holder of the host did not know this delay, so `notBefore` of the lease does not include it.
    const isNewDelay = Math.floor(crawlDelayMs) > this.lease.gapMs
    const gapStart = this.#lastRequestAt ?? (isNewDelay ? this.#leasedAt : null)
    if (gapStart !== null) this.nextAt = Math.max(this.nextAt, gapStart + this.gapMs)
    this.isDirty = true
  }

  /** With one slot the gap runs from the end of the response, so the server sees a longer gap. */
  finishRequest(
    result: FetchResult,
    now: number,
    finishedRequest: FinishedRequest,
    hasPausedBefore = false,
  ): RequestOutcome {
    const concurrentRequests = Math.max(finishedRequest.concurrentRequests, this.inFlight)
    this.inFlight -= 1
    if (this.inFlight === 0) this.#isDraining = false
    this.#unansweredSince = this.inFlight > 0 ? now : null
    this.isDirty = true
    const responseClass = classifyResponse(result)
    const context = {
      startedAt: now - result.fetchMs,
      now,
      hasResponded: this.hasResponded,
      retryAfterMs: result.kind === 'failure' ? 0 : parseRetryAfterMs(result.retryAfter, now),
      attempts: finishedRequest.attempts,
      postponements: finishedRequest.postponements,
      hasPausedBefore,
      isAlone: this.#hasAllSlots && concurrentRequests === 1,
      isLimited: this.isLimited,
    }
    const { health, pauseUntil, isOverload, shouldLowerLimit, mustRetryAlone } = updateHealth(
      this.health,
      responseClass,
      context,
      this.#settings,
    )
    this.health = health
    if (responseClass === 'good') this.#raiseLimit()
    else if (shouldLowerLimit && finishedRequest.startedAt > this.#loweredAt) this.#lowerLimit(concurrentRequests, now)
    // At least 1 ms: 0 means that the host never responded.
    if (result.kind === 'response') this.responseMs = updateMeanMs(this.responseMs, Math.max(1, result.fetchMs))
    if (this.lease.slots === 1) {
      this.#lastRequestAt = now
      this.#waitForGap(now)
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, pauseUntil)
    this.#proxyPausedUntil = result.kind === 'failure' ? (result.proxyRetryAt ?? 0) : 0
    this.nextAt = Math.max(this.nextAt, pauseUntil, this.#proxyPausedUntil)
    return { responseClass, isOverload, mustRetryAlone, hasRetryAfter: pauseUntil > 0 && context.retryAfterMs > 0 }
  }

  #raiseLimit(): void {
    if (!this.isLimited) return
    this.concurrencyLimit = raiseLimit(this.concurrencyLimit, this.#settings.perHost)
    this.#hasLimitChanged = true
  }

  #lowerLimit(concurrentRequests: number, now: number): void {
    this.concurrencyLimit = lowerLimit(this.concurrencyLimit, concurrentRequests)
    this.#loweredAt = now
    this.#hasLimitChanged = true
  }

  /** Why the host waits until `nextAt`. */
  get pauseReason(): WaitReason {
    if (this.#proxyPausedUntil > 0 && this.#proxyPausedUntil >= this.nextAt) return 'proxy'
    if (this.isSuspended) return 'no_answer'
    const isPaused = this.#pausedUntil > 0 && this.#pausedUntil >= this.nextAt
    if (isPaused) return this.health.failures > 0 ? 'no_answer' : 'cooldown'
    if (this.#crawlDelayMs > 0 && this.#crawlDelayMs >= this.gapMs) return 'crawl_delay'
    const isByRate = this.#bucket !== null && this.#bucket.nextAt >= this.nextAt
    return isByRate || this.lease.policy?.isDelayFromPolicy === true ? 'policy' : 'gap'
  }

  /** The host has to wait for so long that its place goes to another host. */
  mustWaitLong(now: number): boolean {
    const isBusy = this.inFlight > 0 || this.processing > 0 || this.isWaiting
    return !isBusy && this.nextAt > now + RELEASE_AFTER_MS && !this.isDown(now)
  }

  /** Drops the pending URLs. Returns how many there were. */
  dropPending(): number {
    const dropped = this.pendingUrls
    this.#urls = []
    this.#nextIndex = 0
    return dropped
  }

  takeReport(): HostReport {
    this.isDirty = false
    const { responseMs, health, nextAt } = this
    // At least what the rate asks for, so that it outlives a crash as the gap does.
    const gapMs = Math.max(this.gapMs, this.#bucket?.intervalMs ?? 0)
    const concurrencyLimit = this.#hasLimitChanged ? this.concurrencyLimit : null
    this.#hasLimitChanged = false
    return { hostId: this.lease.hostId, nextAt, responseMs, gapMs, concurrencyLimit, health }
  }

  get gapMs(): number {
    return Math.max(computeGapMs(this.#settings.delayMs, this.responseMs), this.#crawlDelayMs)
  }
}
