// The loop of one crawl on one thread. It leases hosts (LeasePoller), keeps requests in flight (Dispatcher) and reports
// visits in batches (CommitBuffer). It holds no state that cannot be rebuilt: if the thread dies, its leases expire and
// its URLs are requeued.
//
//   pump -> poll for leases -> accept grant -> dispatch requests -> commit reports -> pump ...
//
// While the crawl is `watching`, the loop waits for work. It ends when the crawl ends, when it is stopped (after finishing
// the requests in flight), or when the store fails. A stop does not wait long for an archive that accepts no pages; the
// URLs of these pages are visited again later. While the loop is on hold, it starts nothing and keeps no leases.

import { type CrawlStatus, isActive } from '../../../lib/states.ts'
import { StopSignal } from '../../../lib/stop-signal.ts'
import type { LoopFrontier } from '../../../ports/frontier.ts'
import type { LeaseGrant } from '../../../ports/leases.ts'
import { PATTERN_STATE } from '../../../ports/patterns.ts'
import type { HostLoadSettings, LeasedHost } from '../hosts/leased-host.ts'
import { CommitBuffer } from '../report/commit-buffer.ts'
import type { ResponseArchiver } from '../report/response-archiver.ts'
import { limitArchiveWait } from './archive-wait.ts'
import { Dispatcher, type DispatcherDependencies, type DispatcherSettings } from './dispatcher.ts'
import { HostStarter } from './host-starter.ts'
import { LeasePoller, type LeasePollerSettings } from './lease-poller.ts'
import { LeaseRenewal } from './lease-renewal.ts'
import { LeasedHosts } from './leased-hosts.ts'
import { LoopMonitor } from './loop-monitor.ts'
import { WakeTimer } from './wake-timer.ts'

export interface LoopSettings extends LeasePollerSettings, DispatcherSettings, HostLoadSettings {
  leaseMs: number
}

export interface LoopDependencies extends Omit<DispatcherDependencies, 'leasedHosts' | 'commitBuffer'> {
  frontier: LoopFrontier
  archiver: ResponseArchiver
}

/** The usual corrections of a synchronised clock are smaller. */
const CLOCK_STEP_BACK_MS = 1000

export type LoopEnd = CrawlStatus | 'stopped'

export class CrawlLoop {
  readonly monitor: LoopMonitor
  /** The loop has ended with URLs in flight, which must be requeued. */
  hasUrlsInFlight = false
  readonly #dependencies: LoopDependencies
  readonly #leasedHosts: LeasedHosts
  readonly #commitBuffer: CommitBuffer
  readonly #dispatcher: Dispatcher
  readonly #hostStarter: HostStarter
  readonly #poller: LeasePoller
  readonly #wakeTimer: WakeTimer
  readonly #renewal: LeaseRenewal
  /** How the loop ends; null while it runs. */
  #endStatus: LoopEnd | null = null
  /** The store is ending the crawl: nothing more starts, and leased URLs are reported and released. */
  #isClosing = false
  #isOnHold = false
  /** Incremented on every reset; grants requested in an earlier epoch are released unused. */
  #epoch = 0
  #isOver = false
  #cancelArchiveCheck: (() => void) | null = null
  /** Version from the last grant; null before the first. */
  #policiesVersion: number | null = null
  /** The last time read from the clock. */
  #lastClockMs = 0
  readonly #end = Promise.withResolvers<LoopEnd>()
  readonly #stopSignal = new StopSignal()

  constructor(settings: LoopSettings, dependencies: LoopDependencies) {
    this.#dependencies = dependencies
    this.#leasedHosts = new LeasedHosts(settings, dependencies.random)
    this.#wakeTimer = new WakeTimer(dependencies.clock, () => this.#pump())
    this.#renewal = new LeaseRenewal(
      settings.leaseMs,
      { ...dependencies, leasedHosts: this.#leasedHosts },
      {
        onRenewed: (isAnyLost, requestedAt) => {
          if (isAnyLost) this.#handleLostLeases()
          else this.#dispatcher.forgetStepsBefore(requestedAt)
          this.#pump()
        },
        onFailed: (error) => this.fail(error),
      },
    )
    this.#commitBuffer = new CommitBuffer(settings, dependencies, {
      onDue: () => this.#flush(),
      onCommitted: ({ status, late, added, closing }) => {
        if (late > 0) this.#handleLostLeases()
        if (added > 0) this.#poller.pollSoon()
        this.#isClosing ||= closing
        if (!isActive(status)) this.#endStatus ??= status
        this.#pump()
      },
      onFailed: (error) => this.fail(error),
    })
    this.#dispatcher = new Dispatcher(
      settings,
      { ...dependencies, leasedHosts: this.#leasedHosts, commitBuffer: this.#commitBuffer },
      {
        onSlotFreed: (host) => this.#continueHost(host),
        onFailed: (error) => this.fail(error),
        isEnding: () => this.#isEnding,
      },
    )
    this.#hostStarter = new HostStarter(settings.concurrency, {
      leasedHosts: this.#leasedHosts,
      dispatcher: this.#dispatcher,
    })
    this.#poller = new LeasePoller(settings, {
      ...dependencies,
      leasedHosts: this.#leasedHosts,
      pageRenderer: dependencies.pageReading.pageRenderer,
    })
    this.monitor = new LoopMonitor(settings.concurrency, {
      leasedHosts: this.#leasedHosts,
      dispatcher: this.#dispatcher,
      poller: this.#poller,
      commitBuffer: this.#commitBuffer,
      documentQueue: dependencies.pageReading.documentQueue,
      clock: dependencies.clock,
      isOnHold: () => this.#isOnHold,
    })
  }

  run(): Promise<LoopEnd> {
    this.#renewal.start()
    this.#pump()
    return this.#end.promise
  }

  /** Starts nothing more, finishes requests in flight, commits, and releases the rest, including unread documents and pages not rendered. */
  stop(): void {
    this.#endStatus ??= 'stopped'
    this.#stopSignal.stop()
    if (!this.#isOver) this.#cancelArchiveCheck ??= this.#limitArchiveWait()
    this.#pump()
  }

  /** While on hold, the loop finishes and commits what is in flight, releases its leases, and waits. */
  setOnHold(isOnHold: boolean): void {
    this.#isOnHold = isOnHold
    this.#pump()
  }

  get #isEnding(): boolean {
    return this.#endStatus !== null || this.#isClosing
  }

  get #isIdle(): boolean {
    return this.#dispatcher.isIdle && this.#leasedHosts.pendingUrls === 0 && this.#commitBuffer.isDrained
  }

  /** Starts every request that may start, then polls for more leases, sets the wake timer, or ends. */
  #pump(): void {
    if (this.#isOver) return
    if (this.#isEnding) return this.#finish()
    if (this.#isOnHold) {
      this.#startSubrequests()
      return this.#releaseLeases()
    }
    const now = this.#readClock()
    let wakeAt = this.#hostStarter.startAll(now)
    const poller = this.#poller
    const wantsMore = poller.isRunningLow || (this.#dispatcher.hasFreeSlot && poller.hasRoomForHosts)
    if (wantsMore && !poller.isPolling) {
      // A poll first commits discovered URLs. While that commit is in flight, another poll would have the same result.
      const hasNothing = this.#dispatcher.isIdle && this.#leasedHosts.pendingUrls === 0
      if (now >= poller.nextPollAt || (hasNothing && this.#commitBuffer.isDrained)) void this.#poll()
      else wakeAt = Math.min(wakeAt, poller.nextPollAt)
    }
    this.#wakeTimer.set(wakeAt, now)
  }

  /** Starts requests of pages that are being rendered, while nothing else may start. */
  #startSubrequests(): void {
    const now = this.#dependencies.clock.now()
    this.#wakeTimer.set(this.#dispatcher.startSubrequests(now), now)
  }

  /** If the clock was set back, expired leases may look valid, so everything is leased again. */
  #readClock(): number {
    const now = this.#dependencies.clock.now()
    if (now < this.#lastClockMs - CLOCK_STEP_BACK_MS) this.#reset()
    this.#lastClockMs = now
    return now
  }

  /** `host` is the host whose request ended; null if any host may be able to start. */
  #continueHost(host: LeasedHost | null): void {
    if (host === null || this.#isEnding || this.#isOnHold) return this.#pump()
    if (!this.#hostStarter.continueHost(host, this.#readClock()) || this.#poller.isRunningLow) this.#pump()
  }

  /** Polls for leases. Found URLs are committed first, because the grant may contain them. */
  async #poll(): Promise<void> {
    const { clock } = this.#dependencies
    const epoch = this.#epoch
    if (!this.#poller.topsUpLeases) this.#leasedHosts.releaseIdle(this.#commitBuffer, clock.now())
    this.#flush()
    try {
      const requestedAt = clock.now()
      const grant = await this.#poller.requestLeases()
      if (this.#isOver) return
      if (epoch === this.#epoch) this.#acceptGrant(grant, requestedAt)
      else this.#commitBuffer.addReleasedLeases(grant.leases)
      // If there is nothing to do, wait for new URLs. A closing crawl also waits here, until other workers have
      // finished their requests.
      const canContinue = this.#endStatus !== null || this.#isOnHold || grant.leases.length > 0 || !this.#isIdle
      if (!canContinue) {
        this.#flush()
        await this.#poller.waitForWork(grant.nextDueAt, this.#stopSignal)
      }
      this.#pump()
    } catch (error) {
      this.fail(error)
    }
  }

  #acceptGrant(grant: LeaseGrant, requestedAt: number): void {
    const now = this.#dependencies.clock.now()
    const hasNewPolicies = this.#policiesVersion !== null && grant.policiesVersion !== this.#policiesVersion
    this.#policiesVersion = grant.policiesVersion
    const outdated = hasNewPolicies ? [...this.#leasedHosts.values()] : []
    for (const lease of grant.leases) this.#leasedHosts.add(lease, now)
    this.#leasedHosts.releaseOutdated(outdated)
    const tokens = grant.leases.map(({ token }) => token)
    this.#renewal.extend(tokens, requestedAt)
    const { trapDetector, pageRenderer } = this.#dependencies.pageReading
    trapDetector?.learnPatterns(grant.patterns)
    if (grant.renderPatterns !== undefined) pageRenderer?.learnPatterns(grant.renderPatterns)
    for (const pattern of grant.patterns)
      if (pattern.state === PATTERN_STATE.excluded) this.#dependencies.crawlLog.logTrap(pattern)
    this.#leasedHosts.releaseIdle(this.#commitBuffer, now)
    this.#isClosing ||= grant.closing
    if (!isActive(grant.status)) this.#endStatus ??= grant.status
  }

  #flush(): void {
    this.#commitBuffer.flush(this.#leasedHosts.values())
  }

  #releaseLeases(): void {
    this.#leasedHosts.dropAllPending()
    this.#leasedHosts.releaseIdle(this.#commitBuffer, this.#dependencies.clock.now())
    this.#flush()
  }

  /**
   * Ends the loop: releases URLs that were not started and waits for requests in flight. If the crawl is closing,
   * polls until the store has closed it.
   */
  #finish(): void {
    // A crawl that is being closed by the store waits for its documents and rendered pages.
    if (this.#endStatus !== null) this.#dispatcher.dropWaiting()
    else this.#startSubrequests()
    this.#releaseLeases()
    if (!this.#dispatcher.isIdle || !this.#commitBuffer.isDrained || this.#poller.isPolling) return
    if (this.#endStatus === null) return void this.#poll()
    this.#close()
    this.#end.resolve(this.#endStatus)
  }

  /** Ends a stopped loop whose last pages wait for the archive. */
  #limitArchiveWait(): () => void {
    const { clock, archiver } = this.#dependencies
    const isWaiting = () => this.#dispatcher.isIdle && archiver.batchesInFlight > 0
    return limitArchiveWait(clock, isWaiting, () => {
      this.hasUrlsInFlight = true
      this.#close()
      this.#end.resolve('stopped')
    })
  }

  /** Ends the loop because of an error inside or outside it. */
  fail(error: unknown): void {
    if (this.#isOver) return
    this.#close()
    this.#end.reject(error)
  }

  #close(): void {
    this.#isOver = true
    this.#cancelArchiveCheck?.()
    this.#wakeTimer.cancel()
    this.#dispatcher.close()
    this.#commitBuffer.cancelFlush()
    this.#renewal.stop()
  }

  /** The cause may be a page that blocked the thread, or something else: the store was down, or the process slept. */
  #handleLostLeases(): void {
    this.#dispatcher.recordStallingUrl(this.#renewal.maxBusyMs)
    this.#reset()
  }

  /** A report may have been rejected with the lost lease, so everything is dropped and leased again. */
  #reset(): void {
    this.#epoch += 1
    this.#commitBuffer.reset(this.#leasedHosts.values())
    this.#leasedHosts.fence()
    this.#dispatcher.reset()
    this.#dependencies.linkAdmission.reset()
    this.#dependencies.pageReading.pageRenderer?.reset()
    this.#dependencies.robotsChecker.clear()
    this.#poller.recover()
  }
}
