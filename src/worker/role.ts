// A process as a worker of the fleet: it registers, tells with every beat how it does, and works on every crawl that is
// running, until it is told to leave. It then finishes or hands back what is under way.

import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Workers } from '../ports/workers.ts'
import { Figures, type WorkCounts } from './figures.ts'

/** The crawl as this process works on it. */
export interface RoleShift {
  run(): Promise<string>
  stop(): void
  counts(): WorkCounts
  /** So many processes work on it. */
  shareWith(workers: number): void
}

export interface RoleParts {
  workers: Workers
  crawls: Pick<Crawls, 'addActiveTime'>
  beginShift(crawl: Crawl): Promise<RoleShift>
  clock: Clock
  log: Log
}

export interface RoleSettings {
  id: string
  name: string
  version: string
  /** Also the time in which a crawl that was paused or cancelled is heard of. */
  beatMs: number
  /** How long to finish what is under way before it is left to lapse. */
  graceMs: number
}

interface Running {
  shift: RoleShift | null
  done: Promise<void>
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
const SAVE_TIME_MS = 5_000
/** A store that is away cannot be told; it will notice. */
const LEAVE_MS = 2_000

export class WorkerRole {
  readonly #settings: RoleSettings
  readonly #parts: RoleParts
  readonly #figures: Figures
  readonly #startedAt: number
  readonly #running = new Map<string, Running>()
  /** Crawls that failed here, and when to try again. */
  readonly #failed = new Map<string, { waitMs: number; at: number }>()
  readonly #stopped = Promise.withResolvers<void>()
  /** What shifts that have ended counted. */
  readonly #past: WorkCounts = { requests: 0, failures: 0, bytes: 0, inFlight: 0, held: null }
  #isLeaving = false
  #workers = 1
  #address: string | null = null
  #heardAt: number
  #timeSavedAt: number

  constructor(settings: RoleSettings, parts: RoleParts) {
    this.#settings = settings
    this.#parts = parts
    this.#startedAt = parts.clock.now()
    this.#heardAt = this.#startedAt
    this.#timeSavedAt = this.#startedAt
    this.#figures = new Figures(this.#startedAt)
  }

  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Told with every beat from now on. */
  reachableAt(address: string): void {
    this.#address = address
  }

  /** What all its shifts have counted so far. */
  counts(): WorkCounts {
    const total = { ...this.#past }
    for (const { shift } of this.#running.values()) {
      if (shift !== null) add(total, shift.counts())
    }
    return total
  }

  /** How long ago the store answered last. */
  get silentMs(): number {
    return this.#parts.clock.now() - this.#heardAt
  }

  /** Resolves when it has left, or when the time to do so in good order is over. */
  async run(): Promise<void> {
    const { log, workers } = this.#parts
    const { id, name } = this.#settings
    log('worker joined', { worker: id, name })
    while (!this.#isLeaving) {
      const beat = this.#beat()
      // Nobody waits for it any more once the process shall end.
      beat.catch(() => undefined)
      await Promise.race([beat, this.#stopped.promise])
      await this.#rest(this.#settings.beatMs, this.#stopped.promise)
    }
    for (const { shift } of this.#running.values()) shift?.stop()
    const done = Promise.all([...this.#running.values()].map((running) => running.done))
    await this.#rest(this.#settings.graceMs, done)
    await this.#rest(LEAVE_MS, workers.leave(id))
    this.#figures.close()
    log('worker left', { worker: id, unfinished: this.#running.size })
  }

  stop(): void {
    this.#isLeaving = true
    this.#stopped.resolve()
  }

  async #beat(): Promise<void> {
    const { id, name, version } = this.#settings
    const now = this.#parts.clock.now()
    const figures = this.#figures.take(this.counts(), now)
    const about = { id, name, version, address: this.#address, startedAt: this.#startedAt }
    const orders = await this.#parts.workers.beat({ ...about, figures })
    this.#heardAt = this.#parts.clock.now()
    if (this.#isLeaving) return
    if (!orders.mayWork) {
      this.#parts.log('worker told to drain', { worker: id })
      return this.stop()
    }
    const wanted = new Set(orders.crawls.map((crawl) => crawl.id))
    for (const [crawlId, { shift }] of this.#running) if (!wanted.has(crawlId)) shift?.stop()
    await this.#saveTime(now)
    for (const crawl of orders.crawls) this.#begin(crawl, now)
    this.#workers = orders.workers
    for (const { shift } of this.#running.values()) shift?.shareWith(orders.workers)
  }

  /** What several workers say of the same time counts once. */
  async #saveTime(now: number): Promise<void> {
    const passedMs = now - this.#timeSavedAt
    if (passedMs < SAVE_TIME_MS) return
    this.#timeSavedAt = now
    for (const crawlId of this.#running.keys()) await this.#parts.crawls.addActiveTime(crawlId, passedMs)
  }

  #begin(crawl: Crawl, now: number): void {
    if (this.#running.has(crawl.id) || (this.#failed.get(crawl.id)?.at ?? 0) > now) return
    const running: Running = { shift: null, done: Promise.resolve() }
    this.#running.set(crawl.id, running)
    running.done = this.#work(crawl, running)
  }

  /** Never rejects: a crawl that fails here is tried again after a while, and by others meanwhile. */
  async #work(crawl: Crawl, running: Running): Promise<void> {
    const { log, beginShift, clock } = this.#parts
    const about = { crawl: crawl.id, worker: this.#settings.id }
    try {
      const shift = await beginShift(crawl)
      running.shift = shift
      shift.shareWith(this.#workers)
      if (this.#isLeaving) shift.stop()
      log('crawl begun', { ...about, root: crawl.rootUrl })
      log('crawl ended here', { ...about, as: await shift.run() })
      this.#failed.delete(crawl.id)
    } catch (error) {
      const { code, message } = asAppError(error)
      const waitMs = Math.min(MAX_RETRY_MS, (this.#failed.get(crawl.id)?.waitMs ?? FIRST_RETRY_MS / 2) * 2)
      this.#failed.set(crawl.id, { waitMs, at: clock.now() + waitMs })
      log('crawl failed here', { ...about, code, message, again_in_ms: waitMs })
    } finally {
      if (running.shift !== null) this.#keepCounts(running.shift)
      this.#running.delete(crawl.id)
    }
  }

  #keepCounts(shift: RoleShift): void {
    add(this.#past, { ...shift.counts(), inFlight: 0, held: null })
  }

  /** At most so long, and not after `isOver` has resolved. */
  async #rest(ms: number, isOver: Promise<unknown>): Promise<void> {
    let cancel: () => void = () => undefined
    const passed = new Promise<void>((resolve) => {
      cancel = this.#parts.clock.after(ms, resolve)
    })
    try {
      await Promise.race([passed, isOver])
    } finally {
      cancel()
    }
  }
}

function add(total: WorkCounts, counts: WorkCounts): void {
  total.requests += counts.requests
  total.failures += counts.failures
  total.bytes += counts.bytes
  total.inFlight += counts.inFlight
  total.held ??= counts.held
}
