// The hosts of a crawl with their figures. That takes a pass over all urls, so what was counted is used again for twenty
// times as long as it took: a large crawl is not read anew for every page of a list.

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

interface Kept {
  until: number
  hosts: Promise<NamedHost[]>
}

/** Lists of counted hosts, each for as long as it may be used. */
export class HostCounts {
  readonly #db: BrowseDb
  readonly #kept = new Map<number, Kept>()

  constructor(db: BrowseDb) {
    this.#db = db
  }

  /** Who asks while a pass is under way waits for that one. */
  of(crawl: number): Promise<NamedHost[]> {
    const known = this.#kept.get(crawl)
    if (known !== undefined && known.until > this.#db.now()) return known.hosts
    const kept = { until: Number.POSITIVE_INFINITY, hosts: this.#count(crawl) }
    this.#keep(crawl, kept)
    const startedAt = this.#db.now()
    kept.hosts.then(
      () => {
        const now = this.#db.now()
        kept.until = now + KEEP_FACTOR * (now - startedAt)
      },
      () => this.#kept.delete(crawl),
    )
    return kept.hosts
  }

  #keep(crawl: number, kept: Kept): void {
    this.#kept.delete(crawl)
    this.#kept.set(crawl, kept)
    for (const other of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) return
      this.#kept.delete(other)
    }
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
