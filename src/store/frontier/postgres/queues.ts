// The hosts of a crawl that have URLs, and when each is due. Commits add hosts, leases reschedule and remove them. A
// commit that adds URLs locks the row of their host against deletion (for key share), which does not block leases.

import { LAST_RANK } from '../../../frontier/rank.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Queryable } from '../../postgres/query.ts'

/** A host with URLs of this rank or better at this time. */
export interface QueuedHost {
  host: number
  rank: number
  dueAt: number
  /** Weight from the policy of the host; 1 if absent. */
  weight?: number
}

/** A host whose lease was released, and when it is due in all crawls. */
export interface ReleasedHost {
  host: number
  dueAt: number
}

const LOCK = {
  name: 'queues_lock',
  text: `with h as materialized (select $1::int as crawl, unnest($2::int[]) as id)
    select q.host from h join queues q on q.crawl = h.crawl and q.host = h.id order by q.host for key share of q`,
}

const ADD = {
  name: 'queues_add',
  text: `insert into queues (crawl, host, rank, due_at, weight)
    select $1, * from unnest($2::int[], $3::smallint[], $4::bigint[], $5::float8[]) as w (host, rank, due_at, weight) order by host
    on conflict (crawl, host) do nothing returning host`,
}

/**
 * Ordered by crawl and host to avoid deadlocks. $7 is now. `by_host`: the queue waits for its host, not for its URLs, so
 * `due_at` is the time of the host.
 */
const RESCHEDULE = {
  name: 'queues_reschedule',
  text: `with requested as (
      select $1::int as crawl, w.host, w.rank, w.due_at, false as is_released
      from unnest($2::int[], $3::smallint[], $4::bigint[]) as w (host, rank, due_at)
      union all
      select c.id, f.host, ${LAST_RANK}::smallint, f.due_at, true
      from crawls c cross join unnest($5::int[], $6::bigint[]) as f (host, due_at) where c.status = 'running'
    ), merged as (
      select crawl, host, min(rank) as rank, min(due_at) as due_at, bool_or(is_released) as is_released from requested group by 1, 2
    ), locked as (
      select q.crawl, q.host, m.rank, m.due_at, m.is_released
      from merged m join queues q on q.crawl = m.crawl and q.host = m.host
      where q.rank > m.rank or (m.is_released and q.by_host) or (q.due_at > m.due_at and not q.by_host)
      order by q.crawl, q.host for no key update of q
    )
    update queues q set
      rank = least(q.rank, l.rank),
      due_at = case when not q.by_host then least(q.due_at, l.due_at) when l.is_released then l.due_at else q.due_at end,
      by_host = case when l.is_released then l.due_at > $7 else q.by_host end
    from locked l where q.crawl = l.crawl and q.host = l.host
    returning q.due_at <= $7 or q.wanted_at is not null as must_wake`,
}

/** Hosts that waited for a free slot are due now: the next lease decides again whether they have one. */
const WAKE = {
  text: `with waiting as (select crawl, host from queues where crawl = $1 and by_host order by host for no key update)
    update queues q set due_at = least(q.due_at, $2), by_host = false
    from waiting w where q.crawl = w.crawl and q.host = w.host`,
}

export async function wakeQueues(tx: Queryable, crawl: number, now: number): Promise<void> {
  await tx.query({ ...WAKE, values: [crawl, now] })
}

/** Returns whether something became due, or a host became free for a waiting crawl. */
export async function queueHosts(
  tx: Queryable,
  crawl: number,
  { hostsWithUrls, releasedHosts }: { hostsWithUrls: QueuedHost[]; releasedHosts: ReleasedHost[] },
  now: number,
): Promise<boolean> {
  if (hostsWithUrls.length === 0 && releasedHosts.length === 0) return false
  const added = hostsWithUrls.length === 0 ? 0 : await lockOrAdd(tx, crawl, hostsWithUrls)
  // Requeued URLs are due when their released host is.
  const releasedAt = new Map(releasedHosts.map(({ host, dueAt }) => [host, dueAt]))
  const queued = hostsWithUrls.map((one) => ({ ...one, dueAt: Math.max(one.dueAt, releasedAt.get(one.host) ?? 0) }))
  const values = [
    crawl,
    ...toColumns(queued),
    releasedHosts.map(({ host }) => host),
    releasedHosts.map(({ dueAt }) => dueAt),
    now,
  ]
  const { rows } = await tx.query({ ...RESCHEDULE, values })
  return added > 0 || rows.some((row) => row['must_wake'] === true)
}

async function lockOrAdd(tx: Queryable, crawl: number, hostsWithUrls: QueuedHost[]): Promise<number> {
  let missing = hostsWithUrls
  let added = 0
  // Another transaction may add the row before the insert, and a lease may delete it before the next read.
  for (let round = 0; round < 10; round++) {
    const locked = await tx.query({ ...LOCK, values: [crawl, missing.map(({ host }) => host)] })
    missing = withoutHosts(missing, locked.rows)
    if (missing.length === 0) return added
    const weights = missing.map(({ weight }) => weight ?? 1)
    const inserted = await tx.query({ ...ADD, values: [crawl, ...toColumns(missing), weights] })
    added += inserted.rows.length
    missing = withoutHosts(missing, inserted.rows)
    if (missing.length === 0) return added
  }
  throw new AppError('INTERNAL', `The queues of crawl ${crawl} keep changing.`)
}

function withoutHosts(hostsWithUrls: QueuedHost[], rows: Record<string, unknown>[]): QueuedHost[] {
  const gone = new Set(rows.map((row) => row['host']))
  return hostsWithUrls.filter(({ host }) => !gone.has(host))
}

function toColumns(hostsWithUrls: QueuedHost[]): number[][] {
  return [
    hostsWithUrls.map(({ host }) => host),
    hostsWithUrls.map(({ rank }) => rank),
    hostsWithUrls.map(({ dueAt }) => dueAt),
  ]
}

/** Best rank and earliest time of each host. */
export function mergeQueuedHosts(hostsWithUrls: Iterable<QueuedHost>): QueuedHost[] {
  const merged = new Map<number, QueuedHost>()
  for (const { host, rank, dueAt, weight = 1 } of hostsWithUrls) {
    const known = merged.get(host)
    if (known === undefined) merged.set(host, { host, rank, dueAt, weight })
    else merged.set(host, { ...known, rank: Math.min(known.rank, rank), dueAt: Math.min(known.dueAt, dueAt) })
  }
  return [...merged.values()]
}
