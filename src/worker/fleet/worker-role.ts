// The worker role of a server process. It registers with the fleet, reports figures with every heartbeat, and runs
// every crawl that the heartbeat reply names, until it is drained or stopped. It then finishes or releases what is in
// flight.

import { isDeepStrictEqual } from 'node:util'
import { type HostWait, mergeWaits } from '../../engine/crawl/hosts/host-waits.ts'
import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { addLoopCounts, NO_LOOP_COUNTS } from '../../engine/crawl/stats/loop-counters.ts'
import type { PhaseTimes } from '../../engine/crawl/stats/phase-recorder.ts'
import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Crawl, CrawlSettings, Crawls } from '../../ports/crawls.ts'
import type { CrawlFigures, HeartbeatReply, Workers } from '../../ports/workers.ts'
import type { Holds } from '../holds/holds.ts'
import type { RequestCounts } from './figures-sampler.ts'
import { Heartbeat, type HeartbeatSettings, waitAtMost } from './heartbeat.ts'

export interface CrawlCounts extends RequestCounts {
  phases: PhaseTimes
  waits: HostWait[]
}

/** A crawl being run by this process. */
export interface WorkerCrawl {
  run(): Promise<string>
  stop(): void
  counts(): CrawlCounts
  /** Sets how many processes run the crawl. */
  setProcessCount(workers: number): void
}

/** Counters and current state of a worker. */
export interface WorkerCounts extends RequestCounts {
  crawls: CrawlFigures[]
  waits: HostWait[]
  loopDelayMs: number
}

export interface WorkerRoleDependencies {
  workers: Workers
  crawls: Pick<Crawls, 'addActiveTime' | 'setPaused'>
  beginCrawl(crawl: Crawl): Promise<WorkerCrawl>
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
}

export interface WorkerRoleSettings extends HeartbeatSettings {
  /** How long to wait for requests in flight on stop. Afterwards their leases expire. */
  graceMs: number
}

interface CrawlEntry {
  settings: CrawlSettings
  /** Active time after this is not saved to the store yet; null while the crawl is `watching`. */
  timedFrom: number | null
  run: WorkerCrawl | null
  done: Promise<void>
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
const SAVE_TIME_MS = 2_000

export class WorkerRole {
  readonly #settings: WorkerRoleSettings
  readonly #dependencies: WorkerRoleDependencies
  readonly #heartbeat: Heartbeat
  readonly #running = new Map<string, CrawlEntry>()
  /** Crawls that failed here, and when to retry them. */
  readonly #failed = new Map<string, { waitMs: number; at: number }>()
  /** Counters of the crawls that have ended here. */
  readonly #endedCounts: RequestCounts = {
    requests: 0,
    failures: 0,
    bytes: 0,
    inFlight: 0,
    held: null,
    loopCounts: NO_LOOP_COUNTS,
  }
  #isLeaving = false
  #workerCount = 1

  constructor(settings: WorkerRoleSettings, dependencies: WorkerRoleDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
    this.#heartbeat = new Heartbeat(settings, {
      ...dependencies,
      counts: () => {
        const { crawls, waits: _waits, loopDelayMs: _delay, ...counts } = this.counts()
        return { counts, crawls }
      },
      onReply: (heartbeatReply, now) => this.#applyReply(heartbeatReply, now),
    })
  }

  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Included in every heartbeat from now on. */
  setAddress(address: string): void {
    this.#heartbeat.setAddress(address)
  }

  /** Totals over all crawls of this process, and the current state of each. */
  counts(): WorkerCounts {
    const total = { ...this.#endedCounts }
    const crawls: CrawlFigures[] = []
    const waits: HostWait[][] = []
    for (const [crawlId, { run }] of this.#running) {
      if (run === null) continue
      const counts = run.counts()
      addCounts(total, counts)
      const silent = counts.waits.find(({ reason }) => reason === 'no_answer')
      crawls.push({
        crawlId,
        inFlight: counts.inFlight,
        phases: counts.phases,
        ...(silent === undefined ? {} : { silentHosts: { hosts: silent.hosts, host: silent.host } }),
      })
      waits.push(counts.waits)
    }
    return { ...total, crawls, waits: mergeWaits(waits), loopDelayMs: this.#heartbeat.loopDelayMs }
  }

  /** Time since the last reply of the store. */
  get silentMs(): number {
    return this.#heartbeat.silentMs
  }

  /** Resolves when the worker has left, or when `graceMs` is over. */
  async run(): Promise<void> {
    const { log, clock } = this.#dependencies
    const { id, name } = this.#settings
    log('worker joined', { worker: id, name })
    await this.#heartbeat.run()
    for (const { run } of this.#running.values()) run?.stop()
    const done = Promise.all([...this.#running.values()].map((crawlEntry) => crawlEntry.done))
    await waitAtMost(done, this.#settings.graceMs, clock)
    await this.#heartbeat.leave()
    log('worker left', { worker: id, unfinished: this.#running.size })
  }

  stop(): void {
    this.#isLeaving = true
    this.#heartbeat.stop()
  }

  async #applyReply(heartbeatReply: HeartbeatReply, now: number): Promise<void> {
    if (!heartbeatReply.mayWork) {
      this.#dependencies.log('worker drains', { worker: this.#settings.id })
      return this.stop()
    }
    const wanted = new Map(heartbeatReply.crawls.map((crawl) => [crawl.id, crawl.settings]))
    for (const [crawlId, { run, settings }] of this.#running) {
      // If settings have changed, the crawl is stopped, and a later reply starts it again once it has ended.
      if (!isDeepStrictEqual(wanted.get(crawlId), settings)) run?.stop()
    }
    await this.#saveActiveTime(heartbeatReply, now)
    if (this.#isLeaving) return
    for (const crawl of heartbeatReply.crawls) this.#beginCrawl(crawl, now)
    this.#workerCount = heartbeatReply.workers
    for (const { run } of this.#running.values()) run?.setProcessCount(heartbeatReply.workers)
  }

  /** The store counts overlapping time of several workers once. A `watching` crawl is not active. */
  async #saveActiveTime({ crawls }: HeartbeatReply, now: number): Promise<void> {
    const watching = new Set(crawls.flatMap(({ id, status }) => (status === 'watching' ? [id] : [])))
    for (const [crawlId, running] of this.#running) {
      if (watching.has(crawlId)) {
        await this.#addActiveTime(crawlId, running, now)
        running.timedFrom = null
      } else {
        running.timedFrom ??= now
        if (now - running.timedFrom >= SAVE_TIME_MS) await this.#addActiveTime(crawlId, running, now)
      }
    }
  }

  async #addActiveTime(crawlId: string, crawlEntry: CrawlEntry, now: number): Promise<void> {
    if (crawlEntry.timedFrom === null) return
    const passedMs = now - crawlEntry.timedFrom
    crawlEntry.timedFrom = now
    await this.#dependencies.crawls.addActiveTime(crawlId, passedMs)
  }

  #beginCrawl(crawl: Crawl, now: number): void {
    if (this.#running.has(crawl.id) || (this.#failed.get(crawl.id)?.at ?? 0) > now) return
    const crawlEntry: CrawlEntry = { settings: crawl.settings, timedFrom: now, run: null, done: Promise.resolve() }
    this.#running.set(crawl.id, crawlEntry)
    crawlEntry.done = this.#runCrawl(crawl, crawlEntry)
  }

  /** Never rejects: a crawl that fails here is retried after a while; other workers may run it in the meantime. */
  async #runCrawl(crawl: Crawl, crawlEntry: CrawlEntry): Promise<void> {
    const { log, beginCrawl, clock } = this.#dependencies
    const about = { crawl: crawl.id, worker: this.#settings.id }
    try {
      await this.#pauseIfUnusable(crawl, about)
      const run = await beginCrawl(crawl)
      crawlEntry.run = run
      run.setProcessCount(this.#workerCount)
      if (this.#isLeaving) run.stop()
      log('crawl started', { ...about, root: crawl.rootUrl })
      log('crawl ended here', { ...about, as: await run.run() })
      await this.#addActiveTime(crawl.id, crawlEntry, clock.now())
      this.#failed.delete(crawl.id)
    } catch (error) {
      const { code, message } = asAppError(error)
      const waitMs = Math.min(MAX_RETRY_MS, (this.#failed.get(crawl.id)?.waitMs ?? FIRST_RETRY_MS / 2) * 2)
      this.#failed.set(crawl.id, { waitMs, at: clock.now() + waitMs })
      log.warn('crawl failed here', { ...about, code, message, again_in_ms: waitMs })
    } finally {
      if (crawlEntry.run !== null) this.#addEndedCounts(crawlEntry.run)
      this.#running.delete(crawl.id)
    }
  }

  /** Invalid patterns of an older version do not go away by a retry, so the crawl is paused until they are changed. */
  async #pauseIfUnusable({ id, settings }: Crawl, about: { crawl: string; worker: string }): Promise<void> {
    const error = findPatternError(settings)
    if (error === null) return
    await this.#dependencies.crawls.setPaused(id, true)
    this.#dependencies.log.error('crawl paused', { ...about, code: error.code, message: error.message })
    throw error
  }

  #addEndedCounts(run: WorkerCrawl): void {
    const { requests, failures, bytes, loopCounts } = run.counts()
    addCounts(this.#endedCounts, { requests, failures, bytes, loopCounts, inFlight: 0, held: null })
  }
}

function addCounts(total: RequestCounts, counts: RequestCounts): void {
  total.requests += counts.requests
  total.failures += counts.failures
  total.bytes += counts.bytes
  total.inFlight += counts.inFlight
  total.held ??= counts.held
  total.loopCounts = addLoopCounts(total.loopCounts, counts.loopCounts)
}
