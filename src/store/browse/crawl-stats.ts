// Reads a crawl once, in batches between which other work gets its turn.

import type { CrawlStats } from '../../ports/browse.ts'
import type { BrowseDb } from './browse-db.ts'
import { readHostNames } from './host-names.ts'
import { type HostTotals, StatsAccumulator, toHostFigures } from './stats-accumulator.ts'

const BATCH_ROWS = 1000
const TOP_HOSTS = 50

export async function readCrawlStats(db: BrowseDb, crawlId: string): Promise<CrawlStats> {
  const { rowId } = await db.crawl(crawlId)
  const asOf = db.now()
  const statsAccumulator = await accumulateStats(db, rowId)
  const busiest = sortByUrlCount(statsAccumulator.hosts).slice(0, TOP_HOSTS)
  const names = await readHostNames(
    db,
    busiest.map(({ id }) => id),
  )
  const hosts = busiest.map(({ id, counted }) => toHostFigures(names.get(id) ?? '', counted))
  return { asOf, ...statsAccumulator.stats, hosts }
}

async function accumulateStats(db: BrowseDb, crawl: number): Promise<StatsAccumulator> {
  const { dialect } = db
  const text = `select u.id, u.host, u.state, u.reason, u.depth, v.http_status, v.content_type, v.content_length, v.fetch_ms
    from (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_ROWS}) u
      left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts`
  const statsAccumulator = new StatsAccumulator()
  for (let last = 0; ; ) {
    const rows = await db.rows(text, [crawl, last])
    for (const row of rows) {
      statsAccumulator.add(row)
      last = Math.max(last, Number(row['id']))
    }
    if (rows.length < BATCH_ROWS) return statsAccumulator
  }
}

/** Most URLs first; among equal counts, older hosts first. */
export function sortByUrlCount(hosts: Map<number, HostTotals>): { id: number; counted: HostTotals }[] {
  const list = [...hosts].map(([id, counted]) => ({ id, counted }))
  return list.sort((a, b) => b.counted.urls - a.counted.urls || a.id - b.id)
}
