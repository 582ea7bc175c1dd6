// One lease request: requeues expired leases, grants what is due, and if nothing is due, checks whether the crawl is
// finished.

import { CRITICAL_RANK, LAST_RANK } from '../../../frontier/rank.ts'
import type { CrawlStatus } from '../../../lib/states.ts'
import type { LeaseGrant, LeaseRequest } from '../../../ports/leases.ts'
import { crawlNotFoundError } from '../../crawls/crawl-row.ts'
import { POLICY_VERSION_SQL, type PolicyCache } from '../../policies/postgres.ts'
import type { Database } from '../../postgres/database.ts'
import type { IdBlocks } from '../../postgres/id-blocks.ts'
import type { Queryable } from '../../postgres/query.ts'
import { type ClockPair, type StoreClock, toWorkerTime } from '../../postgres/store-clock.ts'
import { readFairShare, SHARING_WORKERS } from './claim/fair-share.ts'
import { type GrantResult, grantLeases } from './claim/grant-leases.ts'
import { closeCrawlBatch } from './crawl-state/close-crawl.ts'
import { addToCounters } from './crawl-state/counters.ts'
import type { CachedCrawl, CrawlCache } from './crawl-state/crawl-cache.ts'
import { endIfDone } from './crawl-state/crawl-state.ts'
import { excludeBlocked } from './crawl-state/exclude-blocked.ts'
import { applyShorterPaths, type ShorterPathDependencies } from './discovery/apply-shorter-paths.ts'
import { checkRenderPatterns } from './discovery/check-render-patterns.ts'
import { judgeHeldLinks } from './discovery/held-links.ts'
import type { PatternChanges, PatternUpdates } from './discovery/patterns.ts'
import { renderPatternsSince } from './discovery/render-patterns.ts'
import { excludeBeyondPageLimit } from './recrawl/page-limit.ts'
import { requeueExpired, requeueTokens } from './requeue-leases.ts'

export interface LeaseDependencies extends ShorterPathDependencies {
  db: Database
  time: StoreClock
  blocks: IdBlocks
  random: () => number
  leaseMs: number
  patterns: PatternUpdates
  crawls: CrawlCache
  policies: PolicyCache
}

export interface LeaseInput {
  crawl: CachedCrawl
  holder: string
  request: LeaseRequest
  hostsFor: (urls: number) => number
}

/** A grant without the wake count, which the caller adds. */
type LeaseResult = Omit<LeaseGrant, 'wakeCount'>

const SNAPSHOT = {
  name: 'lease_snapshot',
  text: `with t as materialized (select now_ms($2) as now)
    select t.now, c.status, c.closing, c.version, n.open, n.in_progress, ${POLICY_VERSION_SQL} as policies,
      exists (select 1 from detours d where d.crawl = $1) as has_shorter_paths,
      exists (select 1 from held_urls h where h.crawl = $1) as has_held,
      exists (select 1 from leases l where l.expires_at <= t.now) as has_expired,
      (select count(*) from render_patterns p where p.crawl = $1) as render_patterns,
      exists (select 1 from render_patterns p where p.crawl = $1 and p.checked_to is not null) as has_unchecked,
      ${SHARING_WORKERS} as sharing_workers,
      array(select r from generate_series(${CRITICAL_RANK}, ${LAST_RANK}) r
        where exists (select 1 from queues q where q.crawl = $1 and q.turn_rank = r and q.due_at <= t.now) order by r) as ranks
    from t cross join crawls c cross join lateral (
      select coalesce(sum(open), 0)::bigint as open, coalesce(sum(in_progress), 0)::bigint as in_progress
      from counters where crawl = $1) n
    where c.id = $1`,
}

/** A host locked by another request is tried again after this time. */
const RETRY_MS = 100

/** A host that is due but reserved for another thread or crawl is due from the end of the reservation. */
const NEXT_DUE = {
  name: 'lease_next_due',
  text: `select min(d.at) as at from generate_series(${CRITICAL_RANK}, ${LAST_RANK}) r cross join lateral (
      (select q.due_at as at from queues q where q.crawl = $1 and q.turn_rank = r and q.due_at > $2 order by q.due_at limit 1)
      union all
      (select min(case
          when h.kept_until <= $2 or h.kept_crawl = $1 or (h.kept_crawl is null and h.kept_for = $3) then $2 + ${RETRY_MS}
          else h.kept_until end) from
        (select host from queues where crawl = $1 and turn_rank = r and due_at <= $2 order by due_at limit 100) q
        join hosts h on h.id = q.host)
    ) d`,
}

interface LeaseSnapshot {
  clockPair: ClockPair
  status: CrawlStatus
  closing: string | null
  open: number
  inProgress: number
  hasShorterPaths: boolean
  hasHeldLinks: boolean
  hasExpired: boolean
  renderPatterns: number
  hasUncheckedPatterns: boolean
  ranks: number[]
  version: number
  policiesVersion: number
  /** Workers that share the crawl. */
  sharingWorkers: number
}

export async function leaseUrls(dependencies: LeaseDependencies, input: LeaseInput): Promise<LeaseResult> {
  const tokens: number[] = []
  return dependencies.db.withRetries(async (tries) => {
    // Leases granted by an attempt of unknown result would stay idle until they expire.
    if (tries > 0 && tokens.length > 0) {
      await requeueUncertain(dependencies, input, tokens)
      tokens.length = 0
    }
    return tryLease(dependencies, input, tokens)
  })
}

/**
 * Postgres may still be running the attempt whose reply was lost. It holds the counter row of this thread, so updating
 * that row waits until the attempt has ended.
 */
async function requeueUncertain(
  { db, time }: LeaseDependencies,
  { crawl, holder }: LeaseInput,
  tokens: number[],
): Promise<void> {
  await db.transaction((tx) => addToCounters(tx, { crawl: crawl.id, holder }, {}))
  await requeueTokens(db, tokens, { holder, now: await time.now(db.pool) })
}

async function tryLease(dependencies: LeaseDependencies, input: LeaseInput, tokens: number[]): Promise<LeaseResult> {
  const { holder, request } = input
  const { db, crawls } = dependencies
  let snapshot = await readSnapshot(dependencies, input.crawl, holder)
  if (snapshot.hasExpired) {
    await requeueExpired(db, { holder, now: snapshot.clockPair.store })
    snapshot = await readSnapshot(dependencies, input.crawl, holder)
  }
  await dependencies.policies.refresh(snapshot.policiesVersion)
  const hasChanged = snapshot.version !== input.crawl.version
  const crawl = hasChanged ? await crawls.reload(input.crawl.uuid) : input.crawl
  const currentInput = { ...input, crawl }
  if (crawl.blockedHosts.size > 0 && (await excludeBlocked(dependencies, crawl, holder)) > 0)
    snapshot = await readSnapshot(dependencies, crawl, holder)
  if ((await excludeBeyondPageLimit(dependencies, crawl, holder)) > 0)
    snapshot = await readSnapshot(dependencies, crawl, holder)
  if (snapshot.status === 'running' && snapshot.closing === null && snapshot.hasUncheckedPatterns) {
    await checkRenderPatterns(dependencies, crawl, holder)
    snapshot = await readSnapshot(dependencies, crawl, holder)
  }
  if (mustJudgeHeldLinks(snapshot)) {
    if (snapshot.hasShorterPaths) await applyShorterPaths(dependencies, crawl, holder)
    await judgeHeldLinks(dependencies, crawl, holder)
    snapshot = await readSnapshot(dependencies, crawl, holder)
  }
  const owner = { crawl: crawl.id, holder }
  const patternChanges = {
    ...(await dependencies.patterns.changesSince(db.pool, owner, request.patternsVersion)),
    ...(await renderPatternsSince(db.pool, crawl, request, snapshot.renderPatterns)),
  }
  if (snapshot.status !== 'running') return toLeaseResult(snapshot, [], null, patternChanges)
  if (snapshot.closing !== null) return continueClosing(dependencies, currentInput, snapshot, patternChanges)
  const grantResult = await grantDue(dependencies, currentInput, snapshot, tokens)
  if (grantResult.leases.length > 0) return toLeaseResult(snapshot, grantResult.leases, null, patternChanges)
  const { status, closing } = await endIfFinished(dependencies, currentInput, snapshot, grantResult)
  if (snapshot.hasUncheckedPatterns)
    return toLeaseResult({ ...snapshot, status, closing }, [], snapshot.clockPair.worker, patternChanges)
  const nextDueAt = grantResult.isAtPageLimit ? null : await findNextDue(db.pool, crawl.id, holder, snapshot.clockPair)
  return toLeaseResult({ ...snapshot, status, closing }, [], nextDueAt, patternChanges)
}

/** Held links are judged once nothing else is open. */
function mustJudgeHeldLinks({ status, closing, open, hasHeldLinks, hasUncheckedPatterns }: LeaseSnapshot): boolean {
  return status === 'running' && closing === null && open === 0 && hasHeldLinks && !hasUncheckedPatterns
}

function toLeaseResult(
  { status, closing, policiesVersion }: { status: CrawlStatus; closing: string | null; policiesVersion: number },
  leases: LeaseGrant['leases'],
  nextDueAt: number | null,
  patternChanges: PatternChanges,
): LeaseResult {
  return { leases, status, closing: closing !== null, nextDueAt, policiesVersion, ...patternChanges }
}

async function readSnapshot(
  { db, time }: LeaseDependencies,
  crawl: CachedCrawl,
  holder: string,
): Promise<LeaseSnapshot> {
  const [row] = (await db.pool.query({ ...SNAPSHOT, values: [crawl.id, time.virtualNow, holder] })).rows
  if (row === undefined) throw crawlNotFoundError(crawl.uuid)
  return {
    clockPair: { store: Number(row['now']), worker: time.workerNow() },
    status: row['status'] as CrawlStatus,
    closing: row['closing'] as string | null,
    open: Number(row['open']),
    inProgress: Number(row['in_progress']),
    hasShorterPaths: row['has_shorter_paths'] === true,
    hasHeldLinks: row['has_held'] === true,
    hasExpired: row['has_expired'] === true,
    renderPatterns: Number(row['render_patterns']),
    hasUncheckedPatterns: row['has_unchecked'] === true,
    ranks: row['ranks'] as number[],
    version: Number(row['version']),
    policiesVersion: Number(row['policies']),
    sharingWorkers: Number(row['sharing_workers']),
  }
}

async function grantDue(
  dependencies: LeaseDependencies,
  input: LeaseInput,
  snapshot: LeaseSnapshot,
  tokens: number[],
): Promise<GrantResult> {
  const { db, blocks, random, leaseMs, policies } = dependencies
  const { request } = input
  const hasWork = snapshot.ranks.length > 0 || request.topUp.length > 0
  if (!hasWork || request.maxUrls <= 0) return { leases: [], isAtPageLimit: false, tooDeep: 0 }
  const numbers = await blocks.reserve('token', request.maxHosts)
  const nextToken = () => {
    const token = numbers.next()
    tokens.push(token)
    return token
  }
  try {
    const { ranks, clockPair, sharingWorkers } = snapshot
    const { crawl, holder } = input
    const share = await readFairShare(db.pool, { crawl: crawl.id, holder, sharingWorkers }, request.maxHosts)
    return await db.transaction((tx) =>
      grantLeases(tx, { ...input, leaseMs, policies, ranks, share, nextToken, random, clockPair }),
    )
  } finally {
    numbers.returnUnused()
  }
}

/** Every lease request of a closing crawl continues its closing. */
async function continueClosing(
  dependencies: LeaseDependencies,
  input: LeaseInput,
  snapshot: LeaseSnapshot,
  patternChanges: PatternChanges,
): Promise<LeaseResult> {
  const { crawl, holder } = input
  if (snapshot.inProgress > 0 || snapshot.closing === null) return toLeaseResult(snapshot, [], null, patternChanges)
  if (snapshot.hasShorterPaths) await applyShorterPaths(dependencies, crawl, holder)
  const closing = { holder, reason: snapshot.closing, now: snapshot.clockPair.store }
  const crawlState = await dependencies.db.transaction((tx) => closeCrawlBatch(tx, crawl, closing))
  return toLeaseResult({ ...snapshot, ...crawlState }, [], snapshot.clockPair.worker, patternChanges)
}

/** A safety net: a request without a grant always ends a crawl that is done. */
async function endIfFinished(
  { db, ...dependencies }: LeaseDependencies,
  { crawl, holder }: LeaseInput,
  snapshot: LeaseSnapshot,
  grantResult: GrantResult,
) {
  if (snapshot.hasShorterPaths) await applyShorterPaths({ db, ...dependencies }, crawl, holder)
  const open = snapshot.open - grantResult.tooDeep
  if (open > 0 && !snapshot.hasShorterPaths && !(grantResult.isAtPageLimit && snapshot.inProgress === 0))
    return snapshot
  return db.transaction((tx) => endIfDone(tx, crawl, snapshot.clockPair.store))
}

async function findNextDue(db: Queryable, crawl: number, holder: string, clockPair: ClockPair): Promise<number | null> {
  const [row] = (await db.query({ ...NEXT_DUE, values: [crawl, clockPair.store, holder] })).rows
  return row?.['at'] == null ? null : toWorkerTime(Number(row['at']), clockPair)
}
