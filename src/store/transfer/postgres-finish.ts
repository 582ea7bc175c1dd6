// Builds what a database needs besides the transferred rows: sequences, id blocks and the queues of hosts.

import { delayMsSql, isRecentSql, nextAtAfterLossSql } from '../../frontier/next-request.ts'
import { QUEUED } from '../encoding/state-codes.ts'
import type { Queryable } from '../postgres/query.ts'

const SET_SEQUENCES = ['crawls', 'segments', 'changes', 'monitor_hits', 'audits'].map(
  (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table} having count(*) > 0`,
)

const BLOCKS = Object.entries({ url: 'urls', host: 'hosts', page: 'pages' }).map(
  ([name, table]) =>
    `update blocks set next = greatest(next, (select coalesce(max(id), 0) + 1 from ${table})) where name = '${name}'`,
)

const QUEUES = `insert into queues (crawl, host, rank, due_at)
  select crawl, host, min(rank), min(due_at) from urls where state = ${QUEUED} group by crawl, host`

/** The index is not transferred; it is rebuilt from the pages. */
const INDEX_QUEUE = 'insert into index_queue (page, host, url_hash) select id, host, url_hash from pages'

/** A host without a report, or with a recent one, may have been requested by a process just before it died. */
const DELAY_HOSTS = `update hosts h set next_at = ${nextAtAfterLossSql('q.delay_ms', 'now_ms($1)')}
  from (select q.host, max(${delayMsSql("c.settings::json ->> 'delayMs'")}) as delay_ms
        from queues q join crawls c on c.id = q.crawl group by q.host) q
  where h.id = q.host and (h.next_at = 0 or ${isRecentSql('now_ms($1)')})`

/** Tokens of a data directory are times in microseconds. Tokens granted here must be higher. */
const TOKENS = `update blocks set next = greatest(next, now_ms($1) * 1000) where name = 'token'`

export async function finishTarget(db: Queryable, tables: string[], now: number | null): Promise<void> {
  for (const text of [...SET_SEQUENCES, ...BLOCKS, QUEUES, INDEX_QUEUE]) await db.query({ text })
  for (const text of [TOKENS, DELAY_HOSTS]) await db.query({ text, values: [now] })
  await db.query({ text: `analyze ${tables.join(', ')}` })
}
