// Takes over when a request ends: updates the health and pace of the host, then either postpones the URL because the host
// is in trouble, or processes the response and reports the visit.

import { freeMemory } from '../../../lib/free-memory.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import { downReason, isRefusal } from '../../politeness/host-health.ts'
import type { FinishedRequest, RequestOutcome } from '../hosts/finished-request.ts'
import { causesLongPause, findHostEvent } from '../hosts/host-events.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import { RefusalHistory } from '../hosts/refusal-history.ts'
import type { PageSubresources } from '../render/page-subresources.ts'
import type { CommitBuffer } from '../report/commit-buffer.ts'
import type { CrawlLog } from '../report/crawl-log.ts'
import { HostStats } from '../stats/host-stats.ts'
import { archiveSubresources } from '../visit/archive-subresources.ts'
import { backoffMs } from '../visit/verdict.ts'
import { type LongStep, VisitProcessor, type VisitProcessorDependencies } from '../visit/visit-processor.ts'
import { reportHostDown, reportPostponed } from '../visit/visit-reports.ts'
import type { WaitsFor } from '../visit/visit-steps.ts'
import type { LeasedHosts } from './leased-hosts.ts'
import type { RequestSlots } from './request-slots.ts'
import type { VisitReporter } from './visit-reporter.ts'

export interface FinishedUrlRequest extends Omit<FinishedRequest, 'attempts' | 'postponements'> {
  url: LeasedUrl
  /** The request tests whether a suspended host responds again. */
  isProbe: boolean
}

export interface ResponseHandlerDependencies extends VisitProcessorDependencies {
  crawlLog: CrawlLog
  leasedHosts: LeasedHosts
  commitBuffer: CommitBuffer
  slots: RequestSlots
  reporter: VisitReporter
  /** Called for each page that is rendered. */
  openSubresources: () => PageSubresources
}

export interface ResponseHandlerEvents {
  onSlotFreed(host: LeasedHost | null): void
  onFailed(error: unknown): void
}

/** Caps the backoff of a URL that an overloaded host keeps refusing. */
const MAX_POSTPONEMENT_DOUBLINGS = 3

export class ResponseHandler {
  readonly stats = new HostStats()
  /** Called when a request for a URL has ended, before its response is processed. */
  onRequested: (url: LeasedUrl) => void = () => undefined
  readonly #dependencies: ResponseHandlerDependencies
  readonly #events: ResponseHandlerEvents
  readonly #processor: VisitProcessor
  readonly #refusals = new RefusalHistory()

  constructor(dependencies: ResponseHandlerDependencies, events: ResponseHandlerEvents) {
    this.#dependencies = dependencies
    this.#events = events
    this.#processor = new VisitProcessor(dependencies, (error, { url, host }) => {
      dependencies.crawlLog.logUnreadPage(url, host, error)
      events.onFailed(error)
    })
  }

  get longestStep(): LongStep | null {
    return this.#processor.longestStep
  }

  forgetStepsBefore(time: number): void {
    this.#processor.forgetStepsBefore(time)
  }

  /** Drops all responses that are not reported yet. */
  dropResponses(): void {
    this.#processor.clear()
    this.#dependencies.slots.dropResponses()
  }

  /** Drops documents that are not read yet, and pages that are not rendered. Their URLs are requeued with their leases. */
  dropWaiting(): void {
    this.#processor.dropWaiting()
  }

  /** Updates the health and pace of a host, and logs the change if there is one. */
  updateHost(host: LeasedHost, finishedRequest: FinishedRequest, result: FetchResult): RequestOutcome {
    const { clock, leasedHosts, crawlLog } = this.#dependencies
    const now = clock.now()
    const { health: before, nextAt: dueAt } = host
    const requestOutcome = host.finishRequest(result, now, finishedRequest, this.#refusals.hasPaused(host.lease.hostId))
    if (requestOutcome.hasRetryAfter) this.#refusals.addPause(host.lease.hostId)
    if (host.mustReleaseLease) leasedHosts.dropPending(host)
    const { health: after, nextAt, lease } = host
    const isLongPause = isRefusal(requestOutcome.responseClass) && causesLongPause(result, { dueAt, nextAt, now })
    const event = findHostEvent(before, after, now) ?? (isLongPause ? 'refuses' : null)
    if (event !== null) crawlLog.logHostChange({ host: lease.host, event, before, after, result, nextAt, now })
    return requestOutcome
  }

  mustBeAlone(url: LeasedUrl): boolean {
    return this.#refusals.mustBeAlone(url.id)
  }

  /** Handles the end of a request for a URL. */
  finishRequest(host: LeasedHost, finishedRequest: FinishedUrlRequest, result: FetchResult): void {
    const { clock, commitBuffer, slots, reporter, openSubresources } = this.#dependencies
    const { url, concurrentRequests, isProbe } = finishedRequest
    const startedAt = result.resent?.at ?? finishedRequest.startedAt
    const now = clock.now()
    const wasHanging = host.isHanging(now)
    const postponements = this.#refusals.postponementsOf(url.id)
    const { responseClass, isOverload, mustRetryAlone } = this.updateHost(
      host,
      { startedAt, concurrentRequests, attempts: url.attempts, postponements },
      result,
    )
    this.onRequested(url)
    if (host.isFenced) return this.releaseFenced(host)
    const { token, host: hostName } = host.lease
    // Neither the URL nor the host has failed: no proxy passed the request on, or this thread could not renew its lease.
    if (result.kind === 'failure' && (responseClass === 'unsent' || responseClass === 'aborted')) {
      commitBuffer.addReceivedBytes(result.wireBytes)
      const report = reportPostponed({ token, url }, result.problem, Math.max(now, host.nextAt))
      reporter.report({ url, host: hostName, result }, report)
      return this.#events.onSlotFreed(host)
    }
    this.stats.record(hostName, result)
    const { counters } = commitBuffer
    if (result.kind === 'response') counters.fetch.add(result.ttfbMs)
    commitBuffer.addReceivedBytes(result.wireBytes)
    const isSilent = responseClass === 'silent' || responseClass === 'timed_out'
    if (isOverload || (isProbe && isSilent)) {
      if (isOverload) this.#refusals.addPostponement(url.id)
      if (mustRetryAlone) this.#refusals.addLoneUrl(url.id)
      const reason = downReason(host.health)
      const report = host.isDown(now)
        ? reportHostDown({ token, url }, reason)
        : reportPostponed(
            { token, url },
            reason,
            isOverload ? this.#postponeUntil(host, url.attempts + postponements, now) : host.nextAt,
          )
      reporter.report({ url, host: hostName, result }, report)
      return this.#events.onSlotFreed(host)
    }
    host.processing += 1
    slots.processing += 1
    // The store keeps the end and the duration of a visit. `now` would put the computed start later than it was.
    const endedAt = startedAt + result.fetchMs
    const visit = { token, url, host: hostName, result, now: endedAt, openSubresources }
    this.#processor.process(visit, {
      onDone: ({ report, linkKeys, toArchive, rendering }) => {
        host.processing -= 1
        slots.processing -= 1
        const processingMs = clock.now() - now
        counters.processing.add(processingMs)
        if (report.facts !== null) report.facts.processingMs = processingMs
        if (rendering !== null)
          commitBuffer.addSubresources(archiveSubresources(rendering.subresponses, visit, this.#dependencies))
        reporter.report({ url, host: hostName, result }, report, { toArchive, linkKeys })
        freeBody(result)
        this.#events.onSlotFreed(host)
      },
      onWaiting: (isWaiting, waitsFor) => {
        const change = isWaiting ? 1 : -1
        countWaitingVisit(host, slots, waitsFor, change)
        slots.processing -= change
        if (isWaiting && waitsFor === 'renderer') counters.countRendered()
        if (isWaiting) this.#events.onSlotFreed(host)
      },
      onDropped: (waitsFor) => {
        host.processing -= 1
        countWaitingVisit(host, slots, waitsFor, -1)
      },
    })
    // A host that was hanging can start requests again, even before this response is processed.
    if (wasHanging) this.#events.onSlotFreed(null)
  }

  /** Releases a host whose lease was lost, once its last request has ended. */
  releaseFenced(host: LeasedHost): void {
    if (host.inFlight === 0) this.#dependencies.commitBuffer.addReleasedHost(host)
    this.#events.onSlotFreed(null)
  }

  /** The URL backs off longer than its host pauses, so that other URLs are tried while the host refuses everything. */
  #postponeUntil(host: LeasedHost, refusals: number, now: number): number {
    const { retryPolicy, random } = this.#dependencies
    const doublings = Math.min(refusals, MAX_POSTPONEMENT_DOUBLINGS)
    return Math.max(now, host.nextAt) + backoffMs(retryPolicy, { attempts: doublings, jitter: random() })
  }
}

/** A response being rendered or in a hook keeps its request slot; one in a document reader does not. */
function countWaitingVisit(host: LeasedHost, slots: RequestSlots, waitsFor: WaitsFor, change: 1 | -1): void {
  switch (waitsFor) {
    case 'documents':
      host.documents += change
      slots.inDocumentReaders += change
      return
    case 'renderer':
      host.rendering += change
      slots.rendering += change
      return
    case 'hooks':
      host.inHooks += change
      slots.inHooks += change
  }
}

/** Frees the body; the archived parts were copied. */
function freeBody(result: FetchResult): void {
  if (result.kind === 'failure') return
  freeMemory(result.body)
  freeMemory(result.wire)
}
