// Caches values that take a pass over all URLs of a crawl. If the crawl is not running, a value is kept until the
// crawl changes; if it is running, for twenty times as long as the pass took, so that readers cost a running crawl
// little.

import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import type { BrowseDb, CrawlLedger } from './browse-db.ts'

const CACHE_FACTOR = 20
const UNCHANGED_MS = 3_600_000

export class CrawlCache<T> {
  readonly #running: AdaptiveCache<T>
  readonly #unchanged: AdaptiveCache<T>

  /** `maxCrawls` of each kind. */
  constructor(db: Pick<BrowseDb, 'now'>, maxCrawls: number) {
    const now = () => db.now()
    const maxEntries = maxCrawls
    this.#running = new AdaptiveCache(now, { leastMs: 0, factor: CACHE_FACTOR, maxEntries, servesStale: true })
    this.#unchanged = new AdaptiveCache(now, { leastMs: UNCHANGED_MS, maxEntries })
  }

  get({ rowId, version }: CrawlLedger, read: () => Promise<T>): Promise<T> {
    return version === null ? this.#running.get(String(rowId), read) : this.#unchanged.get(`${rowId} ${version}`, read)
  }

  clear(): void {
    this.#running.clear()
    this.#unchanged.clear()
  }
}
