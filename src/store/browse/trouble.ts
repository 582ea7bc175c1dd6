// What went wrong: read from the index of urls that ended badly.

import type { Browse, TroubleRow } from '../../ports/browse.ts'
import { stateOf } from '../rows/codes.ts'
import { IS_BAD } from './bad.ts'
import type { BrowseDb, Row } from './db.ts'

/** Of how many the newest are chosen: those that were found last. */
const MAX_LOOK = 20_000

export async function troubleOf(db: BrowseDb, crawlId: string, limit: number): ReturnType<Browse['trouble']> {
  const { rowId } = await db.crawl(crawlId)
  const { dialect } = db
  const counts = await db.manyRows(
    `select u.state, u.reason, count(*) as n from ${dialect.badUrls} where u.crawl = $1 and ${IS_BAD}
     group by u.state, u.reason order by count(*) desc, u.state, ${dialect.bytewise('u.reason')}`,
    [rowId],
  )
  const rows = await db.rows(
    `select u.id, u.url, u.state, u.reason, u.attempts, v.http_status, v.visited_at from
       (select * from ${dialect.badUrls} where u.crawl = $1 and ${IS_BAD} order by u.id desc limit ${MAX_LOOK}) u
       left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
     order by coalesce(v.visited_at, u.first_seen_at) desc, u.id desc limit ${limit}`,
    [rowId],
  )
  return { counts: counts.map(toCount), rows: rows.map(toTrouble) }
}

/** A state that says it all has no reason beside it. */
function toCount(row: Row): Awaited<ReturnType<Browse['trouble']>>['counts'][number] {
  const state = stateOf(Number(row['state']))
  return { state, key: (row['reason'] as string | null) ?? state, count: Number(row['n']) }
}

function toTrouble(row: Row): TroubleRow {
  return {
    id: Number(row['id']),
    url: String(row['url']),
    state: stateOf(Number(row['state'])),
    reason: row['reason'] as string | null,
    httpStatus: row['http_status'] as number | null,
    attempts: Number(row['attempts']),
    visitedAt: row['visited_at'] as number | null,
  }
}
