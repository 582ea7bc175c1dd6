// How fast crawls are: samples of their counters over the last seconds. Taken by a timer, so that the first who asks has
// an answer, and nobody who asks often makes the store count. Only crawls that run are read; which those are is looked up
// now and then, and noticed when somebody asks for one.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import { pageCount } from '../../ports/state.ts'

const WINDOW_MS = 10_000
const SAMPLE_INTERVAL_MS = 1_000
const LIST_MS = 15_000
/** Of more crawls at a time nobody looks at the pace of each. */
const MAX_CRAWLS = 200

interface ProgressSample {
  at: number
  pages: number
  bytes: number
}

export interface CrawlRate {
  pagesPerSecond: number
  bytesPerSecond: number
  /** The time that they were measured over. */
  overMs: number
}

export const ZERO_RATE: CrawlRate = { pagesPerSecond: 0, bytesPerSecond: 0, overMs: 0 }

export interface CrawlRatesDependencies {
  crawls: Pick<Crawls, 'list' | 'progress'>
  clock: Clock
  log: Log
}

export class CrawlRates {
  readonly #dependencies: CrawlRatesDependencies
  /** By crawl, of those that run. */
  readonly #samples = new Map<string, ProgressSample[]>()
  #listedAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null
  #isOver = false

  constructor(parts: CrawlRatesDependencies) {
    this.#dependencies = parts
  }

  start(): void {
    void this.#loop()
  }

  stop(): void {
    this.#isOver = true
    this.#cancel?.()
  }

  /** Crawls that run, as far as was noticed. */
  runningCrawls(): string[] {
    return [...this.#samples.keys()]
  }

  rateOf({ crawl }: CrawlProgress): CrawlRate {
    if (crawl.status !== 'running') return ZERO_RATE
    const samples = this.#samplesOf(crawl.id)
    const [first, last] = [samples[0], samples.at(-1)]
    if (first === undefined || last === undefined || last.at <= first.at) return ZERO_RATE
    const seconds = (last.at - first.at) / 1000
    return {
      pagesPerSecond: Math.max(0, (last.pages - first.pages) / seconds),
      bytesPerSecond: Math.max(0, (last.bytes - first.bytes) / seconds),
      overMs: last.at - first.at,
    }
  }

  /** One round of samples. */
  async sampleAll(): Promise<void> {
    const { crawls, clock } = this.#dependencies
    if (clock.now() - this.#listedAt >= LIST_MS) {
      this.#listedAt = clock.now()
      for (const { crawl } of await crawls.list({ status: 'running' })) this.#samplesOf(crawl.id)
    }
    for (const id of [...this.#samples.keys()]) await this.#sample(id)
  }

  async #sample(id: string): Promise<void> {
    const { crawls, clock } = this.#dependencies
    const progress = await crawls.progress(id).catch((error: unknown) => {
      if (asAppError(error).code === 'CRAWL_NOT_FOUND') return null
      throw error
    })
    if (progress?.crawl.status !== 'running') return void this.#samples.delete(id)
    const at = clock.now()
    const samples = this.#samplesOf(id)
    samples.push({ at, pages: pageCount(progress), bytes: progress.bytes })
    while (samples.length > 1 && at - (samples[0]?.at ?? at) > WINDOW_MS) samples.shift()
  }

  /** Sampled from now on. */
  #samplesOf(id: string): ProgressSample[] {
    const known = this.#samples.get(id)
    if (known !== undefined) return known
    const samples: ProgressSample[] = []
    if (this.#samples.size < MAX_CRAWLS) this.#samples.set(id, samples)
    return samples
  }

  async #loop(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.sampleAll()
      } catch (error) {
        this.#dependencies.log.warn('pace not measured', { message: asAppError(error).message })
      }
      if (this.#isOver) return
      await new Promise<void>((resolve) => {
        const cancel = this.#dependencies.clock.after(SAMPLE_INTERVAL_MS, resolve)
        this.#cancel = () => {
          cancel()
          resolve()
        }
      })
    }
  }
}
