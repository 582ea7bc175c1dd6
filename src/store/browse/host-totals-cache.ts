// The hosts of a crawl with their figures. Counting reads all URLs, so the result of a crawl that does not run is kept
// until the crawl changes, and that of a running one for twenty times as long as it took.

import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { stateFromCode } from '../encoding/state-codes.ts'
import type { BrowseDb, CrawlLedger } from './browse-db.ts'
import { sortByUrlCount } from './crawl-stats.ts'
import { readHostNames } from './host-names.ts'
import { addHostFigures, type HostTotals } from './stats-accumulator.ts'

const CACHE_FACTOR = 20
const UNCHANGED_MS = 3_600_000
/** Crawls in each cache. */
const MAX_CACHED = 4
/** URLs per statement, which others wait for. */
const BATCH_URLS = 5000

export interface NamedHost {
  id: number
  name: string
  totals: HostTotals
}

/** Lists of counted hosts, each with its expiry. */
export class HostTotalsCache {
  readonly #db: BrowseDb
  readonly #running: AdaptiveCache<NamedHost[]>
  readonly #unchanged: AdaptiveCache<NamedHost[]>

  constructor(db: BrowseDb) {
    this.#db = db
    const settings = { leastMs: 0, maxEntries: MAX_CACHED }
    this.#running = new AdaptiveCache(() => db.now(), { ...settings, factor: CACHE_FACTOR, servesStale: true })
    this.#unchanged = new AdaptiveCache(() => db.now(), { ...settings, leastMs: UNCHANGED_MS })
  }

  get({ rowId, version }: CrawlLedger): Promise<NamedHost[]> {
    const count = () => this.#count(rowId)
    return version === null
      ? this.#running.get(String(rowId), count)
      : this.#unchanged.get(`${rowId} ${version}`, count)
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
