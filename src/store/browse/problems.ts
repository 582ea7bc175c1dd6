// URLs with problems, read from their index.

import type { Browse, UrlProblem } from '../../ports/browse.ts'
import { stateFromCode } from '../encoding/state-codes.ts'
import type { BrowseDb, Row } from './browse-db.ts'
import { IS_PROBLEM } from './problem-states.ts'

/** The newest are chosen among the URLs discovered last. */
const MAX_SCANNED_ROWS = 20_000

export async function readProblems(db: BrowseDb, crawlId: string, limit: number): ReturnType<Browse['problems']> {
  const { rowId } = await db.crawl(crawlId)
  const { dialect } = db
  const counts = await db.scanRows(
    `select u.state, u.reason, count(*) as n from ${dialect.problemUrls} where u.crawl = $1 and ${IS_PROBLEM}
     group by u.state, u.reason order by count(*) desc, u.state, ${dialect.bytewise('u.reason')}`,
    [rowId],
  )
  const rows = await db.rows(
    `select u.id, u.url, u.state, u.reason, u.attempts, v.http_status, v.visited_at, v.thread from
       (select * from ${dialect.problemUrls} where u.crawl = $1 and ${IS_PROBLEM} order by u.id desc limit ${MAX_SCANNED_ROWS}) u
       left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
     order by coalesce(v.visited_at, u.first_seen_at) desc, u.id desc limit ${limit}`,
    [rowId],
  )
  return { counts: counts.map(toCount), rows: rows.map(toProblem) }
}

/** A state that is clear without a reason has none. */
function toCount(row: Row): Awaited<ReturnType<Browse['problems']>>['counts'][number] {
  const state = stateFromCode(Number(row['state']))
  return { state, key: (row['reason'] as string | null) ?? state, count: Number(row['n']) }
}

function toProblem(row: Row): UrlProblem {
  return {
    id: Number(row['id']),
    url: String(row['url']),
    state: stateFromCode(Number(row['state'])),
    reason: row['reason'] as string | null,
    httpStatus: row['http_status'] as number | null,
    attempts: Number(row['attempts']),
    visitedAt: row['visited_at'] as number | null,
    visitedBy: row['thread'] as string | null,
  }
}
