// How crawls went while this process watched them: a sample of each that runs every five seconds. A list that is full
// loses every second one of its older half, so what lies further back is sparser. Kept in memory: after a restart it
// begins anew.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { ProgressJson } from './progress.ts'

export interface HistorySample {
  /** Ms since 1970. */
  at: number
  pagesPerSecond: number
  bytesPerSecond: number
  inFlight: number
  states: ProgressJson['states']
}

export interface HistoryParts {
  crawls: Pick<Crawls, 'progress'>
  /** Crawls that run at present. */
  running(): string[]
  tell(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

export const EVERY_MS = 5_000
/** The last half hour in full, and the hour before it at half of that. */
export const MAX_SAMPLES = 720
const MAX_CRAWLS = 200

export class History {
  readonly #parts: HistoryParts
  /** By crawl; that which was sampled last comes last. */
  readonly #samples = new Map<string, HistorySample[]>()
  /** Sampled in the last round: those that are not running any more get one last sample. */
  #followed = new Set<string>()
  #cancel: () => void = () => undefined
  #isOver = false

  constructor(parts: HistoryParts) {
    this.#parts = parts
  }

  start(): void {
    this.#cancel = this.#parts.clock.after(EVERY_MS, () => void this.#round())
  }

  stop(): void {
    this.#isOver = true
    this.#cancel()
  }

  /** The oldest first; empty when it was never seen at work. */
  of(crawlId: string): readonly HistorySample[] {
    return this.#samples.get(crawlId) ?? []
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
    const { crawls, tell, clock } = this.#parts
    const progress = await crawls.progress(id).catch((error: unknown) => {
      if (asAppError(error).code === 'CRAWL_NOT_FOUND') return null
      throw error
    })
    const samples = this.#samples.get(id) ?? []
    this.#samples.delete(id)
    if (progress === null) return
    const told = await tell(progress)
    samples.push({
      at: clock.now(),
      pagesPerSecond: told.pages_per_second,
      bytesPerSecond: told.bytes_per_second,
      inFlight: told.in_flight,
      states: told.states,
    })
    this.#samples.set(id, samples.length > MAX_SAMPLES ? thinned(samples) : samples)
    const [oldest] = this.#samples.keys()
    if (this.#samples.size > MAX_CRAWLS && oldest !== undefined) this.#samples.delete(oldest)
  }
}

function thinned(samples: HistorySample[]): HistorySample[] {
  const middle = Math.floor(samples.length / 2)
  return samples.filter((_, i) => i >= middle || i % 2 === 0)
}
