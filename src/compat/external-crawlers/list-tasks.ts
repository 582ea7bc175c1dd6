// Lists the tasks of a crawl with what is known about each: the crawl metadata of this API.

import type { z } from 'zod'
import type { ApiDependencies } from '../../api/handlers.ts'
import { isoTimeOrNull } from '../../lib/iso-time.ts'
import type { Crawl, UrlInFlight } from '../../ports/crawls.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { ListTasksQuery } from './schemas.ts'
import { taskState } from './task-states.ts'
import { crawlerIdOf } from './thread-id.ts'

type ListTasksDependencies = Pick<ApiDependencies, 'crawls' | 'urls' | 'browse'>

/** Rows that one request reads, whether they match or not. */
const MAX_SCANNED_ROWS = 50_000

/** Tasks in the order of their ids, after `after`; pass `next` as `after` to continue. */
export async function listTasks(
  { id: crawlId, settings }: Crawl,
  { state, limit, after }: z.output<typeof ListTasksQuery>,
  { crawls, urls, browse }: ListTasksDependencies,
) {
  const inFlight = new Map((await crawls.urlsInFlight(crawlId)).map((url) => [url.urlId, url]))
  const rows: UrlRow[] = []
  let scanned = 0
  let next: number | null = null
  for await (const row of urls.rows(crawlId, after)) {
    if (state === undefined || taskState(row, inFlight.get(row.id)) === state) rows.push(row)
    scanned += 1
    if (rows.length < limit && scanned < MAX_SCANNED_ROWS) continue
    next = row.id
    break
  }
  const ids = rows.map(({ id }) => id)
  const linkCounts = await browse.linkCounts(crawlId, ids)
  const tasks = rows.map((row) => ({
    ...taskJson(row, inFlight.get(row.id), linkCounts.get(row.id) ?? 0),
    robots_txt_compliant: !settings.ignoreRobots,
  }))
  return { tasks, next: next === null ? null : String(next) }
}

function taskJson(row: UrlRow, lease: UrlInFlight | undefined, linkCount: number) {
  const { id, url, visitedAt, fetchMs, reason, attempts } = row
  const status = taskState(row, lease)
  const threadId = lease?.threadId ?? row.visitedBy
  return {
    task_id: String(id),
    url,
    crawler_id: threadId === null ? null : crawlerIdOf(threadId),
    start_time: isoTimeOrNull(lease?.leasedAt ?? (visitedAt === null ? null : visitedAt - (fetchMs ?? 0))),
    end_time: isoTimeOrNull(lease === undefined ? visitedAt : null),
    status,
    http_status: row.httpStatus,
    fetch_time_ms: fetchMs,
    processing_time_ms: row.processingMs,
    content_size_bytes: row.contentLength,
    links_discovered: linkCount,
    retries: Math.max(0, attempts - 1),
    last_attempt: isoTimeOrNull(visitedAt),
    errors: reason === null ? [] : [reason],
  }
}
