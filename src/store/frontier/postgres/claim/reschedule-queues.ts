// Reschedules queues that were due and had no URLs, and deletes empty ones.

import { IN_PROGRESS, QUEUED } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'

export interface QueueChange {
  host: number
  rank: number
  dueAt: number
  byHost: boolean
  /** Whether the crawl was served, is waiting for another crawl, or neither. */
  turn: 'served' | 'waiting' | 'same'
  /** New weight, if the policy of the host has changed. */
  weight?: number | null
}

/** If the row is locked, someone is adding URLs, so the queue is tried again soon. */
const BACKOFF_MS = 200

const LOCK = {
  name: 'reschedule_lock',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::int[]) as host)
    select q.host from wanted w join queues q on q.crawl = w.crawl and q.host = w.host
    order by q.host for update of q skip locked`,
}

/** A separate statement, since it must see what the previous holders of the row added. */
const DUE_TIMES = {
  name: 'reschedule_read',
  text: `select w.host, (select u.due_at from urls u where u.crawl = $1 and u.host = w.host and u.state = ${QUEUED}
        order by u.due_at limit 1) as due_at,
      exists (select 1 from urls u where u.crawl = $1 and u.host = w.host and u.state = ${IN_PROGRESS}) as is_in_flight
    from unnest($2::int[]) as w (host)`,
}

const DELETE = {
  name: 'reschedule_delete',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::int[]) as host)
    delete from queues q using wanted w where q.crawl = w.crawl and q.host = w.host`,
}

const CHANGE = {
  name: 'reschedule_update',
  text: `with changed as materialized (
      select $1::int as crawl, c.* from unnest($3::int[], $4::smallint[], $5::bigint[], $6::boolean[], $7::text[], $8::float8[])
        as c (host, rank, due_at, by_host, turn, weight)
    )
    update queues q set rank = c.rank, weight = coalesce(c.weight, q.weight), due_at = c.due_at, by_host = c.by_host,
      wanted_at = case c.turn when 'served' then null when 'waiting' then coalesce(q.wanted_at, $2) else q.wanted_at end
    from changed c where q.crawl = c.crawl and q.host = c.host`,
}

/** Returns the changes. The caller has locked the rows, but not against commits that add URLs. */
export async function rescheduleQueues(
  tx: Queryable,
  crawl: number,
  queues: { host: number; rank: number }[],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<QueueChange[]> {
  if (queues.length === 0) return []
  const locked = await tx.query({ ...LOCK, values: [crawl, queues.map(({ host }) => host)] })
  const lockedHosts = locked.rows.map((row) => Number(row['host']))
  const dueTimes = await tx.query({ ...DUE_TIMES, values: [crawl, lockedHosts] })
  const seen = new Map(dueTimes.rows.map((row) => [Number(row['host']), row]))
  const empty = lockedHosts.filter(
    (host) => seen.get(host)?.['due_at'] === null && seen.get(host)?.['is_in_flight'] === false,
  )
  if (empty.length > 0) await tx.query({ ...DELETE, values: [crawl, empty] })
  const deleted = new Set(empty)
  return queues
    .filter(({ host }) => !deleted.has(host))
    .map(({ host, rank }) => {
      const row = seen.get(host)
      if (row === undefined) return { host, rank, dueAt: now + BACKOFF_MS, byHost: false, turn: 'same' }
      // All URLs are in flight: their outcome reschedules the queue.
      if (row['due_at'] === null) return { host, rank, dueAt: now + leaseMs, byHost: false, turn: 'same' }
      const dueAt = Number(row['due_at'])
      return { host, rank, dueAt: dueAt > now ? dueAt : now + BACKOFF_MS, byHost: false, turn: 'same' }
    })
}

export async function updateQueues(tx: Queryable, crawl: number, changes: QueueChange[], now: number): Promise<void> {
  if (changes.length === 0) return
  const lists = [
    changes.map(({ host }) => host),
    changes.map(({ rank }) => rank),
    changes.map(({ dueAt }) => dueAt),
    changes.map(({ byHost }) => byHost),
    changes.map(({ turn }) => turn),
    changes.map(({ weight }) => weight ?? null),
  ]
  await tx.query({ ...CHANGE, values: [crawl, now, ...lists] })
}
