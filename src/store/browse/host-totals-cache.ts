// The hosts of a crawl with their figures. Counting reads all URLs, so a result is reused for twenty times as long as
// it took: a large crawl is not read again for every page of a list.

import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import type { BrowseDb } from './browse-db.ts'
import { accumulateStats, sortByUrlCount } from './crawl-stats.ts'
import { readHostNames } from './host-names.ts'
import type { HostTotals } from './stats-accumulator.ts'

const CACHE_FACTOR = 20
/** Crawls in the cache. */
const MAX_CACHED = 4

export interface NamedHost {
  id: number
  name: string
  totals: HostTotals
}

/** Lists of counted hosts, each with its expiry. */
export class HostTotalsCache {
  readonly #db: BrowseDb
  readonly #counts: AdaptiveCache<NamedHost[]>

  constructor(db: BrowseDb) {
    this.#db = db
    const settings = { factor: CACHE_FACTOR, leastMs: 0, maxEntries: MAX_CACHED, servesStale: true }
    this.#counts = new AdaptiveCache(() => db.now(), settings)
  }

  get(crawl: number): Promise<NamedHost[]> {
    return this.#counts.get(String(crawl), () => this.#count(crawl))
  }

  async #count(crawl: number): Promise<NamedHost[]> {
    const list = sortByUrlCount((await accumulateStats(this.#db, crawl)).hosts)
    const names = await readHostNames(
      this.#db,
      list.map(({ id }) => id),
    )
    return list.map(({ id, counted }) => ({ id, totals: counted, name: names.get(id) ?? '' }))
  }
}
