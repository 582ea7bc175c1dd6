// Watches crawls: every five seconds a sample of each that runs goes to the store, where it outlives this process.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { CrawlHistory } from '../../ports/history.ts'
import type { ProgressJson } from '../views/progress-view.ts'

export interface HistoryRecorderDependencies {
  crawls: Pick<Crawls, 'progress'>
  history: Pick<CrawlHistory, 'add'>
  /** Crawls that run at present. */
  runningCrawls(): string[]
  toJson(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

export const SAMPLE_INTERVAL_MS = 5_000

export class HistoryRecorder {
  readonly #dependencies: HistoryRecorderDependencies
  /** Sampled in the last round: those that are not running any more get one last sample. */
  #sampledBefore = new Set<string>()
  #cancel: () => void = () => undefined
  #isOver = false

  constructor(parts: HistoryRecorderDependencies) {
    this.#dependencies = parts
  }

  start(): void {
    this.#cancel = this.#dependencies.clock.after(SAMPLE_INTERVAL_MS, () => void this.#runAndSchedule())
  }

  stop(): void {
    this.#isOver = true
    this.#cancel()
  }

  /** One sample of each crawl that runs. */
  async sampleAll(): Promise<void> {
    const running = this.#dependencies.runningCrawls()
    const ids = new Set([...running, ...this.#sampledBefore])
    this.#sampledBefore = new Set(running)
    for (const id of ids) await this.#sample(id)
  }

  async #runAndSchedule(): Promise<void> {
    try {
      await this.sampleAll()
    } catch (error) {
      this.#dependencies.log.warn('history not kept', { message: asAppError(error).message })
    }
    if (!this.#isOver) this.start()
  }

  async #sample(id: string): Promise<void> {
    const { crawls, history, toJson, clock } = this.#dependencies
    const progress = await crawls.progress(id).catch((error: unknown) => {
      if (asAppError(error).code === 'CRAWL_NOT_FOUND') return null
      throw error
    })
    if (progress === null) return
    const told = await toJson(progress)
    await history.add(id, {
      at: clock.now(),
      pagesPerSecond: told.pages_per_second,
      bytesPerSecond: told.bytes_per_second,
      inFlight: told.in_flight,
      states: told.states,
    })
  }
}
