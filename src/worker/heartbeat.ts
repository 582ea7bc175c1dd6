// The beats of a process that crawls: it registers, tells how it does, and hears what it shall do. A beat that fails is
// tried again, less and less often; the process goes on meanwhile, for its crawls may do well. It gives up when this
// program cannot use the store at all, or when its patience is over. A full disk is waited out, and the crawls with it.

import type { Clock } from '../lib/clock.ts'
import { asAppError, type ErrorCode } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { CrawlFigures, Orders, Workers } from '../ports/workers.ts'
import { Figures, type WorkCounts } from './figures.ts'
import type { Holds } from './holds.ts'

export interface HeartbeatSettings {
  id: string
  name: string
  version: string
  /** Also the time in which a crawl that was paused or cancelled is heard of. */
  beatMs: number
  /** How long beats may fail before the process ends. */
  patienceMs: number
}

export interface HeartbeatParts {
  workers: Pick<Workers, 'beat' | 'leave'>
  /** Told when all workers shall wait. */
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
  /** What there is to tell. */
  counts(): { counts: WorkCounts; crawls: CrawlFigures[] }
  /** Not called any more once it is stopped. `now` is when the beat began. */
  obey(orders: Orders, now: number): Promise<void> | void
}

const MAX_WAIT_MS = 30_000
/** Somebody may make room at any time, and a beat finds out. */
const MAX_FULL_MS = 5_000
/** A store that is away cannot be told; it will notice. */
const LEAVE_MS = 2_000
/** Trying again does not help: the store is not one that this program can use. */
const FINAL: readonly ErrorCode[] = [
  ...(['DATA_NEWER', 'DATA_FOREIGN', 'DATA_NOT_FOUND', 'DATA_IN_USE', 'DATA_UNWRITABLE', 'MOVE_UNFINISHED'] as const),
]

export class Heartbeat {
  readonly #settings: HeartbeatSettings
  readonly #parts: HeartbeatParts
  readonly #figures: Figures
  readonly #startedAt: number
  readonly #stopped = Promise.withResolvers<void>()
  #isStopped = false
  #address: string | null = null
  #heardAt: number
  /** The same, or when it last said that its disk is full. */
  #answeredAt: number
  #waitMs: number
  #giveBack: (() => void) | null = null
  #giveRoomBack: (() => void) | null = null

  constructor(settings: HeartbeatSettings, parts: HeartbeatParts) {
    this.#settings = settings
    this.#parts = parts
    this.#startedAt = parts.clock.now()
    this.#heardAt = this.#startedAt
    this.#answeredAt = this.#startedAt
    this.#waitMs = settings.beatMs
    this.#figures = new Figures(this.#startedAt)
  }

  /** How long ago the store answered last. */
  get silentMs(): number {
    return this.#parts.clock.now() - this.#heardAt
  }

  get loopDelayMs(): number {
    return this.#figures.loopDelayMs
  }

  /** Told with every beat from now on. */
  reachableAt(address: string): void {
    this.#address = address
  }

  /** Until it is stopped, or gives up. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      const beat = this.#tryBeat()
      // Nobody waits for it any more once the process shall end.
      beat.catch(() => undefined)
      await Promise.race([beat, this.#stopped.promise])
      await restUntil(this.#stopped.promise, this.#waitMs, this.#parts.clock)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#stopped.resolve()
  }

  /** Nothing of this process is under way any more. */
  async leave(): Promise<void> {
    this.stop()
    const { workers, clock } = this.#parts
    await restUntil(workers.leave(this.#settings.id), LEAVE_MS, clock)
    this.#figures.close()
  }

  async #tryBeat(): Promise<void> {
    const { beatMs, patienceMs, id } = this.#settings
    try {
      await this.#beat()
      this.#noteRoom(true)
      this.#waitMs = beatMs
    } catch (error) {
      const { code, message } = asAppError(error)
      const isFull = code === 'DISK_FULL'
      if (FINAL.includes(code) || (!isFull && this.#parts.clock.now() - this.#answeredAt > patienceMs)) throw error
      if (isFull) this.#answeredAt = this.#parts.clock.now()
      this.#noteRoom(!isFull)
      this.#waitMs = Math.min(isFull ? MAX_FULL_MS : MAX_WAIT_MS, this.#waitMs * 2)
      this.#parts.log.warn('beat failed', { worker: id, code, message, again_in_ms: this.#waitMs })
    }
  }

  async #beat(): Promise<void> {
    const { id, name, version } = this.#settings
    const { clock, workers, obey } = this.#parts
    const now = clock.now()
    const { counts, crawls } = this.#parts.counts()
    const figures = this.#figures.take(counts, crawls, now)
    const about = { id, name, version, address: this.#address, startedAt: this.#startedAt }
    const orders = await workers.beat({ ...about, figures })
    this.#heardAt = clock.now()
    this.#answeredAt = this.#heardAt
    if (this.#isStopped) return
    this.#heed(orders.held)
    await obey(orders, now)
  }

  /** What is fetched while the disk is full would be lost. */
  #noteRoom(hasRoom: boolean): void {
    if (!hasRoom) this.#giveRoomBack ??= this.#parts.holds.take('low_disk')
    else {
      this.#giveRoomBack?.()
      this.#giveRoomBack = null
    }
  }

  #heed(held: Orders['held']): void {
    if (held !== null) this.#giveBack ??= this.#parts.holds.take(held)
    else this.#letGo()
  }

  #letGo(): void {
    this.#giveBack?.()
    this.#giveBack = null
  }
}

/** At most so long, and not after `isOver` has resolved. */
export async function restUntil(isOver: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
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
