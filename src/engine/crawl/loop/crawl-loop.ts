// One crawl thread: leases hosts (supply.ts), keeps requests under way (launch.ts), reports visits in groups
// (outbox.ts). It holds nothing that may be lost: if it dies, its leases lapse and the urls are still in the queue.
//
//   pump -> ask -> take -> launch -> report -> pump ...
//
// It ends when the crawl does, when it is told to stop (it then finishes what is under way), or when the store fails.
// While it is held it stands still: nothing is started and no lease is kept.

import type { LeaseGrant, LoopFrontier } from '../../../ports/frontier.ts'
import type { CrawlStatus } from '../../../ports/state.ts'
import type { HostWait } from '../hosts/host-waits.ts'
import type { LeasedHost, PaceSettings } from '../hosts/leased-host.ts'
import { CommitBuffer } from '../report/commit-buffer.ts'
import type { ResponseArchiver } from '../report/response-archiver.ts'
import type { HostStats } from '../watch/host-stats.ts'
import type { LoopCounts } from '../watch/loop-counters.ts'
import { PhaseRecorder, type PhaseTimes } from '../watch/phase-recorder.ts'
import { Dispatcher, type DispatcherDependencies, type DispatcherSettings } from './dispatcher.ts'
import { LeasePoller, type LeasePollerSettings } from './lease-poller.ts'
import { LeaseRenewal } from './lease-renewal.ts'
import { LeasedHosts } from './leased-hosts.ts'
import { WakeTimer } from './wake-timer.ts'

export interface LoopSettings extends LeasePollerSettings, DispatcherSettings, PaceSettings {
  leaseMs: number
}

export interface LoopDependencies extends DispatcherDependencies {
  frontier: LoopFrontier
  archiver: ResponseArchiver
}

/** Corrections of a clock that is right are smaller. */
const CLOCK_STEP_BACK_MS = 1000

export type LoopEnd = CrawlStatus | 'stopped'

export class CrawlLoop {
  readonly #dependencies: LoopDependencies
  readonly #leasedHosts: LeasedHosts
  readonly #commitBuffer: CommitBuffer
  readonly #dispatcher: Dispatcher
  readonly #poller: LeasePoller
  readonly #wakeTimer: WakeTimer
  readonly #renewal: LeaseRenewal
  readonly #slots: number
  readonly #phases: PhaseRecorder
  /** Some host waits for others at its address, so that any end may be its start. */
  #isAnyWaitingForAddress = false
  /** How the loop shall end; null while it goes on. */
  #endStatus: LoopEnd | null = null
  #isClosing = false
  #isHeld = false
  /** Counts how often everything was started over: an answer to a question of before is no longer ours. */
  #epoch = 0
  #isOver = false
  /** What the clock showed when it was last read. */
  #lastClockMs = 0
  readonly #end = Promise.withResolvers<LoopEnd>()
  readonly #stopped = Promise.withResolvers<void>()

  constructor(settings: LoopSettings, dependencies: LoopDependencies) {
    this.#dependencies = dependencies
    this.#slots = settings.concurrency
    this.#phases = new PhaseRecorder(dependencies.clock.now())
    this.#leasedHosts = new LeasedHosts(settings)
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
        onFailed: (error) => this.#fail(error),
      },
    )
    this.#commitBuffer = new CommitBuffer(settings, dependencies, {
      onDue: () => this.#flush(),
      onCommitted: ({ status, late, added, closing }) => {
        if (late > 0) this.#handleLostLeases()
        if (added > 0) this.#poller.pollSoon()
        this.#isClosing ||= closing
        if (status !== 'running') this.#endStatus ??= status
        this.#pump()
      },
      onFailed: (error) => this.#fail(error),
    })
    const hands = { hosts: this.#leasedHosts, outbox: this.#commitBuffer }
    this.#dispatcher = new Dispatcher(settings, dependencies, hands, {
      onSlotFreed: (host) => this.#continueHost(host),
      onFailed: (error) => this.#fail(error),
      isEnding: () => this.#isEnding,
    })
    this.#poller = new LeasePoller(settings, { ...dependencies, leasedHosts: this.#leasedHosts })
  }

  run(): Promise<LoopEnd> {
    this.#renewal.start()
    this.#pump()
    return this.#end.promise
  }

  /** Starts nothing more, finishes what is under way, commits, and hands the rest back, with documents not read yet. */
  stop(): void {
    this.#endStatus ??= 'stopped'
    this.#stopped.resolve()
    this.#pump()
  }

  /** Held, it finishes and commits what is under way, hands back its leases, and waits until it is let go. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#pump()
  }

  get inFlight(): number {
    return this.#dispatcher.inFlight
  }

  get stats(): HostStats {
    return this.#dispatcher.stats
  }

  get loopCounts(): LoopCounts {
    return this.#commitBuffer.counters.read()
  }

  /** How long the oldest commit that the store is at has taken; 0 when there is none. */
  get oldestCommitMs(): number {
    return this.#commitBuffer.oldestCommitMs
  }

  get waits(): HostWait[] {
    return this.#leasedHosts.waits.list(
      this.#leasedHosts.values(),
      this.#dispatcher.throttle,
      this.#dependencies.clock.now(),
    )
  }

  /** To be called about ten times a second; `queue`: answers that wait for this thread. */
  samplePhases(queue: number): void {
    const now = this.#dependencies.clock.now()
    const waiting = this.#leasedHosts.countWaiting(this.#dispatcher.throttle, now)
    const { isRequesting, nextWorkAt } = this.#poller
    if (isRequesting && this.#leasedHosts.pendingUrls === 0) waiting.store += 1
    if (this.#dependencies.page.documentQueue.hasBacklog) waiting.documents += 1
    // What is queued may not be asked for yet: its hosts have their gap, in whoever's hands they were, unless they are
    // silent, or it waits for the document readers.
    else if (nextWorkAt !== null && nextWorkAt > now && waiting.origin === 0) waiting.politeness += 1
    const taken = this.#dispatcher.countUsedSlots()
    const { blockedBy } = this.#commitBuffer
    this.#phases.add(
      { slots: this.#slots, isHeld: this.#isHeld, commitsBlockedBy: blockedBy, taken, waiting },
      queue,
      now,
    )
  }

  get phases(): PhaseTimes {
    return this.#phases.lastMinute(this.#dependencies.clock.now())
  }

  get #isEnding(): boolean {
    return this.#endStatus !== null || this.#isClosing
  }

  get #isIdle(): boolean {
    return this.#dispatcher.isIdle && this.#leasedHosts.pendingUrls === 0 && this.#commitBuffer.isDrained
  }

  /** Starts what can be started, then asks for more, waits, or ends. */
  #pump(): void {
    if (this.#isOver) return
    if (this.#isEnding) return this.#drain()
    if (this.#isHeld) return this.#releaseLeases()
    const now = this.#readClock()
    let wakeAt = Number.POSITIVE_INFINITY
    this.#isAnyWaitingForAddress = false
    for (const host of this.#leasedHosts.values()) {
      if (!this.#dispatcher.hasFreeSlot) break
      wakeAt = Math.min(wakeAt, this.#startHost(host, now))
    }
    const leasePoller = this.#poller
    const wantsMore = leasePoller.isRunningLow || (this.#dispatcher.hasFreeSlot && leasePoller.hasRoomForHosts)
    if (wantsMore && !leasePoller.isPolling) {
      const hasNothing = this.#dispatcher.isIdle && this.#leasedHosts.pendingUrls === 0
      if (now >= leasePoller.nextPollAt || hasNothing) void this.#poll()
      else wakeAt = Math.min(wakeAt, leasePoller.nextPollAt)
    }
    this.#wakeTimer.set(wakeAt, now)
  }

  /** When the clock was set back, leases may look alive that lapsed before. */
  #readClock(): number {
    const now = this.#dependencies.clock.now()
    if (now < this.#lastClockMs - CLOCK_STEP_BACK_MS) this.#reset()
    this.#lastClockMs = now
    return now
  }

  /** Answers when the host can go on, if it is only a matter of time. */
  #startHost(host: LeasedHost, now: number): number {
    this.#dispatcher.startRequests(host, now)
    if (!host.hasSlot || host.isHanging(now)) return Number.POSITIVE_INFINITY
    if (host.nextAt > now) return host.nextAt
    const { nextAt } = this.#dispatcher.throttle
    if (nextAt > now) return nextAt
    this.#isAnyWaitingForAddress = true
    return Number.POSITIVE_INFINITY
  }

  /** The usual way on: the next url of the host that has just answered, and no look at the others. */
  #continueHost(host: LeasedHost | null): void {
    if (host === null || this.#isEnding || this.#isHeld || this.#isAnyWaitingForAddress) return this.#pump()
    const now = this.#readClock()
    this.#dispatcher.startRequests(host, now)
    const isToWait = host.nextAt > now || this.#dispatcher.throttle.nextAt > now
    if (host.pendingUrls === 0 || isToWait || this.#poller.isRunningLow) this.#pump()
  }

  /** Asks for urls. What was found meanwhile is flushed first, for it may be what we get. */
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
      // A crawl that is about to end waits for what others have under way.
      const isDone = this.#endStatus !== null || this.#isHeld || grant.leases.length > 0 || !this.#isIdle
      if (!isDone) {
        this.#flush()
        await this.#poller.waitForWork(grant.nextDueAt, this.#stopped.promise)
      }
      this.#pump()
    } catch (error) {
      this.#fail(error)
    }
  }

  #acceptGrant(grant: LeaseGrant, requestedAt: number): void {
    const now = this.#dependencies.clock.now()
    for (const lease of grant.leases) this.#leasedHosts.add(lease, now)
    const tokens = grant.leases.map(({ token }) => token)
    this.#renewal.extend(tokens, requestedAt)
    this.#dependencies.page.traps?.learnPatterns(grant.patterns)
    for (const pattern of grant.patterns) if (pattern.state === 'capped') this.#dependencies.crawlLog.logTrap(pattern)
    this.#leasedHosts.releaseIdle(this.#commitBuffer, now)
    this.#isClosing ||= grant.closing
    if (grant.status !== 'running') this.#endStatus ??= grant.status
  }

  #flush(): void {
    this.#commitBuffer.flush(this.#leasedHosts.values())
  }

  #releaseLeases(): void {
    this.#leasedHosts.dropAllPending()
    this.#leasedHosts.releaseIdle(this.#commitBuffer, this.#dependencies.clock.now())
    this.#flush()
  }

  /** Ending: hand back what was not started, wait for what was, then end, or help the store to close the crawl. */
  #drain(): void {
    // Those of a crawl that is about to end by itself are waited for.
    if (this.#endStatus !== null) this.#dispatcher.dropDocuments()
    this.#releaseLeases()
    if (!this.#dispatcher.isIdle || !this.#commitBuffer.isDrained || this.#poller.isPolling) return
    if (this.#endStatus === null) return void this.#poll()
    this.#close()
    this.#end.resolve(this.#endStatus)
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#close()
    this.#end.reject(error)
  }

  #close(): void {
    this.#isOver = true
    this.#wakeTimer.cancel()
    this.#dispatcher.close()
    this.#commitBuffer.cancelFlush()
    this.#renewal.stop()
  }

  /** By a page that took too long, or by what no page can help: the store is away, or the whole process stood still. */
  #handleLostLeases(): void {
    this.#dispatcher.blameLongStep(this.#renewal.maxBusyMs)
    this.#reset()
  }

  /** A lease was lost, so a report may not have counted: forget everything and lease anew (see ports/frontier.ts). */
  #reset(): void {
    this.#epoch += 1
    this.#commitBuffer.reset(this.#leasedHosts.values())
    this.#leasedHosts.fence()
    this.#dispatcher.reset()
    this.#dependencies.linkAdmission.reset()
    this.#dependencies.robotsChecker.clear()
    this.#poller.pollSoon()
  }
}
