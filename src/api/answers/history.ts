// Watches crawls: every five seconds a sample of each that runs goes to the store, where it outlives this process.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { Histories } from '../../ports/history.ts'
import type { ProgressJson } from './progress.ts'

export interface WatchParts {
  crawls: Pick<Crawls, 'progress'>
  history: Pick<Histories, 'add'>
  /** Crawls that run at present. */
  running(): string[]
  tell(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

export const EVERY_MS = 5_000

export class HistoryWatch {
  readonly #parts: WatchParts
  /** Sampled in the last round: those that are not running any more get one last sample. */
  #followed = new Set<string>()
  #cancel: () => void = () => undefined
  #isOver = false

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  start(): void {
    this.#cancel = this.#parts.clock.after(EVERY_MS, () => void this.#round())
  }

  stop(): void {
    this.#isOver = true
    this.#cancel()
  }

  /** One sample of each crawl that runs. */
  async look(): Promise<void> {
    const running = this.#parts.running()
    const ids = new Set([...running, ...this.#followed])
    this.#followed = new Set(running)
    for (const id of ids) await this.#sample(id)
  }

  async #round(): Promise<void> {
    try {
      await this.look()
    } catch (error) {
      this.#parts.log.warn('history not kept', { message: asAppError(error).message })
    }
    if (!this.#isOver) this.start()
  }

  async #sample(id: string): Promise<void> {
    const { crawls, history, tell, clock } = this.#parts
    const progress = await crawls.progress(id).catch((error: unknown) => {
      if (asAppError(error).code === 'CRAWL_NOT_FOUND') return null
      throw error
    })
    if (progress === null) return
    const told = await tell(progress)
    await history.add(id, {
      at: clock.now(),
      pagesPerSecond: told.pages_per_second,
      bytesPerSecond: told.bytes_per_second,
      inFlight: told.in_flight,
      states: told.states,
    })
  }
}
