// Claims URLs of host queues into leases.

import { NEW_HOST } from '../../../../frontier/host-freshness.ts'
import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import type { LeasedUrl } from '../../../../ports/leases.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import { toAncestry } from '../../../encoding/ancestry.ts'
import { IN_PROGRESS, QUEUED, REQUISITE_KIND, stateCode, TOO_DEEP } from '../../../encoding/state-codes.ts'
import { decodeTrials } from '../../../encoding/trials.ts'
import { findDamagedUrls } from '../../../pages/postgres-damage.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { type ClockPair, toWorkerTime } from '../../../postgres/store-clock.ts'
import { toLastVisit } from '../../revisit-row.ts'
import { addChanges, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { tryReadLockedCrawl } from '../crawl-state/settings-lock.ts'
import { findHostFreshness } from '../recrawl/host-freshness.ts'
import { findRevisitRows } from '../recrawl/record-revisits.ts'
import { restoreUrls } from '../recrawl/restore-revisits.ts'

export interface UrlClaim {
  hostId: number
  token: number
  count: number
}

export interface ClaimResult {
  byToken: Map<number, ClaimedUrls>
  /**
   * URLs beyond the depth limit, which was lowered after they were discovered. They are excluded, or return to the outcome of
   * their last visit.
   */
  tooDeep: number
  /** Changes of the counters caused by these URLs. */
  changes: CounterChanges
}

export interface ClaimedUrls {
  urls: LeasedUrl[]
  /** Rank of the last new URL claimed, which no URL left in the queue beats; null if none was. */
  rank: number | null
}

const NO_REVISITS: ReadonlyMap<number, Row> = new Map()

/** Ancestry does not cross hosts, and requisites have none. */
const SKELETONS = `(select a.skeletons from ancestry a
  where a.crawl = u.crawl and a.host = u.host and a.url_id = u.parent and u.kind <> ${REQUISITE_KIND})`

const IS_NEW = `crawl = w.crawl and host = w.host and state = ${QUEUED} and due_at = 0`

/**
 * Delayed URLs (retries, revisits) that are due, at most `maxDelayed` per host, then new URLs by rank. Skips rows that others have locked.
 */
const claimStatement = (name: string, maxDelayed: string) => ({
  name,
  text: `with claims as materialized (
      select $1::int as crawl, w.*
      from unnest($2::int[], $3::bigint[], $4::int[]) with ordinality as w (host, token, count, place)
    ), delayed as (
      select w.crawl, w.place, w.token, r.* from claims w cross join lateral (
        select id, host, due_at, rank from urls
        where crawl = w.crawl and host = w.host and state = ${QUEUED} and due_at > 0 and due_at <= $5
        order by due_at limit ${maxDelayed} for update skip locked) r
    ), new_urls as (
      select w.crawl, w.place, w.token, f.* from claims w cross join lateral (
        select id, host, due_at, rank from urls
        where ${IS_NEW}
        order by rank, id limit greatest(0, w.count - (select count(*) from delayed r where r.place = w.place))
        for update skip locked) f
    ), picked as (
      select *, row_number() over (order by place, due_at = 0, due_at, rank, id) as nth
      from (select * from delayed union all select * from new_urls) both_kinds
    )
    update urls u set state = ${IN_PROGRESS}, lease = p.token, leased_depth = u.depth, leased_kind = u.kind
    from picked p where p.nth <= $6 and u.crawl = p.crawl and u.id = p.id and u.host = p.host
    returning ${SKELETONS} as skeletons, u.trials, u.id, u.host, u.url, u.kind, u.depth, u.hops, u.attempts, u.rank, u.due_at, u.first_seen_at, p.token, p.nth`,
})

const CLAIM = claimStatement('claim_urls', 'w.count')

/** Revisits do not starve URLs that were never visited. The rule: `maxDelayedPerClaim`. */
const CLAIM_AGAIN = claimStatement(
  'claim_urls_again',
  `case when exists (select 1 from urls where ${IS_NEW}) then least(w.count, greatest(1, w.count / 2)) else w.count end`,
)

const undoStatement = (name: string, sets: string) => ({
  name,
  text: `with taken as materialized (select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[]) as t (id, host))
    update urls u set lease = null, ${sets} from taken t where u.crawl = t.crawl and u.id = t.id and u.host = t.host`,
})
const EXCLUDE_DEEP = undoStatement(
  'claim_exclude_deep',
  `state = ${stateCode('excluded')}, reason = '${TOO_DEEP}', due_at = 0`,
)
const REQUEUE = undoStatement('claim_requeue', `state = ${QUEUED}`)

/** Claims at most `budget` URLs in total, in the order of `claims`. */
export async function claimUrls(
  tx: Queryable,
  crawl: CachedCrawl,
  claims: UrlClaim[],
  { budget, clockPair }: { budget: number; clockPair: ClockPair },
): Promise<ClaimResult> {
  const byToken = new Map<number, ClaimedUrls>()
  if (claims.length === 0 || budget <= 0) return { byToken, tooDeep: 0, changes: {} }
  const lists = [claims.map(({ hostId }) => hostId), claims.map(({ token }) => token), claims.map(({ count }) => count)]
  const statement = isRecrawled(crawl.settings) ? CLAIM_AGAIN : CLAIM
  const { rows: all } = await tx.query({ ...statement, values: [crawl.id, ...lists, clockPair.store, budget] })
  const { rows, tooDeep, changes } = await withinDepth(tx, crawl, all)
  const revisits = isRecrawled(crawl.settings) ? await findRevisitRows(tx, crawl.id, rows) : NO_REVISITS
  const damaged = await findDamagedUrls(
    tx,
    crawl.id,
    rows.filter((row) => revisits.has(Number(row['id']))),
  )
  const hosts = await findHostFreshness(
    tx,
    crawl.id,
    [...revisits.values()].map((row) => Number(row['host'])),
  )
  rows.sort((a, b) => Number(a['nth']) - Number(b['nth']))
  for (const row of rows) {
    const token = Number(row['token'])
    const claimed = byToken.get(token) ?? { urls: [], rank: null }
    byToken.set(token, claimed)
    const revisit = revisits.get(Number(row['id']))
    const attempts = Number(row['attempts'])
    claimed.urls.push({
      id: Number(row['id']),
      url: String(row['url']),
      kind: toUrlKind(row['kind']),
      depth: Number(row['depth']),
      hops: Number(row['hops']),
      attempts: attempts - Number(revisit?.['attempts'] ?? 0),
      dueAt: toWorkerTime(Math.max(Number(row['due_at']), Number(row['first_seen_at'])), clockPair),
      ancestry: toAncestry(row['skeletons'] as Buffer | null, decodeTrials(row['trials'])),
      lastVisit:
        revisit === undefined
          ? null
          : toLastVisit(revisit, attempts, {
              now: clockPair.store,
              host: hosts.get(Number(row['host'])) ?? NEW_HOST,
              isDamaged: damaged.has(Number(row['id'])),
            }),
    })
    if (row['due_at'] === 0) claimed.rank = Number(row['rank'])
  }
  return { byToken, tooDeep, changes }
}

/**
 * Excludes URLs that are too deep for the current limit, or returns them to their last outcome. While the limit is being
 * changed, they return to the queue.
 */
async function withinDepth(
  tx: Queryable,
  crawl: CachedCrawl,
  all: Row[],
): Promise<{ rows: Row[]; tooDeep: number; changes: CounterChanges }> {
  if (all.every((row) => isWithin(crawl, row))) return { rows: all, tooDeep: 0, changes: {} }
  const current = await tryReadLockedCrawl(tx, crawl)
  const rows = all.filter((row) => isWithin(current ?? crawl, row))
  const deep = all.filter((row) => !rows.includes(row))
  const undo = (statement: typeof REQUEUE, these: Row[]) =>
    tx.query({ ...statement, values: [crawl.id, these.map((row) => row['id']), these.map((row) => row['host'])] })
  if (current === null) {
    await undo(REQUEUE, deep)
    return { rows, tooDeep: 0, changes: {} }
  }
  const known = isRecrawled(current.settings) ? await findRevisitRows(tx, crawl.id, deep) : NO_REVISITS
  const isKnown = (row: Row) => known.has(Number(row['id']))
  const neverVisited = deep.filter((row) => !isKnown(row))
  await undo(EXCLUDE_DEEP, neverVisited)
  const changes: CounterChanges = { open: -neverVisited.length, excluded: neverVisited.length }
  const { changes: restored } = await restoreUrls(tx, crawl.id, deep.filter(isKnown))
  addChanges(changes, restored)
  return { rows, tooDeep: deep.length, changes }
}

function isWithin({ settings }: CachedCrawl, row: Row): boolean {
  return Number(row['depth']) <= (settings.maxDepth ?? Number.POSITIVE_INFINITY)
}
