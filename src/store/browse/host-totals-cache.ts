// The hosts of a crawl with their figures, in memory: counting reads all URLs.

import { stateFromCode } from '../encoding/state-codes.ts'
import type { BrowseDb, CrawlLedger } from './browse-db.ts'
import { CrawlCache } from './crawl-cache.ts'
import { sortByUrlCount } from './crawl-stats.ts'
import { readHostNames } from './host-names.ts'
import { addHostFigures, type HostTotals } from './stats-accumulator.ts'

/** Limit of cached crawls, separately for running crawls and others. */
const MAX_CACHED = 4
/** URLs per statement, which others wait for. */
const BATCH_URLS = 5000

export interface NamedHost {
  id: number
  name: string
  totals: HostTotals
}

export class HostTotalsCache {
  readonly #db: BrowseDb
  readonly #hosts: CrawlCache<NamedHost[]>

  constructor(db: BrowseDb) {
    this.#db = db
    this.#hosts = new CrawlCache(db, MAX_CACHED)
  }

  get(crawl: CrawlLedger): Promise<NamedHost[]> {
    return this.#hosts.get(crawl, () => this.#count(crawl.rowId))
  }

  async #count(crawl: number): Promise<NamedHost[]> {
    const list = sortByUrlCount(await countHosts(this.#db, crawl))
    const names = await readHostNames(
      this.#db,
      list.map(({ id }) => id),
    )
    return list.map(({ id, counted }) => ({ id, totals: counted, name: names.get(id) ?? '' }))
  }
}

/** The database adds up: a third of the cost of reading every row (2026-11). */
async function countHosts(db: BrowseDb, crawl: number): Promise<Map<number, HostTotals>> {
  const { dialect } = db
  const text = `select u.host, u.state, count(*), max(u.id), coalesce(sum(v.content_length), 0),
      coalesce(sum(v.fetch_ms), 0), count(v.fetch_ms)
    from (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_URLS}) u
      left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
    group by u.host, u.state`
  const hosts = new Map<number, HostTotals>()
  for (let last = 0; ; ) {
    let counted = 0
    for (const row of await db.tuples(text, [crawl, last])) {
      const [host = 0, state = 0, urls = 0, id = 0, bytes = 0, fetchMs = 0, fetches = 0] = row.map(Number)
      addHostFigures(hosts, host, { state: stateFromCode(state), urls, bytes, fetchMs, fetches })
      counted += urls
      last = Math.max(last, id)
    }
    if (counted < BATCH_URLS) return hosts
  }
}
