// Watches how long commits take. When the store cannot keep up the crawls are held, so that it gets no more to do than
// it has, and let go when it answers in half that time. While they are held nothing is committed; then a write that
// changes nothing, tried now and then, tells how the store does.

import { type Clock, repeat } from '../../lib/clock.ts'
import type { Holds } from './holds.ts'

/** Commits of a crawl here, since it was begun. */
export interface CommitTimes {
  count: number
  sumMs: number
  /** How long the oldest that is under way has taken so far; 0 when there is none. */
  oldestMs: number
}

export interface CommitSource {
  commitTimes(): CommitTimes
  readonly isOver: boolean
}

export interface StoreWatchDependencies {
  /** A write as durable as a commit. */
  probe: () => Promise<unknown>
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 500
/** Of the mean of a look in the moving one: the last four looks make three quarters of it. */
const WEIGHT = 0.3

export class StoreWatch {
  readonly #maxMs: number
  readonly #dependencies: StoreWatchDependencies
  readonly #sources = new Map<CommitSource, CommitTimes>()
  #meanMs: number | null = null
  #probedAt: number | null = null
  #releaseHold: (() => void) | null = null
  #cancelTimer: (() => void) | null = null

  /** 0: it is not watched. */
  constructor(maxMs: number, dependencies: StoreWatchDependencies) {
    this.#maxMs = maxMs
    this.#dependencies = dependencies
  }

  /** Until it is over. */
  addSource(source: CommitSource): void {
    this.#sources.set(source, { count: 0, sumMs: 0, oldestMs: 0 })
  }

  start(): void {
    if (this.#maxMs === 0 || this.#cancelTimer !== null) return
    this.#cancelTimer = repeat(this.#dependencies.clock, CHECK_INTERVAL_MS, () => this.#check())
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#endHold()
  }

  #check(): void {
    const latencyMs = this.#latency()
    if (this.#releaseHold === null) {
      if (latencyMs > this.#maxMs) this.#releaseHold = this.#dependencies.holds.take('slow_store')
    } else if (latencyMs < this.#maxMs / 2) this.#endHold()
    if (this.#releaseHold !== null && this.#probedAt === null) this.#probe()
  }

  #latency(): number {
    let [count, sumMs, oldestMs] = [0, 0, this.#probedAt === null ? 0 : this.#dependencies.clock.now() - this.#probedAt]
    for (const [source, before] of this.#sources) {
      const times = source.commitTimes()
      count += times.count - before.count
      sumMs += times.sumMs - before.sumMs
      oldestMs = Math.max(oldestMs, times.oldestMs)
      if (source.isOver) this.#sources.delete(source)
      else this.#sources.set(source, times)
    }
    if (count > 0) this.#add(sumMs / count)
    return Math.max(this.#meanMs ?? 0, oldestMs)
  }

  #add(ms: number): void {
    this.#meanMs = this.#meanMs === null ? ms : this.#meanMs + (ms - this.#meanMs) * WEIGHT
  }

  /** One that fails tells nothing of the time it takes; the crawls tell of the failure. */
  #probe(): void {
    const { probe, clock } = this.#dependencies
    const at = clock.now()
    this.#probedAt = at
    probe()
      .then(
        () => this.#add(clock.now() - at),
        () => undefined,
      )
      .finally(() => {
        this.#probedAt = null
      })
  }

  #endHold(): void {
    this.#releaseHold?.()
    this.#releaseHold = null
  }
}
