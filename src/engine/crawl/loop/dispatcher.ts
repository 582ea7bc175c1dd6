// Starts the requests of leased hosts. `#startNext` does the next of these steps for a URL:
//
//   has it stalled a thread? -> host down? -> in scope? -> hook of the program -> address known -> robots.txt rules known
//     -> document readers free? -> gap over -> request
//
// A URL that needs no request is reported right away. HostPreparation finds out the address and the robots.txt rules.
// ResponseHandler takes over when the request ends.

import type { LeasedUrl } from '../../../ports/leases.ts'
import type { FetchLimits, PageLimitsCache } from '../../fetch/fetch-limits.ts'
import type { Fetcher } from '../../fetch/fetch-result.ts'
import { downReason } from '../../politeness/host-health.ts'
import type { Throttle } from '../../politeness/throttle.ts'
import type { RobotsChecker } from '../../robots/robots-checker.ts'
import type { FilterList } from '../../url/filter-list.ts'
import type { Scope } from '../../url/scope.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import { PageSubresources } from '../render/page-subresources.ts'
import type { RequestCounts } from '../report/request-counts.ts'
import type { HostStats } from '../stats/host-stats.ts'
import type { PhaseSample } from '../stats/phase-recorder.ts'
import type { DocumentQueue } from '../visit/document-queue.ts'
import { StalledUrls } from '../visit/stalled-urls.ts'
import {
  reportDocumentPostponed,
  reportExcluded,
  reportHookDecision,
  reportHostDown,
  reportStalled,
} from '../visit/visit-reports.ts'
import { HostPreparation, type HostPreparationEvents, type HostPreparationSettings } from './host-preparation.ts'
import type { RequestHook } from './request-hook.ts'
import { type RequestSlotSettings, RequestSlots } from './request-slots.ts'
import { ResponseHandler, type ResponseHandlerDependencies } from './response-handler.ts'
import { Subrequests } from './subrequests.ts'
import { VisitReporter } from './visit-reporter.ts'

export interface DispatcherSettings extends RequestSlotSettings, HostPreparationSettings {
  delayMs: number | 'auto'
}

export interface DispatcherDependencies
  extends Omit<ResponseHandlerDependencies, 'slots' | 'reporter' | 'openSubresources'> {
  fetcher: Fetcher
  requestCounts: RequestCounts
  robotsChecker: RobotsChecker
  filters: FilterList | null
  /** Null if the program that runs the crawl has no hook for requests. */
  requestHook: RequestHook | null
  /**
   * Null if the crawl has no include or exclude patterns. Checked again before the request, because patterns can change
   * after a URL was found. Include patterns do not apply to seeds.
   */
  scope: { pages: Scope; seeds: Scope } | null
  limits: { pages: PageLimitsCache; sitemap: FetchLimits }
}

/** `onSlotFreed` receives the host whose request ended, or null if any host may be able to start. */
export type DispatcherEvents = HostPreparationEvents

export class Dispatcher {
  readonly #dependencies: DispatcherDependencies
  readonly #slots: RequestSlots
  readonly #reporter: VisitReporter
  readonly #responses: ResponseHandler
  readonly #preparation: HostPreparation
  readonly #subrequests: Subrequests
  readonly #stalledUrls = new StalledUrls()

  constructor(settings: DispatcherSettings, dependencies: DispatcherDependencies, events: DispatcherEvents) {
    this.#dependencies = dependencies
    this.#slots = new RequestSlots(settings, dependencies)
    this.#reporter = new VisitReporter(dependencies)
    const openSubresources = () =>
      new PageSubresources({ ...dependencies, delayMs: settings.delayMs, subrequests: this.#subrequests })
    const shared = { ...dependencies, slots: this.#slots, reporter: this.#reporter, openSubresources }
    this.#responses = new ResponseHandler(shared, events)
    const withResponses = { ...shared, responses: this.#responses }
    this.#preparation = new HostPreparation(settings, withResponses, events)
    this.#subrequests = new Subrequests(withResponses, events.onSlotFreed)
  }

  get stats(): HostStats {
    return this.#responses.stats
  }

  get throttle(): Throttle {
    return this.#slots.throttle
  }

  get inFlight(): number {
    return this.#slots.inFlight
  }

  get isIdle(): boolean {
    return this.#slots.isIdle
  }

  get hasFreeSlot(): boolean {
    return this.#slots.hasFree && !this.#dependencies.commitBuffer.isFull
  }

  /** Taken slots by activity. */
  countTakenSlots(): PhaseSample['taken'] {
    return this.#slots.countTaken()
  }

  /** Starts requests of rendered pages; also while no URLs may start. Returns when the next can start. */
  startSubrequests(now: number): number {
    return this.#subrequests.start(now)
  }

  /** Starts as many URLs of the host as its slots, its gap and the throttle allow, and at most `maxInFlight` at a time. */
  startRequests(host: LeasedHost, now: number, maxInFlight = Number.POSITIVE_INFINITY): void {
    const { throttle } = this.#slots
    if (this.#subrequests.hasWaiting) this.#subrequests.startAt(host, now)
    while (this.hasFreeSlot && host.inFlight < maxInFlight && host.canStart(now) && throttle.nextAt <= now) {
      if (!throttle.hasRoomFor(host.address)) return
      this.#startNext(host, now)
    }
  }

  /** Called when the leases were renewed: steps that ended before did not cost a lease. */
  forgetStepsBefore(time: number): void {
    this.#responses.forgetStepsBefore(time)
  }

  /** Called when leases were lost. If one step kept the thread busy for `minMs`, its URL is recorded as the cause. */
  recordStallingUrl(minMs: number): void {
    const step = this.#responses.longestStep
    if (step !== null && step.tookMs >= minMs) this.#stalledUrls.add(step.url)
    this.#responses.forgetStepsBefore(Number.POSITIVE_INFINITY)
  }

  /** Called when the leases are lost: drops all responses that are not reported yet. */
  reset(): void {
    this.#responses.dropResponses()
    this.#subrequests.drop()
  }

  /**
   * Drops responses that are not read or rendered yet, or wait to be sent again. Their URLs are requeued with their
   * leases, to be fetched later.
   */
  dropWaiting(): void {
    this.#responses.dropWaiting()
    this.#subrequests.drop()
    this.#dependencies.fetcher.stopResending()
  }

  /** Starts nothing more, and ignores the results of requests in flight, which the close itself may abort. */
  close(): void {
    this.#slots.close()
    this.reset()
  }

  /** Does the next step for the next URL of the host: reports it, prepares the host, or sends the request. */
  #startNext(host: LeasedHost, now: number): void {
    const url = host.nextUrl
    if (url === undefined) return
    const { robotsChecker, retryPolicy } = this.#dependencies
    const { token } = host.lease
    const reporter = this.#reporter
    if (this.#stalledUrls.mustReport(url)) {
      const stalled = { token, urlId: url.id, attempts: url.attempts }
      return reporter.reportWithoutRequest(host, url, reportStalled(stalled, retryPolicy.retryDelayMs, now))
    }
    if (host.isDown(now)) {
      return reporter.reportWithoutRequest(host, url, reportHostDown({ token, url }, downReason(host.health)))
    }
    const scopeProblem = this.#findScopeProblem(url, host.lease.host)
    if (scopeProblem !== null) {
      return reporter.reportWithoutRequest(host, url, reportExcluded({ token, url }, scopeProblem))
    }
    const decision =
      this.#dependencies.requestHook === null ? 'allowed' : this.#dependencies.requestHook.decisionOf(url)
    if (decision === null) return this.#preparation.askHook(host)
    if (decision !== 'allowed') {
      this.#dependencies.requestHook?.forget(url)
      return reporter.reportWithoutRequest(host, url, reportHookDecision({ token, url }, decision))
    }
    if (host.address === null && !host.isAddressRequested) return this.#preparation.resolveAddress(host, url)
    const permission = robotsChecker.check(url.url)
    switch (permission.kind) {
      case 'unknown':
        return this.#preparation.loadStoredRules(host, url)
      case 'not_fetched':
        return this.#preparation.fetchRules(host, url)
      case 'denied':
      case 'unreachable':
        return this.#preparation.reportDenied(host, url, permission, now)
      case 'allowed':
        host.applyCrawlDelay(permission.crawlDelayMs)
        if (this.#documentQueue.isDocument(url) && !this.#documentQueue.canStartRequest()) {
          const report = reportDocumentPostponed({ token, url }, this.#documentQueue)
          return reporter.reportWithoutRequest(host, url, report)
        }
        if (host.inFlight > 0 && this.#responses.mustBeAlone(url)) return host.waitUntilIdle()
        if (host.nextAt <= now) this.#startRequest(host, url)
    }
  }

  #startRequest(host: LeasedHost, url: LeasedUrl): void {
    const { limits, fetcher, leasedHosts, commitBuffer, requestCounts } = this.#dependencies
    leasedHosts.takeUrl(host)
    this.#dependencies.requestHook?.forget(url)
    const { startedAt, concurrentRequests, end } = this.#slots.begin(host, url)
    if (this.#responses.mustBeAlone(url)) host.waitUntilIdle()
    commitBuffer.counters.queue.add(Math.max(0, startedAt - url.dueAt))
    // A suspended host is probed with one of its URLs. If the probe fails, it does not count against the URL.
    const isProbe = host.isSuspended && host.hasResponded
    const isDocument = this.#documentQueue.isDocument(url)
    if (isDocument) this.#documentQueue.beginRequest()
    // If the pattern of a page turned out to gain from rendering, the page must be fetched again, even if it has not
    // changed.
    const isRendered = this.#dependencies.pageReading.pageRenderer?.rendersPattern(url.url) === true
    fetcher.fetch(
      url.url,
      (result) => {
        end()
        if (isDocument) this.#documentQueue.endRequest()
        requestCounts.add(host.lease.host, 'sent', result)
        if (this.#slots.isClosed) return
        this.#responses.finishRequest(host, { url, startedAt, concurrentRequests, isProbe }, result)
      },
      url.kind === 'sitemap' ? limits.sitemap : limits.pages.for(host.expectationFor(url.url)),
      host,
      isRendered ? null : url.lastVisit?.validators,
    )
  }

  get #documentQueue(): DocumentQueue {
    return this.#dependencies.pageReading.documentQueue
  }

  /** Sitemaps may be on any host, so they are not checked. Requisites are only checked for exclude patterns. */
  #findScopeProblem({ url, kind, depth }: LeasedUrl, host: string): string | null {
    const { scope } = this.#dependencies
    if (scope === null || kind === 'sitemap') return null
    if (kind === 'requisite') return scope.pages.checkRequisite(url)
    return (depth === 0 ? scope.seeds : scope.pages).check(url, host)
  }
}
