// Polls the frontier for leases: at once while it has URLs, with a growing backoff while it has none.

import type { Clock } from '../../../lib/clock.ts'
import type { StopSignal } from '../../../lib/stop-signal.ts'
import type { LoopFrontier } from '../../../ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../ports/leases.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import type { PageRenderer } from '../render/page-renderer.ts'
import type { LeasedHosts } from './leased-hosts.ts'

export interface LeasePollerSettings {
  crawlId: string
  threadId: string
  concurrency: number
  slotsPerHost: number
  delayMs: number | 'auto'
  /** Shortest and longest wait between polls while nothing is in flight (FRO-03). */
  pollMinMs: number
  pollMaxMs: number
}

export interface LeasePollerDependencies {
  frontier: LoopFrontier
  clock: Clock
  leasedHosts: LeasedHosts
  pageRenderer: Pick<PageRenderer, 'learnedPatterns'> | null
}

/** Interval between polls while requests are in flight. Doubled after every empty grant. */
const BUSY_POLL_MIN_MS = 2
const BUSY_POLL_MAX_MS = 200
/** Leased hosts per request slot: most hosts spend most of the time in their gap. */
const HOSTS_PER_SLOT = 4
/**
 * A thread that has lost its leases takes a tenth of its share at first, and all of it after this time: it may not have
 * recovered, and others have taken its work.
 */
const RECOVERY_MS = 10_000
const MIN_RECOVERY_SHARE = 0.1

export class LeasePoller {
  readonly #settings: LeasePollerSettings
  readonly #dependencies: LeasePollerDependencies
  readonly #targetUrls: number
  #lostLeasesAt = Number.NEGATIVE_INFINITY
  #patternsVersion = 0
  #wakeCount = 0
  /** The last grant had no room for hosts that are not leased. */
  #isSpentOnTopUps = false
  #busyPollMs = BUSY_POLL_MIN_MS
  #idlePollMs: number
  /** Requesting leases, or waiting after an empty grant. */
  isPolling = false
  /** A request for leases is in flight. */
  isRequesting = false
  /**
   * When the store will have due URLs, according to the last empty grant; null if unknown, or if the grant had URLs.
   */
  nextWorkAt: number | null = null
  /** Time of the next poll while there are other URLs to visit. */
  nextPollAt = 0

  constructor(settings: LeasePollerSettings, dependencies: LeasePollerDependencies) {
    this.#settings = settings
    this.#idlePollMs = settings.pollMinMs
    this.#dependencies = dependencies
    this.#targetUrls = Math.max(64, settings.concurrency * 16)
  }

  /** Fewer than half of the wanted URLs are pending. */
  get isRunningLow(): boolean {
    return this.#dependencies.leasedHosts.pendingUrls < (this.#targetUrls * this.#share) / 2
  }

  get hasRoomForHosts(): boolean {
    return this.#dependencies.leasedHosts.size < this.#maxHosts
  }

  /** Hosts without a gap are topped up. Others are released when their URLs are done, so that hosts take turns. */
  get topsUpLeases(): boolean {
    return this.#settings.delayMs === 0
  }

  pollSoon(): void {
    this.nextPollAt = 0
  }

  /** The leases of this thread were lost. */
  recover(): void {
    this.#lostLeasesAt = this.#dependencies.clock.now()
    this.pollSoon()
  }

  /** Share of the hosts and URLs that the thread would hold. */
  get #share(): number {
    const passedMs = this.#dependencies.clock.now() - this.#lostLeasesAt
    return Math.max(MIN_RECOVERY_SHARE, Math.min(1, passedMs / RECOVERY_MS))
  }

  get #maxHosts(): number {
    return Math.ceil(this.#settings.concurrency * HOSTS_PER_SLOT * this.#share)
  }

  async requestLeases(): Promise<LeaseGrant> {
    this.isPolling = true
    this.isRequesting = true
    const request = this.#buildRequest()
    const grant = await this.#dependencies.frontier.lease(request)
    this.#isSpentOnTopUps = isSpentOnTopUps(request, grant)
    this.isRequesting = false
    this.isPolling = false
    this.#patternsVersion = grant.patternsVersion
    this.#wakeCount = grant.wakeCount
    const hasUrls = grant.leases.length > 0
    this.nextWorkAt = hasUrls ? null : grant.nextDueAt
    if (hasUrls) this.#idlePollMs = this.#settings.pollMinMs
    this.#busyPollMs = hasUrls ? BUSY_POLL_MIN_MS : Math.min(BUSY_POLL_MAX_MS, this.#busyPollMs * 2)
    this.nextPollAt = this.#dependencies.clock.now() + this.#busyPollMs
    return grant
  }

  /** Waits until the store may have URLs, or until stopped. */
  async waitForWork(nextDueAt: number | null, stopSignal: StopSignal): Promise<void> {
    this.isPolling = true
    const untilDueMs =
      nextDueAt === null ? this.#settings.pollMaxMs : Math.max(0, nextDueAt - this.#dependencies.clock.now())
    const waitMs = Math.min(untilDueMs, this.#idlePollMs)
    await stopSignal.waitFor(this.#dependencies.frontier.waitForWork(waitMs, this.#wakeCount))
    this.#idlePollMs = Math.min(this.#settings.pollMaxMs, this.#idlePollMs * 2)
    this.isPolling = false
  }

  /** The store tops up before it looks for other hosts, so these get the next grant. */
  get #mayTopUp(): boolean {
    return !(this.#isSpentOnTopUps && this.hasRoomForHosts && this.#dependencies.leasedHosts.pendingUrls > 0)
  }

  #buildRequest(): LeaseRequest {
    const { crawlId, threadId, slotsPerHost } = this.#settings
    const { leasedHosts } = this.#dependencies
    const needy: LeasedHost[] = []
    for (const host of this.#mayTopUp ? leasedHosts.values() : []) {
      if (host.isOutdated) continue
      // A host with a gap is topped up only if a slow response leaves slots idle, or if documents keep it from release.
      const needsUrls = this.topsUpLeases
        ? host.pendingUrls < host.slots * 8
        : host.hasIdleSlots || host.hasOnlyWaitingVisits
      if (needsUrls) needy.push(host)
    }
    const topUp = needy.sort((a, b) => a.pendingUrls - b.pendingUrls).map(({ lease }) => lease.token)
    const maxUrls = Math.max(1, Math.ceil(this.#targetUrls * this.#share) - leasedHosts.pendingUrls)
    const maxHosts = Math.max(0, this.#maxHosts - leasedHosts.size) + topUp.length
    const renderPatterns = this.#dependencies.pageRenderer?.learnedPatterns ?? 0
    const known = { patternsVersion: this.#patternsVersion, renderPatterns }
    return { crawlId, threadId, maxUrls, maxHosts, slotsPerHost, topUp, ...known }
  }
}

function isSpentOnTopUps({ topUp, maxUrls }: LeaseRequest, { leases }: LeaseGrant): boolean {
  const urls = leases.reduce((sum, lease) => sum + lease.urls.length, 0)
  return urls >= maxUrls && leases.every(({ token }) => topUp.includes(token))
}
