// Finds out what must be known before the first page of a host is requested: the address of its server, and the rules
// in its robots.txt. Rules come from memory, from the store, or from the host itself, in this order.

import type { LeasedUrl } from '../../../ports/leases.ts'
import type { Fetcher } from '../../fetch/fetch-result.ts'
import type { RobotsChecker } from '../../robots/robots-checker.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import { type RobotsDenial, reportRobotsDenied } from '../visit/visit-reports.ts'
import type { RequestHook } from './request-hook.ts'
import type { RequestSlots } from './request-slots.ts'
import type { ResponseHandler, ResponseHandlerDependencies } from './response-handler.ts'

export interface HostPreparationSettings {
  concurrency: number
  perIp: number
  /** Whether to read the sitemaps listed in robots.txt. */
  sitemaps: boolean
}

export interface HostPreparationDependencies extends ResponseHandlerDependencies {
  fetcher: Fetcher
  robotsChecker: RobotsChecker
  requestHook: RequestHook | null
  slots: RequestSlots
  responses: ResponseHandler
}

export interface HostPreparationEvents {
  /** A slot is free, or a host that waited can go on. */
  onSlotFreed(host: LeasedHost | null): void
  onFailed(error: unknown): void
  /** Whether nothing more may start. */
  isEnding(): boolean
}

/** Any gap makes the store treat the host as exclusive. */
const UNKNOWN_CRAWL_DELAY_MS = 1

export class HostPreparation {
  readonly #settings: HostPreparationSettings
  readonly #dependencies: HostPreparationDependencies
  readonly #events: HostPreparationEvents

  constructor(
    settings: HostPreparationSettings,
    dependencies: HostPreparationDependencies,
    events: HostPreparationEvents,
  ) {
    this.#settings = settings
    this.#dependencies = dependencies
    this.#events = events
    dependencies.responses.onRequested = (url) => this.#addSitemaps(url)
  }

  /** The limit per server address applies to the first request too: other hosts may have requests at that server. */
  resolveAddress(host: LeasedHost, url: LeasedUrl): void {
    const { fetcher } = this.#dependencies
    host.isAddressRequested = true
    host.address = fetcher.knownAddress(url.url)
    if (host.address !== null || this.#settings.perIp >= this.#settings.concurrency) return
    host.isPreparing = true
    fetcher.resolveAddress(url.url, (address) => {
      host.isPreparing = false
      host.address = address
      this.#events.onSlotFreed(null)
    })
  }

  /** Calls the request hook for the pending URLs of the host. Takes no slot: it sends no request. */
  askHook(host: LeasedHost): void {
    const { requestHook, slots, responses } = this.#dependencies
    if (requestHook === null) return
    host.isPreparing = true
    host.isWaitingForHook = true
    requestHook.decide(host.pending).then(
      () => {
        host.isPreparing = false
        host.isWaitingForHook = false
        if (slots.isClosed) return
        if (host.isFenced) return responses.releaseFenced(host)
        this.#events.onSlotFreed(null)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Takes no slot: it reads the store and sends no request to the host. */
  loadStoredRules(host: LeasedHost, url: LeasedUrl): void {
    host.isPreparing = true
    this.#dependencies.robotsChecker.loadStoredRules(url.url).then(
      () => this.#applyRules(host, url),
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Fetches robots.txt. The request takes a slot and keeps the gap like any other. */
  fetchRules(host: LeasedHost, url: LeasedUrl): void {
    const { slots, robotsChecker, responses } = this.#dependencies
    host.isPreparing = true
    const { end, ...started } = slots.begin(host, url)
    robotsChecker.fetchRules(url.url, host.gapMs, host).then(
      (result) => {
        end()
        if (slots.isClosed) return
        responses.updateHost(host, { ...started, attempts: 0, postponements: 0 }, result)
        this.#applyRules(host, url)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Reports the next pending URL of the host as denied by robots.txt. */
  reportDenied(host: LeasedHost, url: LeasedUrl, denial: RobotsDenial, now: number): void {
    this.#addSitemaps(url)
    // The unknown rules may contain a crawl delay. Until they are known, the host is leased to one thread only.
    if (denial.kind === 'unreachable') host.applyCrawlDelay(UNKNOWN_CRAWL_DELAY_MS)
    const report = reportRobotsDenied({ token: host.lease.token, url }, denial, this.#dependencies, now)
    this.#dependencies.reporter.reportWithoutRequest(host, url, report)
  }

  /** Denied URLs are reported at once: they need no request, so they do not wait for the gap. */
  #applyRules(host: LeasedHost, requestedFor: LeasedUrl): void {
    const { slots, responses, robotsChecker, clock } = this.#dependencies
    host.isPreparing = false
    if (slots.isClosed) return
    // Needs no lease. The rules are known from now on, so the next lease of the host would not get here.
    this.#addSitemaps(requestedFor)
    if (host.isFenced) return responses.releaseFenced(host)
    if (!this.#events.isEnding()) {
      const now = clock.now()
      for (let url = host.nextUrl; url !== undefined; url = host.nextUrl) {
        const permission = robotsChecker.check(url.url)
        if (permission.kind !== 'denied' && permission.kind !== 'unreachable') break
        this.reportDenied(host, url, permission, now)
      }
    }
    this.#events.onSlotFreed(null)
  }

  /**
   * Adds the sitemaps once per origin. If a rendered page sent the first request to the host, the rules are loaded
   * already, and the sitemaps are added with the first URL of the host. Sitemaps of a host that only has requisites
   * are not read.
   */
  #addSitemaps({ url, kind }: LeasedUrl): void {
    if (!this.#settings.sitemaps || kind === 'requisite' || this.#events.isEnding()) return
    const { robotsChecker, linkAdmission, commitBuffer } = this.#dependencies
    const sitemaps = robotsChecker.takeSitemaps(url)
    commitBuffer.addFoundUrls(sitemaps.flatMap((sitemap) => linkAdmission.toSitemapUrl(sitemap, url) ?? []))
  }
}
