// The heartbeat of a crawling process: it registers the worker, reports its figures, and receives the crawls to run. A
// failed heartbeat is retried with a growing backoff; the crawls continue in the meantime, since they may be fine. The
// process gives up if this version cannot use the store at all, or after `patienceMs`. If the disk is full, it waits
// without limit, and the crawls are on hold until there is space.

import type { Clock } from '../../lib/clock.ts'
import { asAppError, type ErrorCode } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { StopSignal } from '../../lib/stop-signal.ts'
import type { CrawlFigures, HeartbeatReply, Workers } from '../../ports/workers.ts'
import { HoldSwitch } from '../holds/hold-switch.ts'
import type { Holds } from '../holds/holds.ts'
import { FiguresSampler, type RequestCounts } from './figures-sampler.ts'

export interface HeartbeatSettings {
  id: string
  name: string
  version: string
  /** Interval of heartbeats. Also the time until a paused or cancelled crawl is noticed. */
  beatMs: number
  /** How long heartbeats may fail before the process ends. */
  patienceMs: number
}

export interface HeartbeatDependencies {
  workers: Pick<Workers, 'heartbeat' | 'leave'>
  /** Taken while the fleet is on hold, or while the disk of the store is full. */
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
  /** The figures to report. */
  counts(): { counts: RequestCounts; crawls: CrawlFigures[] }
  /** Not called after `stop`. `now` is when the heartbeat was sent. */
  onReply(heartbeatReply: HeartbeatReply, now: number): Promise<void> | void
}

const MAX_WAIT_MS = 30_000
/** Space can be freed at any time, and a heartbeat finds out. */
const MAX_DISK_FULL_WAIT_MS = 5_000
/** If the store is down, the worker leaves without notice and is found lost later. */
const LEAVE_MS = 5_000
/** A retry does not help: this version cannot use the store. */
const FATAL_CODES: readonly ErrorCode[] = [
  'DATA_NEWER',
  'DATA_FOREIGN',
  'DATA_NOT_FOUND',
  'DATA_IN_USE',
  'DATA_UNWRITABLE',
  'MOVE_UNFINISHED',
]

export class Heartbeat {
  readonly #settings: HeartbeatSettings
  readonly #dependencies: HeartbeatDependencies
  readonly #figures: FiguresSampler
  readonly #startedAt: number
  readonly #stopSignal = new StopSignal()
  #address: string | null = null
  /** The heartbeat that was sent last. */
  #beat: Promise<void> = Promise.resolve()
  #lastReplyAt: number
  /** Time of the last reply, or of the last report of a full disk if that is later. */
  #lastContactAt: number
  #waitMs: number
  readonly #fleetHold: HoldSwitch
  readonly #diskHold: HoldSwitch

  constructor(settings: HeartbeatSettings, dependencies: HeartbeatDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
    this.#startedAt = dependencies.clock.now()
    this.#lastReplyAt = this.#startedAt
    this.#lastContactAt = this.#startedAt
    this.#waitMs = settings.beatMs
    this.#figures = new FiguresSampler(this.#startedAt)
    this.#fleetHold = new HoldSwitch(dependencies.holds)
    this.#diskHold = new HoldSwitch(dependencies.holds)
  }

  /** Time since the last reply of the store. */
  get silentMs(): number {
    return this.#dependencies.clock.now() - this.#lastReplyAt
  }

  get loopDelayMs(): number {
    return this.#figures.loopDelayMs
  }

  /** Included in every heartbeat from now on. */
  setAddress(address: string): void {
    this.#address = address
  }

  /** Resolves after `stop`; rejects when it gives up. */
  async run(): Promise<void> {
    while (!this.#stopSignal.isStopped) {
      this.#beat = this.#tryBeat()
      await this.#stopSignal.waitFor(this.#beat)
      await this.#stopSignal.sleep(this.#waitMs, this.#dependencies.clock)
    }
  }

  stop(): void {
    this.#stopSignal.stop()
  }

  /** Unregisters the worker. Nothing of this process may be in flight any more. */
  async leave(): Promise<void> {
    this.stop()
    const { workers, clock } = this.#dependencies
    // A heartbeat that arrived later would undo it.
    const left = this.#beat.catch(() => undefined).then(() => workers.leave(this.#settings.id))
    await waitAtMost(left, LEAVE_MS, clock)
    this.#figures.close()
  }

  async #tryBeat(): Promise<void> {
    const { beatMs, patienceMs, id } = this.#settings
    try {
      await this.#sendBeat()
      this.#diskHold.set(null)
      this.#waitMs = beatMs
    } catch (error) {
      const { code, message } = asAppError(error)
      const isFull = code === 'DISK_FULL'
      if (FATAL_CODES.includes(code) || (!isFull && this.#dependencies.clock.now() - this.#lastContactAt > patienceMs))
        throw error
      if (isFull) this.#lastContactAt = this.#dependencies.clock.now()
      // Responses fetched while the disk is full would be lost.
      this.#diskHold.set(isFull ? 'low_disk' : null)
      this.#waitMs = Math.min(isFull ? MAX_DISK_FULL_WAIT_MS : MAX_WAIT_MS, this.#waitMs * 2)
      this.#dependencies.log.warn('heartbeat failed', { worker: id, code, message, again_in_ms: this.#waitMs })
    }
  }

  async #sendBeat(): Promise<void> {
    const { id, name, version } = this.#settings
    const { clock, workers, onReply } = this.#dependencies
    const now = clock.now()
    const { counts, crawls } = this.#dependencies.counts()
    const figures = this.#figures.sample(counts, crawls, now)
    const about = { id, name, version, address: this.#address, startedAt: this.#startedAt }
    const heartbeatReply = await workers.heartbeat({ ...about, figures })
    this.#lastReplyAt = clock.now()
    this.#lastContactAt = this.#lastReplyAt
    if (this.#stopSignal.isStopped) return
    this.#fleetHold.set(heartbeatReply.hold)
    await onReply(heartbeatReply, now)
  }
}

/** Waits for the promise, but at most for `ms`. */
export async function waitAtMost(promise: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  let cancel: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  try {
    await Promise.race([passed, promise])
  } finally {
    cancel()
  }
}
