// Deletes what workers and processes left behind.

import type { Queryable } from '../postgres/query.ts'

const CHUNK = 1000

const WORKERS = `delete from workers where state in ('left', 'lost') and seen_at < now_ms($1) - $2::bigint`

/** If the process is still alive, the only effect is that others cannot tell at once when it is gone. */
const PROCESSES = `delete from processes p where p.started_at < now_ms($1) - $2::bigint
  and not exists (select 1 from leases l where starts_with(l.worker, p.number || '/'))`

/** No commit to a crawl that ended so long ago is retried. */
const MARKS = `delete from marks where (crawl, worker) in (
  select m.crawl, m.worker from crawls c join marks m on m.crawl = c.id
  where c.status not in ('running', 'paused') and c.finished_at < now_ms($1) - $2::bigint limit ${CHUNK})`

export async function deleteGone(db: Queryable, given: number | null, olderThanMs: number): Promise<void> {
  for (const text of [WORKERS, PROCESSES, MARKS]) await db.query({ text, values: [given, olderThanMs] })
}
