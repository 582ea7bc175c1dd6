// One pass over a crawl, in pieces between which others have their turn.

import type { CrawlStats } from '../../ports/browse.ts'
import type { BrowseDb } from './db.ts'
import { hostNames } from './host-names.ts'
import { type CountedHost, Tally, toFigures } from './tally.ts'

const PIECE = 1000
const TOP_HOSTS = 50

export async function crawlStats(db: BrowseDb, crawlId: string): Promise<CrawlStats> {
  const { rowId } = await db.crawl(crawlId)
  const asOf = db.now()
  const tally = await tallyOf(db, rowId)
  const busiest = byUrls(tally.hosts).slice(0, TOP_HOSTS)
  const names = await hostNames(
    db,
    busiest.map(({ id }) => id),
  )
  const hosts = busiest.map(({ id, counted }) => toFigures(names.get(id) ?? '', counted))
  return { asOf, ...tally.stats, hosts }
}

export async function tallyOf(db: BrowseDb, crawl: number): Promise<Tally> {
  const { dialect } = db
  const text = `select u.id, u.host, u.state, u.reason, u.depth, v.http_status, v.content_type, v.content_length, v.fetch_ms
    from (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${PIECE}) u
      left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts`
  const tally = new Tally()
  for (let last = 0; ; ) {
    const rows = await db.rows(text, [crawl, last])
    for (const row of rows) {
      tally.add(row)
      last = Math.max(last, Number(row['id']))
    }
    if (rows.length < PIECE) return tally
  }
}

/** Those with the most urls first, and of the same number the older ones. */
export function byUrls(hosts: Map<number, CountedHost>): { id: number; counted: CountedHost }[] {
  const list = [...hosts].map(([id, counted]) => ({ id, counted }))
  return list.sort((a, b) => b.counted.urls - a.counted.urls || a.id - b.id)
}
