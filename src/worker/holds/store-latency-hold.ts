// Checks how long commits take. While the store cannot keep up, all crawls are on hold; they continue when commits take
// less than half of the limit. Nothing is committed during a hold, so the store is probed with a write that changes
// nothing.

import { type Clock, repeat } from '../../lib/clock.ts'
import { HoldSwitch } from './hold-switch.ts'
import type { Holds } from './holds.ts'

/** Commits of a crawl in this process, since it was started. */
export interface CommitTimes {
  count: number
  sumMs: number
  /** Age of the oldest commit in flight; 0 if there is none. */
  oldestMs: number
}

export interface CommitSource {
  commitTimes(): CommitTimes
  readonly isOver: boolean
}

export interface StoreLatencyHoldDependencies {
  /** A write as durable as a commit. */
  probe: () => Promise<unknown>
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 500
/** Weight of the newest check in the moving mean: the last four checks make up three quarters of it. */
const WEIGHT = 0.3

export class StoreLatencyHold {
  readonly #maxMs: number
  readonly #dependencies: StoreLatencyHoldDependencies
  readonly #sources = new Map<CommitSource, CommitTimes>()
  #meanMs: number | null = null
  #probedAt: number | null = null
  readonly #hold: HoldSwitch
  #cancelTimer: (() => void) | null = null

  /** `maxMs` 0: crawls are never put on hold. */
  constructor(maxMs: number, dependencies: StoreLatencyHoldDependencies) {
    this.#maxMs = maxMs
    this.#dependencies = dependencies
    this.#hold = new HoldSwitch(dependencies.holds)
  }

  /** The source is removed when its crawl is over. */
  addSource(source: CommitSource): void {
    this.#sources.set(source, { count: 0, sumMs: 0, oldestMs: 0 })
  }

  start(): void {
    if (this.#maxMs === 0 || this.#cancelTimer !== null) return
    this.#cancelTimer = repeat(this.#dependencies.clock, CHECK_INTERVAL_MS, () => this.#check())
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#hold.set(null)
  }

  #check(): void {
    const latencyMs = this.#latency()
    if (latencyMs > this.#maxMs) this.#hold.set('slow_store')
    else if (latencyMs < this.#maxMs / 2) this.#hold.set(null)
    if (this.#hold.isOn && this.#probedAt === null) this.#probe()
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

  /** A failed probe says nothing about latency; the crawls report the failure. */
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
}
