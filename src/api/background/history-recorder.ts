// Writes a progress sample of each running crawl to the store every five seconds.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { CrawlHistory } from '../../ports/history.ts'
import type { ProgressJson } from '../views/progress-view.ts'

export interface HistoryRecorderDependencies {
  crawls: Pick<Crawls, 'progress'>
  history: Pick<CrawlHistory, 'add'>
  /** The ids of the crawls running now. */
  runningCrawls(): string[]
  toJson(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

export const SAMPLE_INTERVAL_MS = 5_000

export class HistoryRecorder {
  readonly #dependencies: HistoryRecorderDependencies
  /** Sampled in the last round. A crawl that has stopped since gets one last sample. */
  #sampledBefore = new Set<string>()
  #cancel: () => void = () => undefined
  #isStopped = false

  constructor(dependencies: HistoryRecorderDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    this.#cancel = this.#dependencies.clock.after(SAMPLE_INTERVAL_MS, () => void this.#runAndSchedule())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  /** Takes one sample of every running crawl. */
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
      this.#dependencies.log.warn('failed to record crawl history', { message: asAppError(error).message })
    }
    if (!this.#isStopped) this.start()
  }

  async #sample(id: string): Promise<void> {
    const { crawls, history, toJson, clock } = this.#dependencies
    const progress = await crawls.progress(id).catch((error: unknown) => {
      if (asAppError(error).code === 'CRAWL_NOT_FOUND') return null
      throw error
    })
    if (progress === null) return
    const json = await toJson(progress)
    await history.add(id, {
      at: clock.now(),
      pagesPerSecond: json.pages_per_second,
      bytesPerSecond: json.bytes_per_second,
      inFlight: json.in_flight,
      states: json.states,
    })
  }
}
