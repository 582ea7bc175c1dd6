// A host under lease: its pending URLs, its requests in flight, and whether the next request may start. That depends on its
// pace (host-pace.ts), its health, and the concurrency limit learned from its refusals. A policy of the host replaces the
// settings of the crawl.

import type { HostReport } from '../../../ports/frontier.ts'
import type { HostHealth, Lease, LeasedUrl } from '../../../ports/leases.ts'
import type { HeadersExpectation } from '../../fetch/fetch-limits.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import {
  classifyResponse,
  expireHealth,
  type HealthSettings,
  isSuspended,
  updateHealth,
} from '../../politeness/host-health.ts'
import { parseRetryAfterMs } from '../../politeness/retry-after.ts'
import type { FinishedRequest, RequestOutcome } from './finished-request.ts'
import { HostPace, type PaceSettings } from './host-pace.ts'
import type { WaitReason } from './host-waits.ts'
import { LearnedLimit } from './learned-limit.ts'
import { PendingUrls } from './pending-urls.ts'

export interface HostLoadSettings extends HealthSettings, PaceSettings {
  /** Concurrent requests to one host, over all workers. */
  perHost: number
}

/** A host that must wait longer than this is released with its pending URLs. */
const RELEASE_AFTER_MS = 1000
/** Dead hosts must be found within ten seconds. A slow page may take longer, and then blocks its host's other slots. */
const HANGING_MS = 9000

export class LeasedHost {
  readonly lease: Lease
  readonly #settings: HostLoadSettings
  readonly #pace: HostPace
  readonly #pending: PendingUrls
  readonly #limit: LearnedLimit
  inFlight = 0
  /** Responses received and not reported yet. */
  processing = 0
  /** Responses among them that a document reader, the renderer or a hook is processing or will process. */
  documents = 0
  rendering = 0
  inHooks = 0
  health: HostHealth
  /** No request starts until all requests in flight have ended. */
  #mustBecomeIdle = false
  /** Last known address of the host's server. */
  address: string | null = null
  isAddressRequested = false
  /** The address of the host or its robots.txt rules are being looked up, or a hook is being called. */
  isPreparing = false
  isWaitingForHook = false
  /** Time since which requests have been in flight without any of them ending; null if none is in flight. */
  #unansweredSince: number | null = null
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
    this.#settings = lease.policy === null ? settings : { ...settings, ...lease.policy }
    this.#pace = new HostPace(lease, this.#settings, now, random)
    this.health = expireHealth(lease.health, lease.nextAt, now)
    const urls = this.isSuspended ? probeOrder(lease.urls, this.health.failingSince, random) : lease.urls
    this.#pending = new PendingUrls(urls)
    this.#limit = new LearnedLimit(lease.concurrencyLimit, this.#settings.perHost)
  }

  /** When the next request may start according to gap, rate and pauses. */
  get nextAt(): number {
    return this.#pace.nextAt
  }

  get gapMs(): number {
    return this.#pace.gapMs
  }

  get responseMs(): number {
    return this.#pace.responseMs
  }

  get pendingUrls(): number {
    return this.#pending.size
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.processing === 0 && this.pendingUrls === 0
  }

  get hasHostSlot(): boolean {
    return this.pendingUrls > 0 && !this.isPreparing && !this.#mustBecomeIdle && this.inFlight < this.#maxInFlight
  }

  get #maxInFlight(): number {
    return this.isSuspended ? 1 : this.slots
  }

  /** Requests that may be in flight at a time. */
  get slots(): number {
    return this.isLimited ? Math.min(this.lease.slots, Math.floor(this.#limit.value)) : this.lease.slots
  }

  /** The host has refused concurrent requests. */
  get isLimited(): boolean {
    return this.#limit.isLimited
  }

  /** No other thread has slots of the host. */
  get #hasAllSlots(): boolean {
    return this.lease.slots >= this.#settings.perHost
  }

  /** Whether this thread lacks slots of a host with a limit, which only a thread with all slots can enforce. */
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

  /**
   * The only visits left are waiting for a document reader, the renderer or a hook, which may take long. In the meantime the
   * lease is topped up with more URLs.
   */
  get hasOnlyWaitingVisits(): boolean {
    const waiting = this.documents + this.rendering + this.inHooks
    return this.pendingUrls === 0 && this.inFlight === 0 && this.processing > 0 && this.processing === waiting
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

  /** If true, no request starts until one of those in flight ends. */
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

  /** Whether a request of a rendered page may start. It takes a slot and keeps the gap, as URLs do. */
  canStartSubrequest(now: number): boolean {
    const hasSlot = !this.isPreparing && !this.#mustBecomeIdle && this.inFlight < this.#maxInFlight
    return hasSlot && !this.isHanging(now) && now < this.startDeadline && this.nextAt <= now
  }

  addUrls(urls: LeasedUrl[]): void {
    this.#pending.add(urls)
  }

  get nextUrl(): LeasedUrl | undefined {
    return this.#pending.next
  }

  /** URLs in the order in which they are requested. */
  get pending(): readonly LeasedUrl[] {
    return this.#pending.list()
  }

  takeUrl(): void {
    this.#pending.take()
  }

  beginRequest(now: number): void {
    this.#unansweredSince ??= now
    this.inFlight += 1
    this.#pace.beginRequest(now)
    this.isDirty = true
  }

  /** Reserves the gap for a request that has ended and is sent again: it keeps its slot, and waits like any other. */
  takeTurn(now: number): number {
    if (this.lease.slots === 1) this.#pace.startGap(now)
    const startAt = Math.max(now, this.nextAt)
    this.#unansweredSince = startAt
    this.#pace.beginRequest(startAt)
    this.isDirty = true
    return startAt
  }

  /** Starts no more requests until all requests in flight have ended. */
  waitUntilIdle(): void {
    this.#mustBecomeIdle = this.inFlight > 0
  }

  /** What is expected of the request that was just started. */
  expectationFor(url: string): HeadersExpectation {
    return { url, responseMs: this.responseMs, inFlight: this.inFlight, isOverloaded: this.isLimited }
  }

  applyCrawlDelay(crawlDelayMs: number): void {
    if (this.#pace.applyCrawlDelay(crawlDelayMs)) this.isDirty = true
  }

  finishRequest(
    result: FetchResult,
    now: number,
    finishedRequest: FinishedRequest,
    hasPausedBefore = false,
  ): RequestOutcome {
    const concurrentRequests = Math.max(finishedRequest.concurrentRequests, this.inFlight)
    this.inFlight -= 1
    if (this.inFlight === 0) this.#mustBecomeIdle = false
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
    if (responseClass === 'good') this.#limit.raise()
    else if (shouldLowerLimit) this.#limit.lower(concurrentRequests, finishedRequest.startedAt, now)
    if (result.kind === 'response') this.#pace.addResponse(result.fetchMs)
    if (this.lease.slots === 1) this.#pace.startGap(now)
    this.#pace.pause(pauseUntil, result.kind === 'failure' ? (result.proxyRetryAt ?? 0) : 0)
    return { responseClass, isOverload, mustRetryAlone, hasRetryAfter: pauseUntil > 0 && context.retryAfterMs > 0 }
  }

  /** Why the host waits until `nextAt`. */
  get pauseReason(): WaitReason {
    return this.#pace.waitReason({ isSuspended: this.isSuspended, failures: this.health.failures })
  }

  /** The host has to wait so long that another host should take its place. */
  mustWaitLong(now: number): boolean {
    const isBusy = this.inFlight > 0 || this.processing > 0 || this.isPreparing
    return !isBusy && this.nextAt > now + RELEASE_AFTER_MS && !this.isDown(now)
  }

  /** Drops the pending URLs. Returns how many there were. */
  dropPending(): number {
    return this.#pending.clear()
  }

  takeReport(): HostReport {
    this.isDirty = false
    const { responseMs, health, nextAt } = this
    const gapMs = this.#pace.reportedGapMs
    return { hostId: this.lease.hostId, nextAt, responseMs, gapMs, concurrencyLimit: this.#limit.takeChange(), health }
  }
}

/**
 * The order of URLs whose first one is the probe. URLs without a response so far are due later than the others, so
 * they are probed last. The choice is random, because neighbouring URLs may all be slow, such as the search pages of a
 * site.
 */
function probeOrder(urls: LeasedUrl[], failingSince: number, random: () => number): LeasedUrl[] {
  const byDueTime = urls.toSorted((a, b) => a.dueAt - b.dueAt)
  const untried = urls.filter(({ dueAt }) => dueAt <= failingSince).length
  const probe = byDueTime[Math.floor(random() * untried)]
  return probe === undefined ? urls : [probe, ...urls.filter((url) => url !== probe)]
}
