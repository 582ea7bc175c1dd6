// Starts the urls of a host, one after the other, each when everything that has to come before it is done:
//
//   host down? -> in scope? -> address known -> rules known -> delay over -> request -> read -> report

import type { Clock } from '../../../lib/clock.ts'
import type { FoundUrl, LeasedUrl, VisitReport } from '../../../ports/frontier.ts'
import type { FetchLimits, PageLimitsCache } from '../../fetch/fetch-limits.ts'
import type { Fetcher, FetchResult } from '../../fetch/fetch-result.ts'
import { downReason, isRefusal } from '../../politeness/host-health.ts'
import { Throttle, type ThrottleSettings } from '../../politeness/throttle.ts'
import type { RobotsChecker, RobotsPermission } from '../../robots/robots-checker.ts'
import type { Scope } from '../../url/scope.ts'
import { causesLongPause, findHostEvent } from '../hosts/host-events.ts'
import type { FinishedRequest, LeasedHost, RequestOutcome } from '../hosts/leased-host.ts'
import { RefusalHistory } from '../hosts/refusal-history.ts'
import type { CommitBuffer } from '../report/commit-buffer.ts'
import type { CrawlLog } from '../report/crawl-log.ts'
import type { DocumentQueue } from '../visit/document-queue.ts'
import type { ResponseToArchive } from '../visit/response-to-archive.ts'
import { backoffMs } from '../visit/verdict.ts'
import { VisitProcessor, type VisitProcessorDependencies } from '../visit/visit-processor.ts'
import {
  reportDocumentDeferred,
  reportExcluded,
  reportHostDeferred,
  reportHostDown,
  reportRobotsDenied,
  reportStalled,
} from '../visit/visit-steps.ts'
import { HostStats } from '../watch/host-stats.ts'
import type { PhaseSample } from '../watch/phase-recorder.ts'
import type { LeasedHosts } from './leased-hosts.ts'

interface FinishedUrlRequest extends FinishedRequest {
  url: LeasedUrl
  /** Whether the host answers again is tried with it. */
  isProbe: boolean
}

type RobotsDenial = Extract<RobotsPermission, { kind: 'denied' | 'unreachable' }>

/** A url, and what came of asking for it; null when it was not. */
interface ReportedUrl {
  url: LeasedUrl
  host: string
  result: FetchResult | null
}

/** Of the time after which a url is tried again that an overloaded host refused. */
const MAX_DOUBLINGS = 3
/** Enough for the store to see that there is a gap to keep. */
const UNKNOWN_DELAY_MS = 1

export interface DispatcherSettings extends ThrottleSettings {
  /** Requests under way at a time, over all hosts. */
  concurrency: number
  /** Read the sitemaps that robots.txt names. */
  sitemaps: boolean
}

export interface DispatcherDependencies extends VisitProcessorDependencies {
  fetcher: Fetcher
  gate: RobotsChecker
  /** Null when there are no patterns. They may have changed since the url was found; those to include are not for seeds. */
  scope: { pages: Scope; seeds: Scope } | null
  limits: { pages: PageLimitsCache; sitemap: FetchLimits }
  clock: Clock
  crawlLog: CrawlLog
}

export interface DispatcherEvents {
  /** Something has ended: there may be room for more, of this host or of all when it is null. */
  onSlotFreed(work: LeasedHost | null): void
  onFailed(error: unknown): void
  /** Nothing more shall start. */
  isEnding(): boolean
}

export class Dispatcher {
  readonly stats = new HostStats()
  readonly throttle: Throttle
  readonly #settings: DispatcherSettings
  readonly #dependencies: DispatcherDependencies
  readonly #leasedHosts: LeasedHosts
  readonly #commitBuffer: CommitBuffer
  readonly #events: DispatcherEvents
  readonly #processor: VisitProcessor
  readonly #refusals = new RefusalHistory()
  #inFlight = 0
  /** Answers that have come and are not reported yet, but for documents that the readers have. */
  #processing = 0
  /** Documents that the readers have. */
  #inDocumentReaders = 0
  /**
   * Urls whose reading has cost a lease, with their attempts before it. It is reported under the next lease, and again
   * under every other until it shows in the attempts: a report may be lost with its lease, too.
   */
  readonly #stalledUrls = new Map<number, number>()
  #isOver = false

  constructor(
    settings: DispatcherSettings,
    parts: DispatcherDependencies,
    hands: { works: LeasedHosts; outbox: CommitBuffer },
    events: DispatcherEvents,
  ) {
    this.#settings = settings
    this.#dependencies = parts
    this.#leasedHosts = hands.works
    this.#commitBuffer = hands.outbox
    this.#events = events
    this.#processor = new VisitProcessor(parts, (error, { url, host }) => {
      parts.crawlLog.logUnreadPage(url, host, error)
      events.onFailed(error)
    })
    this.throttle = new Throttle(settings)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#processing === 0 && this.#inDocumentReaders === 0
  }

  /** What the slots that are taken are busy with. */
  countUsedSlots(): PhaseSample['taken'] {
    const { dns, connect } = this.#dependencies.fetcher.countUnsent()
    return { dns, connect, origin: Math.max(0, this.#inFlight - dns - connect), parse: this.#processing }
  }

  get hasFreeSlot(): boolean {
    return !this.#isOver && this.#inFlight + this.#processing < this.#settings.concurrency && !this.#commitBuffer.isFull
  }

  get #documents(): DocumentQueue {
    return this.#dependencies.page.documentQueue
  }

  startRequests(work: LeasedHost, now: number): void {
    while (this.hasFreeSlot && work.canStart(now) && this.throttle.nextAt <= now) {
      if (!this.throttle.hasRoomFor(work.address)) return
      this.#start(work, now)
    }
  }

  /** The leases were renewed. */
  forgetStepsBefore(time: number): void {
    this.#processor.forgetStepsBefore(time)
  }

  /** Leases are lost, and the thread was busy with a page for long enough to be the cause of it. */
  blameLongStep(minMs: number): void {
    const step = this.#processor.longestStep
    if (step !== null && step.tookMs >= minMs) this.#stalledUrls.set(step.url.id, step.url.attempts)
    this.#processor.forgetStepsBefore(Number.POSITIVE_INFINITY)
  }

  /** The leases are lost: what has been read and not told is forgotten. */
  reset(): void {
    this.#processor.clear()
    this.#processing = 0
    this.#inDocumentReaders = 0
  }

  /** Gives up documents that are not read: they go back with their leases, to be fetched and read later. */
  dropDocuments(): void {
    this.#processor.dropBlocked()
  }

  /** Nothing more is started, and what comes of requests under way no longer counts: they may end because of the end. */
  close(): void {
    this.#isOver = true
    this.reset()
  }

  /** Starts the next url, or what has to come before it, or reports why it may not start. */
  #start(work: LeasedHost, now: number): void {
    const url = work.nextUrl
    if (url === undefined) return
    const leased = { token: work.lease.token, url }
    if (this.#hasUnreportedStall(url)) return this.#reportWithoutRequest(work, url, this.#reportStall(leased, now))
    if (work.isDown(now)) return this.#reportWithoutRequest(work, url, reportHostDown(leased, downReason(work.health)))
    const outside = this.#findScopeProblem(url, work.lease.host)
    if (outside !== null) return this.#reportWithoutRequest(work, url, reportExcluded(leased, outside))
    if (work.address === null && !work.isAddressRequested) return this.#resolveAddress(work, url)
    const robotsPermission = this.#dependencies.gate.check(url.url)
    switch (robotsPermission.kind) {
      case 'unknown':
        return this.#loadStoredRules(work, url)
      case 'not_fetched':
        return this.#fetchRules(work, url)
      case 'denied':
      case 'unreachable':
        return this.#deny(work, url, robotsPermission, now)
      case 'allowed':
        work.applyCrawlDelay(robotsPermission.crawlDelayMs)
        if (this.#documents.isDocument(url) && !this.#documents.canStartRequest()) {
          return this.#reportWithoutRequest(work, url, reportDocumentDeferred(leased, this.#dependencies))
        }
        if (work.nextAt <= now) this.#startRequest(work, url)
    }
  }

  #hasUnreportedStall({ id, attempts }: LeasedUrl): boolean {
    const before = this.#stalledUrls.get(id)
    if (before !== undefined && before !== attempts) this.#stalledUrls.delete(id)
    return before === attempts
  }

  #reportStall({ token, url }: { token: number; url: LeasedUrl }, now: number): VisitReport {
    const { id: urlId, attempts } = url
    return reportStalled({ token, urlId, attempts }, this.#dependencies.policy.retryDelayMs, now)
  }

  /** Sitemaps may live anywhere. */
  #findScopeProblem({ url, kind, depth }: LeasedUrl, host: string): string | null {
    const { scope } = this.#dependencies
    if (scope === null || kind === 'sitemap') return null
    return (depth === 0 ? scope.seeds : scope.pages).check(url, host)
  }

  /** Reports the next url of the hand, which needs no request. */
  #reportWithoutRequest(work: LeasedHost, url: LeasedUrl, report: VisitReport): void {
    this.#leasedHosts.takeUrl(work)
    this.#report({ url, host: work.lease.host, result: null }, report)
  }

  #report({ url, host, result }: ReportedUrl, report: VisitReport, kept: ResponseToArchive | null = null): void {
    this.#commitBuffer.addVisit(report, kept)
    this.#dependencies.crawlLog.logVisit(url, host, report, result)
  }

  #deny(work: LeasedHost, url: LeasedUrl, permit: RobotsDenial, now: number): void {
    // Rules that nobody knows yet may want a delay: until then the host is for one worker alone.
    if (permit.kind === 'unreachable') work.applyCrawlDelay(UNKNOWN_DELAY_MS)
    this.#reportWithoutRequest(
      work,
      url,
      reportRobotsDenied({ token: work.lease.token, url }, permit, this.#dependencies, now),
    )
  }

  /** Which server it is must be known before the first request, for others may be at work there. */
  #resolveAddress(work: LeasedHost, url: LeasedUrl): void {
    const { fetcher } = this.#dependencies
    work.isAddressRequested = true
    work.address = fetcher.knownAddress(url.url)
    if (work.address !== null || this.#settings.perIp >= this.#settings.concurrency) return
    work.isWaiting = true
    fetcher.resolveAddress(url.url, (address) => {
      work.isWaiting = false
      work.address = address
      this.#events.onSlotFreed(null)
    })
  }

  /** Rules may be in the store; looking there is no request. */
  #loadStoredRules(work: LeasedHost, url: LeasedUrl): void {
    work.isWaiting = true
    this.#dependencies.gate.loadStoredRules(url.url).then(
      () => this.#applyRules(work, url),
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Fetches robots.txt in place of a url: it takes a slot and keeps the gap like any request. */
  #fetchRules(work: LeasedHost, url: LeasedUrl): void {
    work.isWaiting = true
    const { end, ...asked } = this.#beginRequest(work, url)
    this.#dependencies.gate.fetchRules(url.url, work.gapMs).then(
      (result) => {
        end()
        if (this.#isOver) return
        this.#updateHost(work, { ...asked, attempts: 0, deferrals: 0 }, result)
        this.#applyRules(work, url)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Urls that the rules keep us from need no request, so they do not wait for the gap. */
  #applyRules(work: LeasedHost, learntFor: LeasedUrl): void {
    work.isWaiting = false
    if (this.#isOver) return
    if (work.isFenced) return this.#releaseFenced(work)
    if (!this.#events.isEnding()) {
      const now = this.#dependencies.clock.now()
      if (this.#settings.sitemaps) this.#commitBuffer.addFoundUrls(this.#takeSitemaps(learntFor.url))
      for (let url = work.nextUrl; url !== undefined; url = work.nextUrl) {
        const robotsPermission = this.#dependencies.gate.check(url.url)
        if (robotsPermission.kind !== 'denied' && robotsPermission.kind !== 'unreachable') break
        this.#deny(work, url, robotsPermission, now)
      }
    }
    this.#events.onSlotFreed(null)
  }

  /** A host whose lease was lost goes back when its last request is over. */
  #releaseFenced(work: LeasedHost): void {
    if (work.inFlight === 0) this.#commitBuffer.addReleasedHost(work)
    this.#events.onSlotFreed(null)
  }

  #takeSitemaps(url: string): FoundUrl[] {
    const { gate, linkAdmission } = this.#dependencies
    return gate.takeSitemaps(url).flatMap((sitemap) => linkAdmission.toSitemapUrl(sitemap, url) ?? [])
  }

  /** Answers when the request begins, and what to call when it is over. */
  #beginRequest(work: LeasedHost, url: LeasedUrl): Pick<FinishedRequest, 'startedAt' | 'atOnce'> & { end: () => void } {
    const address = work.address ?? this.#dependencies.fetcher.knownAddress(url.url)
    work.address = address
    // Not when the round began in which it is started: others came before it, and its gap would be shorter by that.
    const startedAt = this.#dependencies.clock.now()
    work.beginRequest(startedAt)
    this.#inFlight += 1
    this.throttle.beginRequest(address, startedAt)
    const end = () => {
      this.#inFlight -= 1
      this.throttle.endRequest(address)
    }
    return { startedAt, atOnce: work.inFlight, end }
  }

  #startRequest(work: LeasedHost, url: LeasedUrl): void {
    this.#leasedHosts.takeUrl(work)
    const { end, ...begun } = this.#beginRequest(work, url)
    const { startedAt } = begun
    this.#commitBuffer.counters.queue.add(Math.max(0, startedAt - url.dueAt))
    // A host that has stopped answering is tried with a url, which shall not pay for it.
    const isTrial = work.isSuspended && work.hasAnswered
    const { limits, fetcher } = this.#dependencies
    const isDocument = this.#documents.isDocument(url)
    if (isDocument) this.#documents.beginRequest()
    fetcher.fetch(
      url.url,
      (result) => {
        end()
        if (isDocument) this.#documents.endRequest()
        if (this.#isOver) return
        const tries = { attempts: url.attempts, deferrals: this.#refusals.deferralsOf(url.id) }
        this.#finishRequest(work, { ...begun, ...tries, url, isProbe: isTrial }, result)
      },
      url.kind === 'sitemap' ? limits.sitemap : limits.pages.for(work.expectationFor(url.url)),
      work,
    )
  }

  /** An answer, as the host sees it. */
  #updateHost(work: LeasedHost, finishedRequest: FinishedRequest, result: FetchResult): RequestOutcome {
    const now = this.#dependencies.clock.now()
    const { health: before, nextAt: dueAt } = work
    const requestOutcome = work.finishRequest(result, now, finishedRequest, this.#refusals.hasPaused(work.lease.hostId))
    if (requestOutcome.hasRetryAfter) this.#refusals.addPause(work.lease.hostId)
    if (work.mustRelease) this.#leasedHosts.dropPending(work)
    const { health: after, nextAt, lease } = work
    const isPause = isRefusal(requestOutcome.responseClass) && causesLongPause(result, { dueAt, nextAt, now })
    const news = findHostEvent(before, after, now) ?? (isPause ? 'refuses' : null)
    if (news !== null) {
      this.#dependencies.crawlLog.logHostChange({ host: lease.host, event: news, before, after, result, nextAt, now })
    }
    return requestOutcome
  }

  /** On its own time, and after others, so that more than one url is tried while the host refuses all. */
  #deferUntil(work: LeasedHost, { deferrals }: FinishedUrlRequest, now: number): number {
    const { policy, random } = this.#dependencies
    const doublings = Math.min(deferrals, MAX_DOUBLINGS)
    return Math.max(now, work.nextAt) + backoffMs(policy, { attempts: doublings, jitter: random() })
  }

  #finishRequest(work: LeasedHost, asked: FinishedUrlRequest, result: FetchResult): void {
    const { url, startedAt, isProbe } = asked
    const now = this.#dependencies.clock.now()
    const wasMute = work.isHanging(now)
    const { responseClass, isOverload } = this.#updateHost(work, asked, result)
    if (work.isFenced) return this.#releaseFenced(work)
    this.stats.record(work.lease.host, result)
    const { counters } = this.#commitBuffer
    if (result.kind === 'response') counters.fetch.add(result.ttfbMs)
    this.#commitBuffer.addReceivedBytes(result.wireBytes)
    const { token, host } = work.lease
    const isSilent = responseClass === 'silent' || responseClass === 'timed_out'
    if (isOverload || (isProbe && isSilent)) {
      if (isOverload) this.#refusals.addDeferral(url.id)
      const reason = downReason(work.health)
      const report = work.isDown(now)
        ? reportHostDown({ token, url }, reason)
        : reportHostDeferred({ token, url }, reason, isOverload ? this.#deferUntil(work, asked, now) : work.nextAt)
      this.#report({ url, host, result }, report)
      return this.#events.onSlotFreed(work)
    }
    work.processing += 1
    this.#processing += 1
    // What is recorded is the end, and how long it took: from these the start must come out as it was.
    const endedAt = startedAt + result.fetchMs
    const visit = { token, url, host, result, now: endedAt }
    this.#processor.process(visit, {
      onDone: ({ report, toArchive }) => {
        work.processing -= 1
        this.#processing -= 1
        counters.processing.add(this.#dependencies.clock.now() - now)
        this.#report({ url, host, result }, report, toArchive)
        this.#events.onSlotFreed(work)
      },
      onBlocked: (isAside) => {
        const change = isAside ? 1 : -1
        work.documents += change
        this.#inDocumentReaders += change
        this.#processing -= change
        if (isAside) this.#events.onSlotFreed(work)
      },
      onDropped: () => {
        work.processing -= 1
        work.documents -= 1
        this.#inDocumentReaders -= 1
      },
    })
    // It may be asked again, also before what it said is read.
    if (wasMute) this.#events.onSlotFreed(null)
  }
}
