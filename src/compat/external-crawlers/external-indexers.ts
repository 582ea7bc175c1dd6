// The progress reports of external indexers: the last one of each indexer and crawl, in the memory of this process.

import type { Clock } from '../../lib/clock.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { Log } from '../../lib/log.ts'

export interface IndexerProgress {
  crawl_id: string
  indexer_id: string
  status: string
  processed_pages: number
}

const MAX_ENTRIES = 10_000

export class ExternalIndexers {
  readonly #clock: Clock
  readonly #log: Log
  readonly #progress = new Map<string, IndexerProgress & { reported_at: string }>()

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock
    this.#log = log
  }

  record(progress: IndexerProgress): void {
    const { crawl_id, indexer_id, status, processed_pages } = progress
    this.#log('external indexer reported', { crawl: crawl_id, indexer: indexer_id, status, pages: processed_pages })
    const key = `${crawl_id} ${indexer_id}`
    this.#progress.delete(key)
    this.#progress.set(key, { ...progress, reported_at: isoTime(this.#clock.now()) })
    const [oldest] = this.#progress.keys()
    if (this.#progress.size > MAX_ENTRIES && oldest !== undefined) this.#progress.delete(oldest)
  }

  progressOf(crawlId: string) {
    return [...this.#progress.values()].filter((entry) => entry.crawl_id === crawlId)
  }
}
