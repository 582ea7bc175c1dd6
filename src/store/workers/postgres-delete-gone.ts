// What those leave behind who are gone.

import type { Queryable } from '../postgres/query.ts'

const CHUNK = 1000

const WORKERS = `delete from workers where state in ('left', 'lost') and seen_at < now_ms($1) - $2::bigint`

/** One that is still there is only no longer known to be gone the moment it is. */
const PROCESSES = `delete from processes p where p.started_at < now_ms($1) - $2::bigint
  and not exists (select 1 from leases l where starts_with(l.worker, p.number || '/'))`

/** Nobody asks again after a commit to a crawl that ended so long ago. */
const MARKS = `delete from marks where (crawl, worker) in (
  select m.crawl, m.worker from crawls c join marks m on m.crawl = c.id
  where c.status not in ('running', 'paused') and c.finished_at < now_ms($1) - $2::bigint limit ${CHUNK})`

export async function deleteGone(db: Queryable, given: number | null, olderThanMs: number): Promise<void> {
  for (const text of [WORKERS, PROCESSES, MARKS]) await db.query({ text, values: [given, olderThanMs] })
}
