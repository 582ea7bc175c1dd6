// Caches JSON responses of hot read routes for 250 ms and shares one computation between concurrent requests. Every
// change made or noticed by this process clears the cache, so that a client never reads an older state than it has been
// told. Changes by other processes become visible after 250 ms, or when a slow read ends.

import type { Clock } from '../../lib/clock.ts'
import type { CrawlStatus } from '../../lib/states.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { RouteName } from '../contract/paths.ts'
import { encodeJson, type JsonBody } from './responses.ts'

/** Reads that the web app and programs waiting for a crawl poll. */
export const CACHED_ROUTES: readonly RouteName[] = [
  'listCrawls',
  'getCrawl',
  'getBottleneck',
  'getStats',
  'listErrors',
  'listHosts',
  'listTraps',
  'getPoliteness',
  'listUrls',
  'countUrls',
  'listWorkers',
]

export const FRESH_MS = 250
const MAX_ENTRIES = 500
/** Larger responses are shared while they are computed, but not cached. */
const MAX_CACHED_BYTES = 256 * 1024
/** New requests join a pending computation for this long after its start. */
const MAX_JOIN_MS = 2000
const MAX_STATUSES = 1000

export interface CachedResponse {
  name: RouteName
  json: Promise<JsonBody>
}

interface CacheEntry extends CachedResponse {
  /** After this time, the response is not used for new requests. */
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

  /** `address` is the path and query as sent. */
  find(address: string): CachedResponse | null {
    const entry = this.#entries.get(address)
    if (entry === undefined) return null
    if (entry.until > this.#clock.now()) return entry
    this.#entries.delete(address)
    return null
  }

  getOrCompute(address: string, name: RouteName, compute: () => Promise<unknown>): Promise<JsonBody> {
    const cached = this.find(address)
    if (cached !== null) return cached.json
    const startedAt = this.#clock.now()
    const json = compute().then(encodeJson)
    const cacheEntry: CacheEntry = { name, json, until: startedAt + MAX_JOIN_MS }
    this.#entries.set(address, cacheEntry)
    const drop = () => {
      if (this.#entries.get(address) === cacheEntry) this.#entries.delete(address)
    }
    json.then(({ body }) => {
      // Counted from before the read, so that the data is never older than FRESH_MS.
      cacheEntry.until = startedAt + FRESH_MS
      const leftMs = cacheEntry.until - this.#clock.now()
      if (body.length > MAX_CACHED_BYTES || leftMs <= 0) drop()
      else this.#clock.after(leftMs, drop)
    }, drop)
    if (this.#entries.size > MAX_ENTRIES) this.#evictOldest()
    return json
  }

  invalidate(): void {
    this.#entries.clear()
  }

  /** Called before clients are notified of a status, because they may read the crawl next. */
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
