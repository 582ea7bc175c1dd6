// Maintains the fleet: requeues the leases of lost workers, drains erratic workers, deletes old worker rows, and
// measures how long the fleet was available. Any number of processes can do this at the same time.
//
// For a minute after a loss the fleet is checked every second instead of every five seconds, and a worker is drained
// only if it is erratic for half a minute: workers that take over the work may be slow for a moment.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { Histogram, type HistogramSnapshot } from '../../lib/metrics.ts'
import { HEARTBEAT_TIMEOUT_MS, type Workers } from '../../ports/workers.ts'
import { findErraticWorker } from './erratic-worker.ts'

export interface MaintenanceDependencies {
  workers: Workers
  clock: Clock
  log: Log
}

/** Lost workers are handled in every step, everything else in every fifth. */
const EVERY_MS = 1_000
const STEPS_PER_CLEANUP = 5
/** Number of consecutive checks that must find a worker erratic. */
const ERRATIC_CHECKS = { usual: 2, recovering: 30 }
const RECOVERY_MS = 60_000
/** A store that takes longer is not available. */
const MAX_STEP_MS = 5_000
const DELETE_AFTER_MS = 86_400_000
const STEP_MS = [5, 10, 25, 50, 100, 250, 1000, 5000, 30_000]

export class Maintenance {
  readonly #dependencies: MaintenanceDependencies
  #cancel: (() => void) | null = null
  #isOver = false
  #steps = 0
  /** The worker found erratic by the last checks. A worker whose machine only slept has recovered by the next check. */
  #suspect: { id: string; checks: number } | null = null
  #lostAt = Number.NEGATIVE_INFINITY
  #checkedAt: number
  /** Totals since this process started. */
  readonly counts = { lostWorkers: 0, urlsRequeued: 0, observedMs: 0, availableMs: 0 }
  readonly #durations = new Histogram(STEP_MS)

  constructor(dependencies: MaintenanceDependencies) {
    this.#dependencies = dependencies
    this.#checkedAt = dependencies.clock.now()
  }

  start(): void {
    const { clock, log } = this.#dependencies
    this.step()
      .catch((error: unknown) => {
        // When the process exits, the store may be closed during a step.
        if (this.#isOver) return
        this.#countTime(false)
        log.warn('maintenance failed', { message: asAppError(error).message })
      })
      .then(() => {
        if (!this.#isOver) this.#cancel = clock.after(EVERY_MS, () => this.start())
      })
  }

  stop(): void {
    this.#isOver = true
    this.#cancel?.()
  }

  /** Histogram of the time per step. */
  get durations(): HistogramSnapshot {
    return this.#durations.read()
  }

  async step(): Promise<void> {
    const { clock } = this.#dependencies
    const startedAt = clock.now()
    await this.#requeueLost()
    if (this.#isRecovering || this.#steps % STEPS_PER_CLEANUP === 0) await this.cleanUp()
    this.#steps += 1
    const hasWorker = await this.#hasWorker()
    const stepMs = clock.now() - startedAt
    this.#durations.add(stepMs)
    this.#countTime(hasWorker && stepMs <= MAX_STEP_MS)
  }

  async #requeueLost(): Promise<void> {
    const { workers, clock, log } = this.#dependencies
    for (const { id, silentMs, urls } of await workers.requeueLost(HEARTBEAT_TIMEOUT_MS)) {
      this.counts.lostWorkers += 1
      this.counts.urlsRequeued += urls
      this.#lostAt = clock.now()
      log.warn('worker lost', { worker: id, silent_ms: silentMs, urls_requeued: urls })
    }
  }

  /** Drains an erratic worker and deletes old worker rows. */
  async cleanUp(): Promise<void> {
    const { workers, log } = this.#dependencies
    const erratic = findErraticWorker(await workers.list())
    const checks = erratic !== null && erratic.id === this.#suspect?.id ? this.#suspect.checks + 1 : 1
    this.#suspect = erratic === null ? null : { id: erratic.id, checks }
    const { usual, recovering } = ERRATIC_CHECKS
    if (erratic !== null && checks >= (this.#isRecovering ? recovering : usual)) {
      await workers.drain(erratic.id, erratic.why)
      log.warn('erratic worker drained', { worker: erratic.id, why: erratic.why })
    }
    await workers.deleteGone(DELETE_AFTER_MS)
  }

  get #isRecovering(): boolean {
    return this.#dependencies.clock.now() - this.#lostAt < RECOVERY_MS
  }

  /** Or nothing is due, so that none is needed. */
  async #hasWorker(): Promise<boolean> {
    const { workers, clock } = this.#dependencies
    const now = clock.now()
    const rows = await workers.list()
    if (rows.some(({ state, seenAt }) => state === 'working' && now - seenAt < HEARTBEAT_TIMEOUT_MS)) return true
    return (await workers.backlog()).dueHosts === 0
  }

  /** Counts the time since the last step. */
  #countTime(isAvailable: boolean): void {
    const now = this.#dependencies.clock.now()
    const passedMs = now - this.#checkedAt
    this.#checkedAt = now
    this.counts.observedMs += passedMs
    if (isAvailable) this.counts.availableMs += passedMs
  }
}
