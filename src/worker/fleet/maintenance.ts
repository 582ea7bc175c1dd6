// Maintains the fleet: requeues the leases of lost workers, drains erratic workers, and deletes old worker rows. Any
// number of processes can do this at the same time.

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
const DELETE_AFTER_MS = 86_400_000
const STEP_MS = [5, 10, 25, 50, 100, 250, 1000, 5000, 30_000]

export class Maintenance {
  readonly #dependencies: MaintenanceDependencies
  #cancel: (() => void) | null = null
  #isOver = false
  #steps = 0
  /** Found erratic by the last check. A worker whose machine only slept has recovered by the next one. */
  #suspect: string | null = null
  /** Since this process started. */
  readonly counts = { lostWorkers: 0, urlsRequeued: 0 }
  readonly #durations = new Histogram(STEP_MS)

  constructor(dependencies: MaintenanceDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    const { clock, log } = this.#dependencies
    this.step()
      .catch((error: unknown) => {
        // When the process ends, the store may be closed during a step.
        if (!this.#isOver) log.warn('maintenance failed', { message: asAppError(error).message })
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
    const startedAt = this.#dependencies.clock.now()
    await this.#requeueLost()
    if (this.#steps % STEPS_PER_CLEANUP === 0) await this.cleanUp()
    this.#steps += 1
    this.#durations.add(this.#dependencies.clock.now() - startedAt)
  }

  async #requeueLost(): Promise<void> {
    const { workers, log } = this.#dependencies
    for (const { id, silentMs, urls } of await workers.requeueLost(HEARTBEAT_TIMEOUT_MS)) {
      this.counts.lostWorkers += 1
      this.counts.urlsRequeued += urls
      log.warn('worker lost', { worker: id, silent_ms: silentMs, urls_in_hand: urls })
    }
  }

  /** Drains an erratic worker and deletes old worker rows. */
  async cleanUp(): Promise<void> {
    const { workers, log } = this.#dependencies
    const erratic = findErraticWorker(await workers.list())
    const isConfirmed = erratic !== null && erratic.id === this.#suspect
    this.#suspect = erratic?.id ?? null
    if (isConfirmed) {
      await workers.drain(erratic.id, erratic.why)
      log.warn('erratic worker drained', { worker: erratic.id, why: erratic.why })
    }
    await workers.deleteGone(DELETE_AFTER_MS)
  }
}
