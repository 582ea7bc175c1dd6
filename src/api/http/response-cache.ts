// Answers that are the same for all who may have them: who asks within a moment of another gets the same bytes, and while
// one is being made nobody makes it again. Every change that this process makes or hears of makes all of them void, so
// nobody reads less than they were told before. What changes elsewhere is seen a moment later, or when a slow reading ends.

import type { Clock } from '../../lib/clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { RouteName } from '../contract/paths.ts'
import { encodeJson, type JsonBody } from './responses.ts'

/** Reads that are made again and again, by pages that show a crawl and by programs that wait for it. */
export const CACHED_ROUTES: readonly RouteName[] = [
  ...(['listCrawls', 'getCrawl', 'getBottleneck', 'getStats', 'listErrors', 'listHosts', 'listTraps'] as const),
  ...(['getPoliteness', 'listUrls', 'listWorkers'] as const),
]

export const FRESH_MS = 250
const MAX_ENTRIES = 500
/** Larger ones are shared while they are made, and not kept. */
const MAX_CACHED_BYTES = 256 * 1024
/** So long after it was begun, one that is still being made is joined. */
const MAX_JOIN_MS = 2000
const MAX_STATUSES = 1000

export interface CachedResponse {
  name: RouteName
  json: Promise<JsonBody>
}

interface CacheEntry extends CachedResponse {
  /** Nobody new gets it from then on. */
  until: number
}

export class ResponseCache {
  readonly #clock: Clock
  readonly #entries = new Map<string, CacheEntry>()
  readonly #statuses = new Map<string, CrawlStatus>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#entries.size
  }

  /** `address` is path and query as they were sent. Null: it has to be made. */
  find(address: string): CachedResponse | null {
    const entry = this.#entries.get(address)
    if (entry === undefined) return null
    if (entry.until > this.#clock.now()) return entry
    this.#entries.delete(address)
    return null
  }

  getOrCompute(address: string, name: RouteName, make: () => Promise<unknown>): Promise<JsonBody> {
    const known = this.find(address)
    if (known !== null) return known.json
    const startedAt = this.#clock.now()
    const made = make().then(encodeJson)
    const cacheEntry: CacheEntry = { name, json: made, until: startedAt + MAX_JOIN_MS }
    this.#entries.set(address, cacheEntry)
    const drop = () => {
      if (this.#entries.get(address) === cacheEntry) this.#entries.delete(address)
    }
    made.then(({ body }) => {
      // Counted from before the reading: whatever it is, it is no older than that.
      cacheEntry.until = startedAt + FRESH_MS
      const leftMs = cacheEntry.until - this.#clock.now()
      if (body.length > MAX_CACHED_BYTES || leftMs <= 0) drop()
      else this.#clock.after(leftMs, drop)
    }, drop)
    if (this.#entries.size > MAX_ENTRIES) this.#evictOldest()
    return made
  }

  invalidate(): void {
    this.#entries.clear()
  }

  /** Somebody is about to hear that the crawl is in another state, and may then read. */
  invalidateOnStatusChange({ crawl }: CrawlProgress): void {
    if (this.#statuses.get(crawl.id) === crawl.status) return
    if (this.#statuses.size >= MAX_STATUSES) this.#statuses.clear()
    this.#statuses.set(crawl.id, crawl.status)
    this.invalidate()
  }

  #evictOldest(): void {
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
