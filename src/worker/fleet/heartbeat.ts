// The beats of a process that crawls: it registers, tells how it does, and hears what it shall do. A beat that fails is
// tried again, less and less often; the process goes on meanwhile, for its crawls may do well. It gives up when this
// program cannot use the store at all, or when its patience is over. A full disk is waited out, and the crawls with it.

import type { Clock } from '../../lib/clock.ts'
import { asAppError, type ErrorCode } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlFigures, HeartbeatReply, Workers } from '../../ports/workers.ts'
import type { Holds } from '../watch/holds.ts'
import { FiguresSampler, type RequestCounts } from './figures-sampler.ts'

export interface HeartbeatSettings {
  id: string
  name: string
  version: string
  /** Also the time in which a crawl that was paused or cancelled is heard of. */
  beatMs: number
  /** How long beats may fail before the process ends. */
  patienceMs: number
}

export interface HeartbeatDependencies {
  workers: Pick<Workers, 'heartbeat' | 'leave'>
  /** Told when all workers shall wait. */
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
  /** What there is to tell. */
  counts(): { counts: RequestCounts; crawls: CrawlFigures[] }
  /** Not called any more once it is stopped. `now` is when the beat began. */
  onReply(heartbeatReply: HeartbeatReply, now: number): Promise<void> | void
}

const MAX_WAIT_MS = 30_000
/** Somebody may make room at any time, and a beat finds out. */
const MAX_DISK_FULL_WAIT_MS = 5_000
/** A store that is away cannot be told; it will notice. */
const LEAVE_MS = 2_000
/** Trying again does not help: the store is not one that this program can use. */
const FATAL_CODES: readonly ErrorCode[] = [
  ...(['DATA_NEWER', 'DATA_FOREIGN', 'DATA_NOT_FOUND', 'DATA_IN_USE', 'DATA_UNWRITABLE', 'MOVE_UNFINISHED'] as const),
]

export class Heartbeat {
  readonly #settings: HeartbeatSettings
  readonly #dependencies: HeartbeatDependencies
  readonly #figures: FiguresSampler
  readonly #startedAt: number
  readonly #stopped = Promise.withResolvers<void>()
  #isStopped = false
  #address: string | null = null
  #lastReplyAt: number
  /** The same, or when it last said that its disk is full. */
  #lastContactAt: number
  #waitMs: number
  #releaseFleetHold: (() => void) | null = null
  #releaseDiskHold: (() => void) | null = null

  constructor(settings: HeartbeatSettings, dependencies: HeartbeatDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
    this.#startedAt = dependencies.clock.now()
    this.#lastReplyAt = this.#startedAt
    this.#lastContactAt = this.#startedAt
    this.#waitMs = settings.beatMs
    this.#figures = new FiguresSampler(this.#startedAt)
  }

  /** How long ago the store answered last. */
  get silentMs(): number {
    return this.#dependencies.clock.now() - this.#lastReplyAt
  }

  get loopDelayMs(): number {
    return this.#figures.loopDelayMs
  }

  /** Told with every beat from now on. */
  setAddress(address: string): void {
    this.#address = address
  }

  /** Until it is stopped, or gives up. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      const beat = this.#tryBeat()
      // Nobody waits for it any more once the process shall end.
      beat.catch(() => undefined)
      await Promise.race([beat, this.#stopped.promise])
      await waitAtMost(this.#stopped.promise, this.#waitMs, this.#dependencies.clock)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#stopped.resolve()
  }

  /** Nothing of this process is under way any more. */
  async leave(): Promise<void> {
    this.stop()
    const { workers, clock } = this.#dependencies
    await waitAtMost(workers.leave(this.#settings.id), LEAVE_MS, clock)
    this.#figures.close()
  }

  async #tryBeat(): Promise<void> {
    const { beatMs, patienceMs, id } = this.#settings
    try {
      await this.#sendBeat()
      this.#holdUnlessRoom(true)
      this.#waitMs = beatMs
    } catch (error) {
      const { code, message } = asAppError(error)
      const isFull = code === 'DISK_FULL'
      if (FATAL_CODES.includes(code) || (!isFull && this.#dependencies.clock.now() - this.#lastContactAt > patienceMs))
        throw error
      if (isFull) this.#lastContactAt = this.#dependencies.clock.now()
      this.#holdUnlessRoom(!isFull)
      this.#waitMs = Math.min(isFull ? MAX_DISK_FULL_WAIT_MS : MAX_WAIT_MS, this.#waitMs * 2)
      this.#dependencies.log.warn('beat failed', { worker: id, code, message, again_in_ms: this.#waitMs })
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
    if (this.#isStopped) return
    this.#applyFleetHold(heartbeatReply.hold)
    await onReply(heartbeatReply, now)
  }

  /** What is fetched while the disk is full would be lost. */
  #holdUnlessRoom(hasRoom: boolean): void {
    if (!hasRoom) this.#releaseDiskHold ??= this.#dependencies.holds.take('low_disk')
    else {
      this.#releaseDiskHold?.()
      this.#releaseDiskHold = null
    }
  }

  #applyFleetHold(held: HeartbeatReply['hold']): void {
    if (held !== null) this.#releaseFleetHold ??= this.#dependencies.holds.take(held)
    else this.#endFleetHold()
  }

  #endFleetHold(): void {
    this.#releaseFleetHold?.()
    this.#releaseFleetHold = null
  }
}

/** At most so long, and not after `isOver` has resolved. */
export async function waitAtMost(isOver: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  let cancel: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  try {
    await Promise.race([passed, isOver])
  } finally {
    cancel()
  }
}
