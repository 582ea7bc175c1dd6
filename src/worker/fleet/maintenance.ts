// What keeps a fleet well, in any number of processes at once: workers that fell silent are noticed and what they held
// goes to others, workers that fail where others succeed are sent away, those long gone are forgotten.

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

/** Lost workers are looked for at every step, everything else at every fifth. */
const EVERY_MS = 1_000
const STEPS_A_ROUND = 5
const FORGET_AFTER_MS = 86_400_000
const STEP_MS = [5, 10, 25, 50, 100, 250, 1000, 5000, 30_000]

export class Maintenance {
  readonly #dependencies: MaintenanceDependencies
  #cancel: (() => void) | null = null
  #isOver = false
  #steps = 0
  /** Found erratic by the last look. A worker whose machine only slept is well by the next one. */
  #suspect: string | null = null
  /** Since it started. */
  readonly counts = { lostWorkers: 0, urlsRequeued: 0 }
  readonly #durations = new Histogram(STEP_MS)

  constructor(dependencies: MaintenanceDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    const { clock, log } = this.#dependencies
    this.step()
      .catch((error: unknown) => {
        // The store is closed under a step that was under way when the process ends.
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

  /** How long its steps took. */
  get durations(): HistogramSnapshot {
    return this.#durations.read()
  }

  async step(): Promise<void> {
    const startedAt = this.#dependencies.clock.now()
    await this.#requeueLost()
    if (this.#steps % STEPS_A_ROUND === 0) await this.cleanUp()
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

  /** Sends erratic workers away and forgets those long gone. */
  async cleanUp(): Promise<void> {
    const { workers, log } = this.#dependencies
    const erratic = findErraticWorker(await workers.list())
    const isStillSo = erratic !== null && erratic.id === this.#suspect
    this.#suspect = erratic?.id ?? null
    if (isStillSo) {
      await workers.drain(erratic.id, erratic.why)
      log.warn('worker sent away', { worker: erratic.id, why: erratic.why })
    }
    await workers.deleteGone(FORGET_AFTER_MS)
  }
}
