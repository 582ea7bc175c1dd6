// Measures the rates of running crawls from samples of their counters. Sampling runs on a timer, so that a rate is
// available at the first request and frequent requests cause no extra reads. New running crawls are found by listing them
// every 15 seconds, or when their rate is requested.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { pageCount } from '../../lib/states.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'

const WINDOW_MS = 10_000
const SAMPLE_INTERVAL_MS = 1_000
const LIST_MS = 15_000
/** Further running crawls are not measured. */
const MAX_CRAWLS = 200

interface ProgressSample {
  at: number
  pages: number
  bytes: number
}

export interface CrawlRate {
  pagesPerSecond: number
  bytesPerSecond: number
  /** The length of the measured period. */
  overMs: number
}

const ZERO_RATE: CrawlRate = { pagesPerSecond: 0, bytesPerSecond: 0, overMs: 0 }

export interface CrawlRatesDependencies {
  crawls: Pick<Crawls, 'list' | 'progress'>
  clock: Clock
  log: Log
}

export class CrawlRates {
  readonly #dependencies: CrawlRatesDependencies
  /** Samples of running crawls by crawl id. */
  readonly #samples = new Map<string, ProgressSample[]>()
  #listedAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null
  #isStopped = false

  constructor(dependencies: CrawlRatesDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    void this.#loop()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  /** The ids of the running crawls found so far. */
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

  /** Takes one sample of every running crawl. */
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

  /** Registers the crawl for sampling if it is new. */
  #samplesOf(id: string): ProgressSample[] {
    const known = this.#samples.get(id)
    if (known !== undefined) return known
    const samples: ProgressSample[] = []
    if (this.#samples.size < MAX_CRAWLS) this.#samples.set(id, samples)
    return samples
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.sampleAll()
      } catch (error) {
        this.#dependencies.log.warn('failed to measure crawl rates', { message: asAppError(error).message })
      }
      if (this.#isStopped) return
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
