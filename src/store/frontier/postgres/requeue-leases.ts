// Requeues leases that their holder did not release: expired leases, and leases of lost workers and dead processes.
// Their URLs are queued again and their hosts are free.

import { delayMsSql, nextAtAfterLossSql } from '../../../frontier/next-request.ts'
import { IN_PROGRESS, QUEUED } from '../../encoding/state-codes.ts'
import type { Database } from '../../postgres/database.ts'
import type { Queryable, Row } from '../../postgres/query.ts'
import { notifyWork } from '../../postgres/work-notifier.ts'
import { addToCounters } from './crawl-state/counters.ts'
import { mergeQueuedHosts, queueHosts } from './queues.ts'

export interface RequeueContext {
  /** The holder whose counter row the URLs are counted in. */
  holder: string
  now: number
  /** The holder is gone, and its last request to the host may not have been reported. */
  isLost: boolean
}

const CHUNK = 500

const EXPIRED = {
  name: 'leases_expired',
  text: `select token, crawl, host from leases where expires_at <= $1 order by expires_at limit ${CHUNK}`,
}
const BY_TOKEN = {
  name: 'leases_by_token',
  text: 'select token, crawl, host from leases where token = any($1::bigint[])',
}

/** Few rows: one per leased host. */
const BY_HOLDER_PREFIX = {
  name: 'leases_by_prefix',
  text: 'select token, crawl, host from leases where starts_with(worker, $1)',
}

const BY_HOLDER = {
  name: 'leases_by_holder',
  text: 'select token, crawl, host from leases where worker = $1 and crawl = $2',
}

/**
 * Leases of lost workers that were not renewed for $2 ms. A thread that renews is alive, even if the heartbeats of its
 * process do not arrive. Threads renew every few seconds, so there are few rows to join with the workers.
 */
const BY_LOST_WORKER = {
  name: 'leases_by_lost_worker',
  text: `with stale as materialized (select token, crawl, host, worker from leases where renewed_at <= now_ms($1) - $2::bigint)
    select s.token, s.crawl, s.host, w.id as lost from stale s
      join workers w on w.state = 'lost' and starts_with(s.worker, w.process || '/' || w.id || '-')`,
}

/** Skips URLs that a commit is reporting. */
const REQUEUE = {
  name: 'leases_requeue',
  text: `with locked as (
      select u.crawl, u.id, u.host, l.token from unnest($1::bigint[], $2::int[], $3::int[]) as l (token, crawl, host)
        join urls u on u.crawl = l.crawl and u.host = l.host and u.lease = l.token and u.state = ${IN_PROGRESS}
      order by u.crawl, u.id for update of u skip locked
    )
    update urls u set state = ${QUEUED}, lease = null from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host returning u.crawl, u.host, u.rank, k.token`,
}

/** The lost leases may have made requests that were never reported. The health of the host is reset. */
const DELAY_HOSTS = {
  name: 'leases_delay_hosts',
  text: `with lost as (
      select l.host, max(greatest(${delayMsSql('d.delay')}, coalesce(k.policy_delay_ms, 0))) as delay_ms
      from unnest($1::int[], $2::int[], $4::bigint[]) as l (host, crawl, token) left join leases k on k.token = l.token join crawls c on c.id = l.crawl
        cross join lateral (select c.settings::json ->> 'delayMs' as delay) d
      group by l.host
    ), locked as (
      select h.id, lost.delay_ms from lost join hosts h on h.id = lost.host order by h.id for no key update of h
    )
    update hosts h set next_at = ${nextAtAfterLossSql('k.delay_ms', '$3::bigint')},
      failures = 0, failing_since = 0, down_until = 0, failure_share = 0, refusing_since = 0
    from locked k where h.id = k.id`,
}

const DELETE = {
  name: 'leases_delete_empty',
  text: `delete from leases where token in (
      select l.token from leases l where l.token = any($1::bigint[]) and not exists (
        select 1 from urls u where u.crawl = l.crawl and u.host = l.host and u.lease = l.token and u.state = ${IN_PROGRESS})
      order by l.token for update skip locked)`,
}

export async function requeueExpired(db: Database, context: Omit<RequeueContext, 'isLost'>): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query({ ...EXPIRED, values: [context.now] })
    await requeueLeases(tx, rows, { ...context, isLost: true })
  })
}

/** Leases of all holders with this prefix: the threads of a process (`17/`) or of a worker (`17/w2f9-`). */
export async function requeueHolders(
  tx: Queryable,
  prefix: string,
  context: Omit<RequeueContext, 'isLost'>,
): Promise<void> {
  const { rows } = await tx.query({ ...BY_HOLDER_PREFIX, values: [prefix] })
  await requeueLeases(tx, rows, { ...context, isLost: true })
}

/** Leases of one thread in one crawl. */
export async function requeueThread(
  db: Database,
  crawl: number,
  context: Omit<RequeueContext, 'isLost'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query({ ...BY_HOLDER, values: [context.holder, crawl] })
    await requeueLeases(tx, rows, { ...context, isLost: true })
  })
}

/** Leases of lost workers. Returns how many URLs each of them had. */
export async function requeueLost(
  db: Database,
  {
    silentMs,
    virtualNow,
    ...context
  }: Omit<RequeueContext, 'isLost'> & { silentMs: number; virtualNow: number | null },
): Promise<Map<string, number>> {
  const urls = new Map<string, number>()
  await db.transaction(async (tx) => {
    urls.clear()
    const { rows } = await tx.query({ ...BY_LOST_WORKER, values: [virtualNow, silentMs] })
    const lostWorkers = new Map(rows.map((row) => [Number(row['token']), String(row['lost'])]))
    for (const token of await requeueLeases(tx, rows, { ...context, isLost: true })) {
      const workerId = lostWorkers.get(token) ?? ''
      urls.set(workerId, (urls.get(workerId) ?? 0) + 1)
    }
  })
  return urls
}

export async function requeueTokens(
  db: Database,
  tokens: number[],
  context: Omit<RequeueContext, 'isLost'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query({ ...BY_TOKEN, values: [tokens] })
    await requeueLeases(tx, rows, { ...context, isLost: false })
  })
}

/**
 * Locks rows in the order of commits: URLs, queues, hosts, leases, counters. Returns the token of each requeued URL.
 */
async function requeueLeases(tx: Queryable, leases: Row[], { holder, now, isLost }: RequeueContext): Promise<number[]> {
  if (leases.length === 0) return []
  const column = (name: string) => leases.map((lease) => Number(lease[name]))
  const hosts = [...new Set(column('host'))]
  const tokens = column('token')
  const { rows } = await tx.query({ ...REQUEUE, values: [tokens, column('crawl'), column('host')] })
  const byCrawl = Map.groupBy(rows, (row) => Number(row['crawl']))
  const crawls = [...new Set(column('crawl'))].sort((a, b) => a - b)
  let releasedHosts = hosts.map((host) => ({ host, dueAt: now }))
  let isWoken = false
  for (const crawl of crawls) {
    const urls = byCrawl.get(crawl) ?? []
    const hostsWithUrls = urls.map((row) => ({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now }))
    isWoken =
      (await queueHosts(tx, crawl, { hostsWithUrls: mergeQueuedHosts(hostsWithUrls), releasedHosts }, now)) || isWoken
    releasedHosts = []
  }
  if (isWoken) await notifyWork(tx, crawls[0] ?? 0)
  if (isLost) await tx.query({ ...DELAY_HOSTS, values: [column('host'), column('crawl'), now, tokens] })
  await tx.query({ ...DELETE, values: [tokens] })
  for (const crawl of crawls) {
    const urls = byCrawl.get(crawl) ?? []
    if (urls.length > 0) await addToCounters(tx, { crawl, holder }, { in_progress: -urls.length })
  }
  return rows.map((row) => Number(row['token']))
}
