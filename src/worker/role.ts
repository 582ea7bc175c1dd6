// A process as a worker of the fleet: it registers, tells with every beat how it does, and works on every crawl that is
// running, until it is told to leave. It then finishes or hands back what is under way.

import { isDeepStrictEqual } from 'node:util'
import { patternFault } from '../engine/crawl/pattern-check.ts'
import type { PhaseTimes } from '../engine/crawl/phases.ts'
import { addTallies, NO_TALLIES } from '../engine/crawl/tally.ts'
import { mergeWaits, type Wait } from '../engine/crawl/waits.ts'
import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Crawl, CrawlSettings, Crawls } from '../ports/crawls.ts'
import type { CrawlFigures, Orders, Workers } from '../ports/workers.ts'
import type { WorkCounts } from './figures.ts'
import { Heartbeat, type HeartbeatSettings, restUntil } from './heartbeat.ts'
import type { Holds } from './holds.ts'

export interface ShiftCounts extends WorkCounts {
  phases: PhaseTimes
  waits: Wait[]
}

/** The crawl as this process works on it. */
export interface RoleShift {
  run(): Promise<string>
  stop(): void
  counts(): ShiftCounts
  /** So many processes work on it. */
  shareWith(workers: number): void
}

/** What a worker has counted, and what it is at. */
export interface RoleCounts extends WorkCounts {
  crawls: CrawlFigures[]
  waits: Wait[]
  loopDelayMs: number
}

export interface RoleParts {
  workers: Workers
  crawls: Pick<Crawls, 'addActiveTime' | 'setPaused'>
  beginShift(crawl: Crawl): Promise<RoleShift>
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
}

export interface RoleSettings extends HeartbeatSettings {
  /** How long to finish what is under way before it is left to lapse. */
  graceMs: number
}

interface Running {
  settings: CrawlSettings
  /** Time from then on is not in the store yet. */
  timedFrom: number
  shift: RoleShift | null
  done: Promise<void>
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
const SAVE_TIME_MS = 5_000

export class WorkerRole {
  readonly #settings: RoleSettings
  readonly #parts: RoleParts
  readonly #heartbeat: Heartbeat
  readonly #running = new Map<string, Running>()
  /** Crawls that failed here, and when to try again. */
  readonly #failed = new Map<string, { waitMs: number; at: number }>()
  /** What shifts that have ended counted. */
  readonly #past: WorkCounts = { requests: 0, failures: 0, bytes: 0, inFlight: 0, held: null, tallies: NO_TALLIES }
  #isLeaving = false
  #workers = 1

  constructor(settings: RoleSettings, parts: RoleParts) {
    this.#settings = settings
    this.#parts = parts
    this.#heartbeat = new Heartbeat(settings, {
      ...parts,
      counts: () => {
        const { crawls, waits: _waits, loopDelayMs: _delay, ...counts } = this.counts()
        return { counts, crawls }
      },
      obey: (orders, now) => this.#obey(orders, now),
    })
  }

  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Told with every beat from now on. */
  reachableAt(address: string): void {
    this.#heartbeat.reachableAt(address)
  }

  /** What all its shifts have counted so far, and what each is at. */
  counts(): RoleCounts {
    const total = { ...this.#past }
    const crawls: CrawlFigures[] = []
    const waits: Wait[][] = []
    for (const [crawlId, { shift }] of this.#running) {
      if (shift === null) continue
      const counts = shift.counts()
      add(total, counts)
      crawls.push({ crawlId, inFlight: counts.inFlight, phases: counts.phases })
      waits.push(counts.waits)
    }
    return { ...total, crawls, waits: mergeWaits(waits), loopDelayMs: this.#heartbeat.loopDelayMs }
  }

  /** How long ago the store answered last. */
  get silentMs(): number {
    return this.#heartbeat.silentMs
  }

  /** Resolves when it has left, or when the time to do so in good order is over. */
  async run(): Promise<void> {
    const { log, clock } = this.#parts
    const { id, name } = this.#settings
    log('worker joined', { worker: id, name })
    await this.#heartbeat.run()
    for (const { shift } of this.#running.values()) shift?.stop()
    const done = Promise.all([...this.#running.values()].map((running) => running.done))
    await restUntil(done, this.#settings.graceMs, clock)
    await this.#heartbeat.leave()
    log('worker left', { worker: id, unfinished: this.#running.size })
  }

  stop(): void {
    this.#isLeaving = true
    this.#heartbeat.stop()
  }

  async #obey(orders: Orders, now: number): Promise<void> {
    if (!orders.mayWork) {
      this.#parts.log('worker told to drain', { worker: this.#settings.id })
      return this.stop()
    }
    const wanted = new Map(orders.crawls.map((crawl) => [crawl.id, crawl.settings]))
    for (const [crawlId, { shift, settings }] of this.#running) {
      // With new settings it is begun anew, once what is under way by the old ones has come to its end.
      if (!isDeepStrictEqual(wanted.get(crawlId), settings)) shift?.stop()
    }
    await this.#saveTime(now)
    if (this.#isLeaving) return
    for (const crawl of orders.crawls) this.#begin(crawl, now)
    this.#workers = orders.workers
    for (const { shift } of this.#running.values()) shift?.shareWith(orders.workers)
  }

  /** What several workers say of the same time counts once. */
  async #saveTime(now: number): Promise<void> {
    for (const [crawlId, running] of this.#running) {
      if (now - running.timedFrom >= SAVE_TIME_MS) await this.#addTime(crawlId, running, now)
    }
  }

  async #addTime(crawlId: string, running: Running, now: number): Promise<void> {
    const passedMs = now - running.timedFrom
    running.timedFrom = now
    await this.#parts.crawls.addActiveTime(crawlId, passedMs)
  }

  #begin(crawl: Crawl, now: number): void {
    if (this.#running.has(crawl.id) || (this.#failed.get(crawl.id)?.at ?? 0) > now) return
    const running: Running = { settings: crawl.settings, timedFrom: now, shift: null, done: Promise.resolve() }
    this.#running.set(crawl.id, running)
    running.done = this.#work(crawl, running)
  }

  /** Never rejects: a crawl that fails here is tried again after a while, and by others meanwhile. */
  async #work(crawl: Crawl, running: Running): Promise<void> {
    const { log, beginShift, clock } = this.#parts
    const about = { crawl: crawl.id, worker: this.#settings.id }
    try {
      await this.#pauseIfUnusable(crawl, about)
      const shift = await beginShift(crawl)
      running.shift = shift
      shift.shareWith(this.#workers)
      if (this.#isLeaving) shift.stop()
      log('crawl begun', { ...about, root: crawl.rootUrl })
      log('crawl ended here', { ...about, as: await shift.run() })
      await this.#addTime(crawl.id, running, clock.now())
      this.#failed.delete(crawl.id)
    } catch (error) {
      const { code, message } = asAppError(error)
      const waitMs = Math.min(MAX_RETRY_MS, (this.#failed.get(crawl.id)?.waitMs ?? FIRST_RETRY_MS / 2) * 2)
      this.#failed.set(crawl.id, { waitMs, at: clock.now() + waitMs })
      log.warn('crawl failed here', { ...about, code, message, again_in_ms: waitMs })
    } finally {
      if (running.shift !== null) this.#keepCounts(running.shift)
      this.#running.delete(crawl.id)
    }
  }

  /** Patterns of an older version that can no longer be used stay so: the crawl waits until somebody changes them. */
  async #pauseIfUnusable({ id, settings }: Crawl, about: { crawl: string; worker: string }): Promise<void> {
    const fault = patternFault(settings)
    if (fault === null) return
    await this.#parts.crawls.setPaused(id, true)
    this.#parts.log.error('crawl paused', { ...about, code: fault.code, message: fault.message })
    throw fault
  }

  #keepCounts(shift: RoleShift): void {
    const { requests, failures, bytes, tallies } = shift.counts()
    add(this.#past, { requests, failures, bytes, tallies, inFlight: 0, held: null })
  }
}

function add(total: WorkCounts, counts: WorkCounts): void {
  total.requests += counts.requests
  total.failures += counts.failures
  total.bytes += counts.bytes
  total.inFlight += counts.inFlight
  total.held ??= counts.held
  total.tallies = addTallies(total.tallies, counts.tallies)
}
