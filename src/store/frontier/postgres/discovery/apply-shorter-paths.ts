// Keeps every depth the length of the shortest path, no matter in which order paths are found (G7): where a shorter
// path to a known URL was found, its depth and the depths behind it are lowered, and deferred URLs within the limits
// are admitted. Works in waves, each in its own transaction: a wave takes some shorter paths and leaves the
// resulting ones to the next. One process at a time works on a crawl.

import { isBeyondLimits } from '../../../../frontier/limits.ts'
import { rankAtDepth } from '../../../../frontier/rank.ts'
import { childLength, isShorterPathSql } from '../../../../frontier/shortest-path.ts'
import { UrlDiscoveries } from '../../../../frontier/url-discoveries.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import type { FoundUrl } from '../../../../ports/visits.ts'
import { decodeFoundUrls } from '../../../encoding/found-urls.ts'
import { decodeLinkKeys } from '../../../encoding/link-keys.ts'
import { QUEUED, REQUISITE_KIND, stateCode, TOO_DEEP } from '../../../encoding/state-codes.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import { ADVISORY_LOCKS } from '../../../postgres/advisory-locks.ts'
import { type Database, runPipelined } from '../../../postgres/database.ts'
import type { IdBlock, IdBlocks } from '../../../postgres/id-blocks.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import type { StoreClock } from '../../../postgres/store-clock.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addChange, addToCounters } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState } from '../crawl-state/crawl-state.ts'
import { readLockedCrawl } from '../crawl-state/settings-lock.ts'
import type { HostIds } from '../hosts.ts'
import { mergeQueuedHosts, queueHosts } from '../queues.ts'
import { discover, findKnownUrls } from './discover.ts'
import { markRedirectLoops } from './redirect-loops.ts'
import { NO_PARENT, ShorterPaths } from './shorter-paths.ts'

export interface ShorterPathDependencies {
  db: Database
  time: StoreClock
  blocks: IdBlocks
  hostIds: HostIds
  policies: PolicyCache
}

const CHUNK = 500
const VISITED = stateCode('visited')
const REDIRECTED = stateCode('redirected')
const TRY_LOCK = {
  name: 'shorter_paths_lock',
  text: `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.detours}, $1) as is_mine`,
}

/** Lowest depth first, so that few URLs change more than once. */
const PENDING = {
  name: 'shorter_paths_read',
  text: `with pending as materialized (select crawl, host, url_id from detours where crawl = $1)
    select d.host, d.url_id, b.found
    from pending d left join urls p on p.crawl = d.crawl and p.id = d.url_id and p.host = d.host
      left join beyond b on b.crawl = d.crawl and b.host = d.host and b.url_id = d.url_id
    order by p.depth nulls first, p.hops, d.url_id limit ${CHUNK}`,
}

/** $2 and $3 are hosts and ids. */
const GIVEN_URLS =
  'these as materialized (select $1::int as crawl, t.* from unnest($2::int[], $3::bigint[]) as t (host, id))'

const TAKE_PATHS = {
  name: 'shorter_paths_take',
  text: `with ${GIVEN_URLS}
    delete from detours d using these t where d.crawl = t.crawl and d.host = t.host and d.url_id = t.id
    returning d.host, d.url_id, d.targets`,
}

/** The parents' depths, states and links. */
const PARENTS = {
  name: 'shorter_paths_parents',
  text: `with ${GIVEN_URLS}
    select t.host, t.id as url_id, p.depth, p.hops, p.state, p.kind, b.found, l.targets as links
    from these t left join urls p on p.crawl = t.crawl and p.id = t.id and p.host = t.host
      left join beyond b on b.crawl = t.crawl and b.host = t.host and b.url_id = t.id
      left join links l on l.crawl = t.crawl and l.host = t.host and l.url_id = t.id`,
}

/** Runs after the deferred URLs of these pages and redirects were admitted. */
const DELETE_DEFERRED = {
  name: 'shorter_paths_read_deferred',
  text: `with ${GIVEN_URLS}
    delete from beyond b using these t where b.crawl = t.crawl and b.host = t.host and b.url_id = t.id`,
}
/** A redirect beyond the limit had a reason; now it leads on. */
const CLEAR_REASON = {
  name: 'shorter_paths_clear_reason',
  text: `with ${GIVEN_URLS}
    update urls u set reason = null from these t
    where u.crawl = t.crawl and u.host = t.host and u.id = t.id and u.state = ${REDIRECTED}`,
}

/** Excluded by a depth limit, but within $7, the current one. */
const WAS_TOO_DEEP = `u.state = ${stateCode('excluded')} and u.reason = '${TOO_DEEP}' and k.depth <= coalesce($7::int, k.depth)`

/** The URL may be in flight: its commit sees the new depth. */
const SHORTEN = {
  name: 'shorter_paths_lower_depth',
  text: `with ways as materialized (
      select $1::int as crawl, w.* from unnest($2::bigint[], $3::int[], $4::smallint[], $5::bigint[], $6::smallint[])
        as w (key, depth, hops, parent, rank)
    ), locked as (
      select u.crawl, u.id, u.host, u.depth as old_depth, u.state as old_state, w.depth, w.hops, w.parent, w.rank
      from ways w join urls u on u.crawl = w.crawl and u.key = w.key
      where ${isShorterPathSql('w', 'u')} order by u.id for update of u
    )
    update urls u set depth = k.depth, hops = k.hops, parent = k.parent, rank = least(u.rank, k.rank),
      state = case when ${WAS_TOO_DEEP} then ${QUEUED} else u.state end,
      reason = case when ${WAS_TOO_DEEP} then null else u.reason end
    from locked k where u.crawl = k.crawl and u.id = k.id and u.host = k.host
    returning u.id, u.host, u.state, u.rank, u.depth < k.old_depth as is_nearer,
      u.state <> k.old_state as is_let_in`,
}

/** Runs until none are left, or another process takes over. */
export async function applyShorterPaths(
  dependencies: ShorterPathDependencies,
  crawl: CachedCrawl,
  holder: string,
): Promise<void> {
  const { db, blocks, hostIds } = dependencies
  for (;;) {
    const isMine = await db.withRetries(async () => {
      const { rows } = await db.pool.query({ ...PENDING, values: [crawl.id] })
      const beyond = rows.flatMap(readDeferred)
      const hosts = await hostIds.findOrAdd(beyond.map(({ host }) => host))
      const urlIds = await blocks.reserve('url', beyond.length)
      try {
        return await db.transaction((tx) =>
          applyWave(tx, dependencies, { crawl, holder, hosts, urlIds, urls: idsOf(rows) }),
        )
      } finally {
        urlIds.returnUnused()
      }
    })
    // Processes that did not get the lock rely on this check, which comes after it was released.
    if (!isMine || !(await db.withRetries(() => readCrawlState(db.pool, crawl.id))).hasShorterPaths) return
  }
}

interface WaveInput {
  crawl: CachedCrawl
  holder: string
  hosts: ReadonlyMap<string, number>
  urlIds: IdBlock
  /** Hosts and ids of the parents in this wave. */
  urls: number[][]
}

/** False if another process holds the lock. */
async function applyWave(
  tx: Queryable,
  { time, policies }: ShorterPathDependencies,
  { crawl: cachedCrawl, holder, hosts, urlIds, urls }: WaveInput,
): Promise<boolean> {
  const [lock] = (await tx.query({ ...TRY_LOCK, values: [cachedCrawl.id] })).rows
  if (lock?.['is_mine'] !== true) return false
  // Taken before any row lock: a change of settings waits for rows while it holds this lock.
  const crawl = await readLockedCrawl(tx, cachedCrawl)
  const { rows: parents } = await tx.query({ ...PARENTS, values: [cachedCrawl.id, ...urls] })
  // Another process changed it since we read it: start over.
  if (parents.flatMap(readDeferred).some(({ host }) => !hosts.has(host))) return true
  const [{ rows: taken }, now] = await runPipelined(
    tx.query({ ...TAKE_PATHS, values: [cachedCrawl.id, ...urls] }),
    time.now(tx),
  )
  const { known, deferred, admittedFrom } = collectPaths(crawl, { parents, taken, now })
  const shorterPaths = new ShorterPaths()
  const moved = await shortenDepths(tx, crawl, known)
  const discovery = { crawl, discoveries: deferred, requeues: () => true, hostIds: hosts, urlIds, now, policies }
  const found = await discover(tx, discovery, await findKnownUrls(tx, crawl.id, deferred.keys()), shorterPaths)
  for (const { id, host, state, isNearer } of moved) {
    // A URL that is queued for a revisit has links already.
    const hasLinks = state === VISITED || isRecrawled(crawl.settings)
    if (state === REDIRECTED || (hasLinks && isNearer)) shorterPaths.addAllLinks(id, host)
  }
  await runPipelined(
    tx.query({ ...DELETE_DEFERRED, values: [crawl.id, ...admittedFrom] }),
    tx.query({ ...CLEAR_REASON, values: [crawl.id, ...admittedFrom] }),
    shorterPaths.save(tx, crawl.id),
  )
  await markRedirectLoops(tx, crawl.id, parents)
  const nearer = moved.filter(({ state }) => state === QUEUED).map(({ host, rank }) => ({ host, rank, dueAt: now }))
  const hostsWithUrls = mergeQueuedHosts([...found.hostsWithUrls, ...nearer])
  const isWoken = await queueHosts(tx, crawl.id, { hostsWithUrls, releasedHosts: [] }, now)
  const admitted = moved.filter(({ isAdmitted }) => isAdmitted).length
  addChange(found.changes, 'open', admitted)
  addChange(found.changes, 'excluded', -admitted)
  await addToCounters(tx, { crawl: crawl.id, holder }, found.changes)
  const { status } = await endIfDone(tx, crawl, now)
  if (isWoken || status !== 'running') await notifyWork(tx, crawl.id)
  return true
}

/** The paths from the parents to their children: known URLs, and deferred ones. */
function collectPaths(crawl: CachedCrawl, { parents, taken, now }: { parents: Row[]; taken: Row[]; now: number }) {
  const known = new UrlDiscoveries(now)
  const deferred = new UrlDiscoveries(now)
  const admittedFrom: Row[] = []
  const targets = new Map(taken.map((row) => [row['url_id'], row['targets']]))
  for (const row of parents) {
    const path = pathFrom(row)
    // The redirect of a requisite does not affect depths.
    if (row['kind'] === REQUISITE_KIND) continue
    if (!targets.has(row['url_id']) || isBeyondLimits(crawl.settings, path)) continue
    const beyond = readDeferred(row)
    for (const found of beyond) deferred.add(found, path)
    if (beyond.length > 0) admittedFrom.push(row)
    else for (const key of decodeLinkKeys(targets.get(row['url_id']) ?? row['links'])) known.addKey(key, path, 'page')
  }
  return { known, deferred, admittedFrom: idsOf(admittedFrom) }
}

function pathFrom(row: Row) {
  if (row['url_id'] === NO_PARENT) return { parent: null, parentHost: 0, depth: 0, hops: 0 }
  const length = { depth: Number(row['depth']), hops: Number(row['hops']) }
  const child = childLength(length, row['state'] === REDIRECTED)
  return { parent: Number(row['url_id']), parentHost: Number(row['host']), ...child }
}

interface MovedUrl {
  id: number
  host: number
  state: number
  rank: number
  isNearer: boolean
  isAdmitted: boolean
}

async function shortenDepths(
  tx: Queryable,
  { id, settings }: CachedCrawl,
  urlDiscoveries: UrlDiscoveries,
): Promise<MovedUrl[]> {
  if (urlDiscoveries.size === 0) return []
  const all = [...urlDiscoveries.values()]
  const lists = [
    all.map(({ key }) => String(key)),
    all.map(({ path }) => path.depth),
    all.map(({ path }) => path.hops),
    all.map(({ path }) => path.parent),
    all.map(({ path }) => rankAtDepth(path.depth)),
  ]
  const { rows } = await tx.query({ ...SHORTEN, values: [id, ...lists, settings.maxDepth] })
  return rows.map((row) => ({
    id: Number(row['id']),
    host: Number(row['host']),
    state: Number(row['state']),
    rank: Number(row['rank']),
    isNearer: row['is_nearer'] === true,
    isAdmitted: row['is_let_in'] === true,
  }))
}

function idsOf(rows: Row[]): number[][] {
  return [rows.map((row) => Number(row['host'])), rows.map((row) => Number(row['url_id']))]
}

function readDeferred(row: Row): FoundUrl[] {
  return typeof row['found'] === 'string' ? decodeFoundUrls(row['found']) : []
}
