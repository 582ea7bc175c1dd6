// Applies changed weights of hosts to the queues. A queue that is missed, because it was added meanwhile by a process that
// did not know the change, is corrected when a lease request considers it.

import type { Database } from '../../postgres/database.ts'
import type { Row } from '../../postgres/query.ts'

const CHUNK = 5000

const LIST = {
  name: 'weights_list',
  text: `select q.crawl, q.host, q.weight, h.name from queues q join hosts h on h.id = q.host
    where (q.crawl, q.host) > ($1::int, $2::int) order by q.crawl, q.host limit ${CHUNK}`,
}

const SAVE = {
  name: 'weights_save',
  text: `with wanted as materialized (select * from unnest($1::int[], $2::int[], $3::float8[]) as w (crawl, host, weight)),
    locked as (
      select q.crawl, q.host, w.weight from wanted w join queues q on q.crawl = w.crawl and q.host = w.host
      order by q.crawl, q.host for no key update of q
    )
    update queues q set weight = l.weight from locked l where q.crawl = l.crawl and q.host = l.host`,
}

export async function weightQueues(db: Database, weightOf: (host: string) => number): Promise<void> {
  let last: Row | undefined = { crawl: 0, host: 0 }
  while (last !== undefined) {
    const from: Row = last
    const { rows } = await db.withRetries(() => db.pool.query({ ...LIST, values: [from['crawl'], from['host']] }))
    const changed = rows
      .map((row) => ({ row, weight: weightOf(String(row['name'])) }))
      .filter(({ row, weight }) => weight !== Number(row['weight']))
    const values = [
      changed.map(({ row }) => row['crawl']),
      changed.map(({ row }) => row['host']),
      changed.map(({ weight }) => weight),
    ]
    if (changed.length > 0) await db.withRetries(() => db.pool.query({ ...SAVE, values }))
    last = rows.length === CHUNK ? rows.at(-1) : undefined
  }
}
