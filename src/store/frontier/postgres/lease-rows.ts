// Leases in commits: which URLs are in flight under them, and how they end.

import type { CommitBatch } from '../../../ports/frontier.ts'
import { IN_PROGRESS, QUEUED } from '../../encoding/state-codes.ts'
import { runPipelined } from '../../postgres/database.ts'
import type { Queryable } from '../../postgres/query.ts'
import type { StoreClock } from '../../postgres/store-clock.ts'
import { type InFlightUrl, toInFlightUrl } from './discovery/collect-discoveries.ts'

export interface ActiveLease {
  token: number
  host: number
  /** Reports under it are rejected. */
  isFenced: boolean
}

const ACTIVE = {
  name: 'leases_active',
  text: `select token, host, is_fenced from leases
    where token = any($2::bigint[]) and crawl = $1 and expires_at > now_ms($3)`,
}

/** URLs that are reported, released with their lease, or named as sitemaps. The columns are read after locking. */
const LOCK = {
  name: 'leases_lock_urls',
  text: `with active as materialized (
      select token, crawl, host from leases where token = any($2::bigint[]) and crawl = $1 and expires_at > now_ms($3)
    ), named as materialized (
      select $1::int as crawl, unnest($6::bigint[]) as key
    ), affected as (
      select u.crawl, u.id, u.host
      from active l join urls u on u.crawl = l.crawl and u.host = l.host and u.lease = l.token and u.state = ${IN_PROGRESS}
      where u.id = any($4::bigint[]) or l.token = any($5::bigint[])
      union
      select u.crawl, u.id, u.host from named n join urls u on u.crawl = n.crawl and u.key = n.key
    )
    select u.id, u.host, u.lease, u.url, u.depth, u.hops, u.rank, u.attempts, u.kind, u.leased_depth, u.leased_kind, u.state,
      u.trials
    from affected w join urls u on u.crawl = w.crawl and u.id = w.id and u.host = w.host
    order by u.id for update of u`,
}

/** The time, and the URLs and leases that the batch refers to. */
export async function lockForCommit(
  tx: Queryable,
  crawl: number,
  batch: CommitBatch,
  storeClock: StoreClock,
): Promise<{ now: number; urls: InFlightUrl[]; leases: ActiveLease[] }> {
  const { virtualNow } = storeClock
  const time = storeClock.now(tx)
  const tokens = [...new Set([...batch.visits.map(({ token }) => token), ...batch.release])]
  if (tokens.length + batch.found.length === 0) {
    return { now: await time, urls: [], leases: [] }
  }
  const ids = batch.visits.map(({ urlId }) => urlId)
  const sitemaps = [...batch.found, ...batch.visits.flatMap(({ found }) => found)]
    .filter(({ kind }) => kind === 'sitemap')
    .map(({ key }) => key)
  const values = [crawl, tokens, virtualNow, ids, batch.release, `{${sitemaps.join(',')}}`]
  const [now, { rows }, { rows: leases }] = await runPipelined(
    time,
    tx.query({ ...LOCK, values }),
    tx.query({ ...ACTIVE, values: [crawl, tokens, virtualNow] }),
  )
  const tokenSet = new Set(tokens)
  return {
    now,
    urls: rows.filter((row) => row['state'] === IN_PROGRESS && tokenSet.has(Number(row['lease']))).map(toInFlightUrl),
    leases: leases.map((row) => {
      return { token: Number(row['token']), host: Number(row['host']), isFenced: row['is_fenced'] === true }
    }),
  }
}

const REQUEUE = {
  name: 'leases_requeue_unreported',
  text: `with back as materialized (select $1::int as crawl, b.* from unnest($2::bigint[], $3::int[]) as b (id, host))
    update urls u set state = ${QUEUED}, lease = null from back b where u.crawl = b.crawl and u.id = b.id and u.host = b.host`,
}

export async function requeueUrls(tx: Queryable, crawl: number, urls: InFlightUrl[]): Promise<void> {
  if (urls.length === 0) return
  await tx.query({ ...REQUEUE, values: [crawl, urls.map(({ id }) => id), urls.map(({ host }) => host)] })
}

const FENCE = {
  name: 'leases_fence',
  text: `with active as (select token from leases where worker = $1 and crawl = $2 order by token for no key update)
    update leases l set is_fenced = true from active where l.token = active.token`,
}

/** After a late report, the store rejects further reports of the thread in this crawl under its current leases. */
export async function fenceLeases(tx: Queryable, { crawl, holder }: { crawl: number; holder: string }): Promise<void> {
  await tx.query({ ...FENCE, values: [holder, crawl] })
}

const DELETE = { name: 'leases_delete', text: 'delete from leases where token = any($1::bigint[])' }

/** URLs that were added to the lease while it was being released. */
const REQUEUE_REST = {
  name: 'leases_requeue_rest',
  text: `with gone as materialized (select $1::int as crawl, l.* from unnest($2::bigint[], $3::int[]) as l (token, host))
    update urls u set state = ${QUEUED}, lease = null from gone l
    where u.crawl = l.crawl and u.host = l.host and u.lease = l.token and u.state = ${IN_PROGRESS}`,
}

/** Deletes leases whose URLs are done, and returns the number of other URLs, which were requeued. */
export async function deleteLeases(tx: Queryable, crawl: number, leases: ActiveLease[]): Promise<number> {
  if (leases.length === 0) return 0
  const tokens = leases.map(({ token }) => token)
  const [, { rowCount }] = await runPipelined(
    tx.query({ ...DELETE, values: [tokens] }),
    tx.query({ ...REQUEUE_REST, values: [crawl, tokens, leases.map(({ host }) => host)] }),
  )
  return rowCount ?? 0
}
