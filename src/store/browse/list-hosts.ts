// Lists of hosts, most URLs first.

import type { Browse } from '../../ports/browse.ts'
import type { BrowseDb } from './browse-db.ts'
import { decodeCursor, encodeCursor, listFingerprint } from './cursor.ts'
import { readHostStatuses } from './host-status.ts'
import type { HostTotalsCache } from './host-totals-cache.ts'
import { toHostFigures } from './stats-accumulator.ts'

export async function listHosts(
  db: BrowseDb,
  counts: HostTotalsCache,
  crawlId: string,
  { text, limit, cursor }: Parameters<Browse['hosts']>[1],
): ReturnType<Browse['hosts']> {
  const crawl = await db.crawl(crawlId)
  const name = listFingerprint('hosts', crawlId, text)
  const [afterUrls = Number.POSITIVE_INFINITY, afterId = 0] = decodeCursor(name, cursor, 2) ?? []
  const wanted = text?.toLowerCase() ?? ''
  const left = (await counts.get(crawl)).filter(
    (host) =>
      host.name.includes(wanted) &&
      (host.totals.urls < afterUrls || (host.totals.urls === afterUrls && host.id > afterId)),
  )
  const page = left.slice(0, limit)
  const last = page.at(-1)
  const hasMore = left.length > limit && last !== undefined
  const statusOf = await readHostStatuses(db, crawl.rowId, page)
  return {
    hosts: page.map(({ id, name: host, totals }) => ({ ...toHostFigures(host, totals), ...statusOf(id) })),
    nextCursor: hasMore ? encodeCursor(name, [last.totals.urls, last.id]) : null,
  }
}
