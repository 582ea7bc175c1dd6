// Lists of hosts, those with the most urls first.

import type { Browse } from '../../ports/browse.ts'
import { decodeCursor, encodeCursor, listName } from './cursor.ts'
import type { BrowseDb } from './db.ts'
import type { HostCounts } from './host-counts.ts'
import { pacesOf } from './host-pace.ts'
import { toFigures } from './tally.ts'

export async function listHosts(
  db: BrowseDb,
  counts: HostCounts,
  crawlId: string,
  { text, limit, cursor }: Parameters<Browse['hosts']>[1],
): ReturnType<Browse['hosts']> {
  const { rowId } = await db.crawl(crawlId)
  const name = listName('hosts', crawlId, text)
  const [afterUrls = Number.POSITIVE_INFINITY, afterId = 0] = decodeCursor(name, cursor, 2) ?? []
  const wanted = text?.toLowerCase() ?? ''
  const left = (await counts.of(rowId)).filter(
    (host) =>
      host.name.includes(wanted) &&
      (host.counted.urls < afterUrls || (host.counted.urls === afterUrls && host.id > afterId)),
  )
  const page = left.slice(0, limit)
  const last = page.at(-1)
  const hasMore = left.length > limit && last !== undefined
  const paceOf = await pacesOf(db, rowId, page)
  return {
    hosts: page.map(({ id, name: host, counted }) => ({ ...toFigures(host, counted), ...paceOf(id) })),
    nextCursor: hasMore ? encodeCursor(name, [last.counted.urls, last.id]) : null,
  }
}
