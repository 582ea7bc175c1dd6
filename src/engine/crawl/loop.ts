// One crawl thread: leases hosts, keeps requests under way, reports visits in groups. It holds nothing that may be
// lost: if it dies, its leases lapse and the urls are still in the queue.
//
//   refill -> lease -> start -> fetch -> report -> flush -> refill ...
//
// It ends when the crawl does, when it is told to stop (it then finishes what is under way), or when the store fails.

import type { Clock } from '../../lib/clock.ts'
import type { CommitBatch, Frontier, LeasedUrl, LeaseGrant, VisitReport } from '../../ports/frontier.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { Fetcher, FetchResult } from '../fetch/result.ts'
import type { RobotsGate } from '../robots/gate.ts'
import { HostWork } from './host-work.ts'
import { HostStats } from './stats.ts'
import { reportDenied, reportVisit, type VisitParts } from './visit.ts'

export interface LoopSettings {
  crawlId: string
  workerId: string
  /** Requests under way at a time, over all hosts. */
  concurrency: number
  slotsPerHost: number
  delayMs: number | 'auto'
  leaseMs: number
}

export interface LoopParts extends VisitParts {
  frontier: Frontier
  fetcher: Fetcher
  gate: RobotsGate
  clock: Clock
}

export type LoopEnd = CrawlStatus | 'stopped'

const NO_KEYS = new Uint8Array(0)
/** A commit is sent when it holds so many visits or found urls, or when its first visit is so old. */
const FLUSH_VISITS = 256
const FLUSH_FOUND = 4096
const FLUSH_MS = 100
/** Commits sent and not yet answered; more would only grow the memory. */
const MAX_COMMITS = 3
/** Pause between questions for work while requests are under way, doubled while the answer is nothing. */
const ASK_MIN_MS = 2
const ASK_MAX_MS = 200
/** Idle polling (FRO-03). */
const POLL_MIN_MS = 100
const POLL_MAX_MS = 30_000
/** Hosts held for each request that can be under way: most hosts spend most of the time in their gap. */
const HOSTS_PER_REQUEST = 4

export class CrawlLoop {
  readonly stats: HostStats
  readonly #settings: LoopSettings
  readonly #parts: LoopParts
  readonly #works = new Map<number, HostWork>()
  readonly #wantedInHand: number
  #batch: CommitBatch
  /** Urls found by the visits of the batch. */
  #found = 0
  #inFlight = 0
  #inHand = 0
  #commits = 0
  #isAsking = false
  #askAt = 0
  #askDelayMs = ASK_MIN_MS
  #pollMs = POLL_MIN_MS
  /** How the loop shall end; null while it goes on. */
  #endAs: LoopEnd | null = null
  #isClosing = false
  #isOver = false
  #cancelTimer: (() => void) | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #cancelFlush: (() => void) | null = null
  #cancelRenew: (() => void) | null = null
  readonly #end = Promise.withResolvers<LoopEnd>()
  readonly #stopped = Promise.withResolvers<void>()

  constructor(settings: LoopSettings, parts: LoopParts) {
    this.#settings = settings
    this.#parts = parts
    this.#wantedInHand = Math.max(64, settings.concurrency * 16)
    this.#batch = this.#emptyBatch()
    this.stats = new HostStats()
  }

  run(): Promise<LoopEnd> {
    this.#renewLater()
    this.#pump()
    return this.#end.promise
  }

  /** Starts nothing more, finishes what is under way, commits, and hands the rest back. */
  stop(): void {
    this.#endAs ??= 'stopped'
    this.#stopped.resolve()
    this.#pump()
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Starts what can be started, then asks for more, waits, or ends. */
  #pump(): void {
    if (this.#isOver) return
    if (this.#isEnding()) return this.#drain()
    const now = this.#parts.clock.now()
    let wakeAt = Number.POSITIVE_INFINITY
    for (const work of this.#works.values()) {
      while (this.#hasRoom() && work.canStart(now)) this.#start(work, now)
      if (work.inHand > 0 && !work.isWaiting && work.inFlight < work.lease.slots) wakeAt = Math.min(wakeAt, work.nextAt)
      if (!this.#hasRoom()) break
    }
    if (this.#wantsMore() && !this.#isAsking) {
      const hasNothing = this.#inFlight === 0 && this.#inHand === 0
      if (now >= this.#askAt || hasNothing) void this.#ask()
      else wakeAt = Math.min(wakeAt, this.#askAt)
    }
    this.#wakeAt(wakeAt, now)
  }

  #isEnding(): boolean {
    return this.#endAs !== null || this.#isClosing
  }

  #hasRoom(): boolean {
    return this.#inFlight < this.#settings.concurrency && this.#commits < MAX_COMMITS
  }

  #wantsMore(): boolean {
    if (this.#inHand < this.#wantedInHand / 2) return true
    return this.#hasRoom() && this.#works.size < this.#settings.concurrency * HOSTS_PER_REQUEST
  }

  /** Starts the next url of a host, or what has to come before it, or reports why it may not start. */
  #start(work: HostWork, now: number): void {
    const url = work.next
    if (url === undefined) return
    const permit = this.#parts.gate.judge(url.url)
    if (permit.kind === 'unknown') return this.#learnRules(work, url, now)
    work.take()
    this.#inHand -= 1
    if (permit.kind !== 'allowed') {
      this.#report(reportDenied({ token: work.lease.token, url }, permit, this.#parts, now))
      return
    }
    work.crawlDelayMs = permit.crawlDelayMs
    this.#begin(work, now)
    this.#parts.fetcher.fetch(url.url, (result) => this.#finish(work, url, result))
  }

  /** Fetches robots.txt in place of a url: it takes a slot and keeps the gap like any request. */
  #learnRules(work: HostWork, url: LeasedUrl, now: number): void {
    work.isWaiting = true
    this.#begin(work, now)
    this.#parts.gate.learn(url.url, () => {
      const end = this.#parts.clock.now()
      this.#inFlight -= 1
      work.isWaiting = false
      work.finish(end - now, end)
      if (!this.#isEnding() && !work.isFenced) this.#reportDenied(work, end)
      this.#pump()
    })
  }

  /** Urls that the rules just learnt keep us from need no request, so they do not wait for the gap. */
  #reportDenied(work: HostWork, now: number): void {
    for (let url = work.next; url !== undefined; url = work.next) {
      const permit = this.#parts.gate.judge(url.url)
      if (permit.kind === 'allowed' || permit.kind === 'unknown') return
      work.take()
      this.#inHand -= 1
      this.#report(reportDenied({ token: work.lease.token, url }, permit, this.#parts, now))
    }
  }

  #begin(work: HostWork, now: number): void {
    work.begin(now)
    this.#inFlight += 1
  }

  #finish(work: HostWork, url: LeasedUrl, result: FetchResult): void {
    const now = this.#parts.clock.now()
    this.#inFlight -= 1
    if (work.isFenced) return this.#pump()
    work.finish(result.fetchMs, now)
    this.stats.record(work.lease.host, result)
    this.#batch.bytes += result.wireBytes
    this.#report(reportVisit({ token: work.lease.token, url }, result, this.#parts, now))
    while (!this.#isEnding() && this.#hasRoom() && work.canStart(now)) this.#start(work, now)
    if (this.#isEnding() || work.inHand === 0 || work.nextAt > now || this.#inHand < this.#wantedInHand / 2)
      this.#pump()
  }

  #report(visit: VisitReport): void {
    this.#batch.visits.push(visit)
    this.#found += visit.found.length
    if (this.#batch.visits.length >= FLUSH_VISITS || this.#found >= FLUSH_FOUND) this.#flush()
    else this.#cancelFlush ??= this.#parts.clock.after(FLUSH_MS, () => this.#flush())
  }

  /** Asks for urls. What was found meanwhile is flushed first, for it may be what we get. */
  async #ask(): Promise<void> {
    this.#isAsking = true
    this.#flush()
    try {
      this.#take(await this.#parts.frontier.lease(this.#request()))
    } catch (error) {
      this.#fail(error)
    }
  }

  #request() {
    const { crawlId, workerId, concurrency, slotsPerHost, delayMs } = this.#settings
    const topUp: number[] = []
    // A host with a gap goes back after each hand, so that others get their turn.
    if (delayMs === 0) {
      for (const work of this.#works.values()) {
        if (work.inHand < work.lease.slots * 8) topUp.push(work.lease.token)
      }
    }
    const maxUrls = Math.max(1, this.#wantedInHand - this.#inHand)
    const maxHosts = Math.max(0, concurrency * HOSTS_PER_REQUEST - this.#works.size) + topUp.length
    return { crawlId, workerId, maxUrls, maxHosts, slotsPerHost, topUp }
  }

  #take(grant: LeaseGrant): void {
    this.#isAsking = false
    if (this.#isOver) return
    const now = this.#parts.clock.now()
    for (const lease of grant.leases) {
      const held = this.#works.get(lease.token)
      if (held === undefined) this.#works.set(lease.token, new HostWork(lease, this.#settings.delayMs))
      else held.add(lease.urls)
      this.#inHand += lease.urls.length
    }
    this.#releaseIdle()
    this.#isClosing ||= grant.closing
    if (grant.status !== 'running') this.#endAs ??= grant.status
    const isIdle = this.#inFlight === 0 && this.#inHand === 0 && this.#commits === 0 && this.#endAs === null
    if (grant.leases.length === 0 && isIdle) return void this.#idle(grant, now)
    if (grant.leases.length > 0) this.#pollMs = POLL_MIN_MS
    this.#askDelayMs = grant.leases.length > 0 ? ASK_MIN_MS : Math.min(ASK_MAX_MS, this.#askDelayMs * 2)
    this.#askAt = now + this.#askDelayMs
    this.#pump()
  }

  /** Nothing to do here: others may be at work, or a host may become due. */
  async #idle(grant: LeaseGrant, now: number): Promise<void> {
    this.#isAsking = true
    this.#flush()
    const untilDueMs = grant.nextDueAt === null ? POLL_MAX_MS : Math.max(0, grant.nextDueAt - now)
    try {
      await Promise.race([this.#parts.frontier.waitForWork(Math.min(untilDueMs, this.#pollMs)), this.#stopped.promise])
    } catch (error) {
      return this.#fail(error)
    }
    this.#pollMs = Math.min(POLL_MAX_MS, this.#pollMs * 2)
    this.#isAsking = false
    this.#pump()
  }

  #releaseIdle(): void {
    for (const [token, work] of this.#works) {
      if (!work.isIdle) continue
      if (work.isDirty) this.#batch.hosts.push(work.report())
      this.#works.delete(token)
      this.#batch.release.push(token)
    }
  }

  #flush(): void {
    this.#cancelFlush?.()
    this.#cancelFlush = null
    const batch = this.#batch
    if (batch.visits.length === 0 && batch.release.length === 0) return
    for (const work of this.#works.values()) if (work.isDirty) batch.hosts.push(work.report())
    batch.rejected = this.#parts.admit.takeRejected()
    batch.linkKeys = this.#parts.admit.linkKeys.takeAll()
    this.#batch = this.#emptyBatch()
    this.#found = 0
    this.#commits += 1
    this.#parts.frontier.commit(batch).then(
      (result) => {
        this.#commits -= 1
        if (result.late > 0) this.#startOver()
        if (result.added > 0) this.#askAt = 0
        this.#isClosing ||= result.closing
        this.#pump()
      },
      (error: unknown) => this.#fail(error),
    )
  }

  /** Ending: hand back what was not started, wait for what was, then end, or help the store to close the crawl. */
  #drain(): void {
    for (const work of this.#works.values()) this.#inHand -= work.dropHand()
    this.#releaseIdle()
    if (this.#inFlight > 0) return
    this.#flush()
    if (this.#commits > 0 || this.#isAsking) return
    if (this.#endAs === null) return void this.#ask()
    this.#close()
    this.#end.resolve(this.#endAs)
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#close()
    this.#end.reject(error)
  }

  #close(): void {
    this.#isOver = true
    this.#cancelTimer?.()
    this.#cancelFlush?.()
    this.#cancelRenew?.()
  }

  /** Pumps at that time at the latest. A timer that is set for an earlier time will do: it pumps, and sets the next. */
  #wakeAt(time: number, now: number): void {
    if (time >= this.#timerAt) return
    this.#cancelTimer?.()
    this.#timerAt = time
    this.#cancelTimer = this.#parts.clock.after(Math.max(0, time - now), () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#cancelTimer = null
      this.#pump()
    })
  }

  #renewLater(): void {
    this.#cancelRenew = this.#parts.clock.after(this.#settings.leaseMs / 3, () => {
      this.#parts.frontier.renew([...this.#works.keys()]).then(
        (lost) => {
          if (lost.length > 0) this.#startOver()
          if (this.#isOver) return
          this.#renewLater()
          this.#pump()
        },
        (error: unknown) => this.#fail(error),
      )
    })
  }

  /** A lease was lost, so a report may not have counted: forget everything and lease anew (see ports/frontier.ts). */
  #startOver(): void {
    const hosts = [...this.#works.values()].map((work) => work.report())
    for (const work of this.#works.values()) {
      work.isFenced = true
      this.#inHand -= work.dropHand()
    }
    this.#parts.admit.startOver()
    this.#found = 0
    this.#batch = { ...this.#emptyBatch(), hosts, release: [...this.#works.keys()] }
    this.#works.clear()
    this.#askAt = 0
  }

  #emptyBatch(): CommitBatch {
    const { crawlId, workerId } = this.#settings
    return { crawlId, workerId, visits: [], linkKeys: NO_KEYS, hosts: [], rejected: {}, release: [], bytes: 0 }
  }
}
