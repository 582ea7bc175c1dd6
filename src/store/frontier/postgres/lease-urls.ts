// One lease request: requeues expired leases, grants what is due, and if there is nothing, checks whether the crawl is
// at its end.

import { LAST_RANK } from '../../../frontier/rank.ts'
import type { LeaseGrant, LeaseRequest } from '../../../ports/frontier.ts'
import type { CrawlStatus } from '../../../ports/state.ts'
import { crawlNotFoundError } from '../../crawls/crawl-row.ts'
import type { Database } from '../../postgres/database.ts'
import type { IdBlocks } from '../../postgres/id-blocks.ts'
import type { Queryable } from '../../postgres/query.ts'
import { type ClockPair, type StoreClock, toWorkerTime } from '../../postgres/store-clock.ts'
import { type GrantResult, grantLeases } from './claim/grant-leases.ts'
import { readHostShare, SHARING_WORKERS } from './claim/host-share.ts'
import { closeCrawlBatch } from './crawl-state/close-crawl.ts'
import { addToCounters } from './crawl-state/counters.ts'
import type { CachedCrawl, CrawlCache } from './crawl-state/crawl-cache.ts'
import { endIfDone } from './crawl-state/crawl-state.ts'
import { excludeBlocked } from './crawl-state/exclude-blocked.ts'
import { applyShorterPaths, type ShorterPathDependencies } from './discovery/apply-shorter-paths.ts'
import { judgeHeldLinks } from './discovery/held-links.ts'
import type { PatternChanges, PatternUpdates } from './discovery/patterns.ts'
import { requeueExpired, requeueTokens } from './requeue-leases.ts'

export interface LeaseDependencies extends ShorterPathDependencies {
  db: Database
  time: StoreClock
  blocks: IdBlocks
  random: () => number
  leaseMs: number
  patterns: PatternUpdates
  crawls: CrawlCache
}

export interface LeaseInput {
  crawl: CachedCrawl
  worker: string
  request: LeaseRequest
  hostsFor: (urls: number) => number
}

/** Without the wake count, which the caller adds. */
type LeaseResult = Omit<LeaseGrant, 'wakeCount'>

const LOOK = {
  name: 'lease_look',
  text: `with t as materialized (select now_ms($2) as now)
    select t.now, c.status, c.closing, c.version, n.open, n.in_progress,
      exists (select 1 from detours d where d.crawl = $1) as has_detours,
      exists (select 1 from held_links h where h.crawl = $1) as has_held,
      exists (select 1 from leases l where l.expires_at <= t.now) as has_expired,
      ${SHARING_WORKERS} as sharers,
      array(select r from generate_series(1, ${LAST_RANK}) r
        where exists (select 1 from queues q where q.crawl = $1 and q.rank = r and q.due_at <= t.now)) as ranks
    from t cross join crawls c cross join lateral (
      select coalesce(sum(open), 0)::bigint as open, coalesce(sum(in_progress), 0)::bigint as in_progress
      from counters where crawl = $1) n
    where c.id = $1`,
}

/** A host locked by another request is tried again after this time. */
const AGAIN_MS = 100

/** A host that is due but reserved for another worker or crawl counts from the end of the reservation. */
const NEXT_DUE = {
  name: 'lease_next_due',
  text: `select min(d.at) as at from generate_series(1, ${LAST_RANK}) r cross join lateral (
      (select q.due_at as at from queues q where q.crawl = $1 and q.rank = r and q.due_at > $2 order by q.due_at limit 1)
      union all
      (select min(case
          when h.kept_until <= $2 or h.kept_crawl = $1 or (h.kept_crawl is null and h.kept_for = $3) then $2 + ${AGAIN_MS}
          else h.kept_until end) from
        (select host from queues where crawl = $1 and rank = r and due_at <= $2 order by due_at limit 100) q
        join hosts h on h.id = q.host)
    ) d`,
}

interface LeaseSnapshot {
  moment: ClockPair
  status: CrawlStatus
  closing: string | null
  open: number
  inProgress: number
  hasShorterPaths: boolean
  hasHeldLinks: boolean
  hasExpired: boolean
  ranks: number[]
  version: number
  /** Workers that share the crawl. */
  sharers: number
}

export async function leaseUrls(parts: LeaseDependencies, work: LeaseInput): Promise<LeaseResult> {
  const tokens: number[] = []
  return parts.db.withRetries(async (tries) => {
    // Leases granted by an attempt of unknown result would stay idle until they expire.
    if (tries > 0 && tokens.length > 0) {
      await requeueUncertain(parts, work, tokens)
      tokens.length = 0
    }
    return tryLease(parts, work, tokens)
  })
}

/**
 * The server may still be working on it. In that case the row of the worker is locked, and updating it waits for the
 * end.
 */
async function requeueUncertain(
  { db, time }: LeaseDependencies,
  { crawl, worker }: LeaseInput,
  tokens: number[],
): Promise<void> {
  await db.transaction((tx) => addToCounters(tx, { crawl: crawl.id, worker }, {}))
  await requeueTokens(db, tokens, { worker, now: await time.now(db.pool) })
}

async function tryLease(parts: LeaseDependencies, asked: LeaseInput, tokens: number[]): Promise<LeaseResult> {
  const { worker, request } = asked
  const { db, crawls } = parts
  let seen = await readSnapshot(parts, asked.crawl, worker)
  if (seen.hasExpired) {
    await requeueExpired(db, { worker, now: seen.moment.store })
    seen = await readSnapshot(parts, asked.crawl, worker)
  }
  const isNews = seen.version !== asked.crawl.version
  const crawl = isNews ? await crawls.reload(asked.crawl.uuid) : asked.crawl
  const work = { ...asked, crawl }
  if (crawl.blockedHosts.size > 0 && (await excludeBlocked(parts, crawl, worker)) > 0)
    seen = await readSnapshot(parts, crawl, worker)
  if (seen.status === 'running' && seen.closing === null && seen.open === 0 && seen.hasHeldLinks) {
    if (seen.hasShorterPaths) await applyShorterPaths(parts, crawl, worker)
    await judgeHeldLinks(parts, crawl, worker)
    seen = await readSnapshot(parts, crawl, worker)
  }
  const news = await parts.patterns.changesSince(db.pool, { crawl: crawl.id, worker }, request.patternsVersion)
  if (seen.status !== 'running') return toLeaseResult(seen, [], null, news)
  if (seen.closing !== null) return continueClosing(parts, work, seen, news)
  const grantResult = await grantDue(parts, work, seen, tokens)
  if (grantResult.leases.length > 0) return toLeaseResult(seen, grantResult.leases, null, news)
  const { status, closing } = await endIfFinished(parts, work, seen, grantResult)
  const nextDueAt = grantResult.isAtPageLimit ? null : await findNextDue(db.pool, crawl.id, worker, seen.moment)
  return toLeaseResult({ status, closing }, [], nextDueAt, news)
}

function toLeaseResult(
  { status, closing }: { status: CrawlStatus; closing: string | null },
  leases: LeaseGrant['leases'],
  nextDueAt: number | null,
  news: PatternChanges,
): LeaseResult {
  return { leases, status, closing: closing !== null, nextDueAt, ...news }
}

async function readSnapshot(
  { db, time }: LeaseDependencies,
  crawl: CachedCrawl,
  worker: string,
): Promise<LeaseSnapshot> {
  const [row] = (await db.pool.query({ ...LOOK, values: [crawl.id, time.virtualNow, worker] })).rows
  if (row === undefined) throw crawlNotFoundError(crawl.uuid)
  return {
    moment: { store: Number(row['now']), worker: time.workerNow() },
    status: row['status'] as CrawlStatus,
    closing: row['closing'] as string | null,
    open: Number(row['open']),
    inProgress: Number(row['in_progress']),
    hasShorterPaths: row['has_detours'] === true,
    hasHeldLinks: row['has_held'] === true,
    hasExpired: row['has_expired'] === true,
    ranks: row['ranks'] as number[],
    version: Number(row['version']),
    sharers: Number(row['sharers']),
  }
}

async function grantDue(
  parts: LeaseDependencies,
  work: LeaseInput,
  seen: LeaseSnapshot,
  tokens: number[],
): Promise<GrantResult> {
  const { db, blocks, random, leaseMs } = parts
  const { request } = work
  const hasWork = seen.ranks.length > 0 || request.topUp.length > 0
  if (!hasWork || request.maxUrls <= 0) return { leases: [], isAtPageLimit: false, tooDeep: 0 }
  const numbers = await blocks.reserve('token', request.maxHosts)
  const nextToken = () => {
    const token = numbers.next()
    tokens.push(token)
    return token
  }
  try {
    const { ranks, moment, sharers } = seen
    const { crawl, worker } = work
    const share = await readHostShare(db.pool, { crawl: crawl.id, worker, sharers }, request.maxHosts)
    return await db.transaction((tx) => grantLeases(tx, { ...work, leaseMs, ranks, share, nextToken, random, moment }))
  } finally {
    numbers.release()
  }
}

/** Every lease request of a closing crawl continues its closing. */
async function continueClosing(
  parts: LeaseDependencies,
  work: LeaseInput,
  seen: LeaseSnapshot,
  news: PatternChanges,
): Promise<LeaseResult> {
  const { crawl, worker } = work
  if (seen.inProgress > 0 || seen.closing === null) return toLeaseResult(seen, [], null, news)
  if (seen.hasShorterPaths) await applyShorterPaths(parts, crawl, worker)
  const closing = { worker, reason: seen.closing, now: seen.moment.store }
  const crawlState = await parts.db.transaction((tx) => closeCrawlBatch(tx, crawl, closing))
  return toLeaseResult(crawlState, [], seen.moment.worker, news)
}

/** A safety net: a request without a grant always ends a crawl that is done. */
async function endIfFinished(
  { db, ...parts }: LeaseDependencies,
  { crawl, worker }: LeaseInput,
  seen: LeaseSnapshot,
  grantResult: GrantResult,
) {
  if (seen.hasShorterPaths) await applyShorterPaths({ db, ...parts }, crawl, worker)
  const open = seen.open - grantResult.tooDeep
  if (open > 0 && !seen.hasShorterPaths && !(grantResult.isAtPageLimit && seen.inProgress === 0)) return seen
  return db.transaction((tx) => endIfDone(tx, crawl, seen.moment.store))
}

async function findNextDue(db: Queryable, crawl: number, worker: string, clockPair: ClockPair): Promise<number | null> {
  const [row] = (await db.query({ ...NEXT_DUE, values: [crawl, clockPair.store, worker] })).rows
  return row?.['at'] == null ? null : toWorkerTime(Number(row['at']), clockPair)
}
