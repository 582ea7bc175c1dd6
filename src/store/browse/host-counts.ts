// The hosts of a crawl with their figures. That takes a pass over all urls, so what was counted is used again for twenty
// times as long as it took: a large crawl is not read anew for every page of a list.

import { Cached } from '../../lib/cached.ts'
import type { BrowseDb } from './db.ts'
import { hostNames } from './host-names.ts'
import { byUrls, tallyOf } from './stats.ts'
import type { CountedHost } from './tally.ts'

const KEEP_FACTOR = 20
/** Crawls whose counts are kept at a time. */
const MAX_KEPT = 4

export interface NamedHost {
  id: number
  name: string
  counted: CountedHost
}

/** Lists of counted hosts, each for as long as it may be used. */
export class HostCounts {
  readonly #db: BrowseDb
  readonly #counts: Cached<NamedHost[]>

  constructor(db: BrowseDb) {
    this.#db = db
    const settings = { factor: KEEP_FACTOR, leastMs: 0, maxEntries: MAX_KEPT, servesStale: true }
    this.#counts = new Cached(() => db.now(), settings)
  }

  of(crawl: number): Promise<NamedHost[]> {
    return this.#counts.get(String(crawl), () => this.#count(crawl))
  }

  async #count(crawl: number): Promise<NamedHost[]> {
    const list = byUrls((await tallyOf(this.#db, crawl)).hosts)
    const names = await hostNames(
      this.#db,
      list.map(({ id }) => id),
    )
    return list.map(({ id, counted }) => ({ id, counted, name: names.get(id) ?? '' }))
  }
}
