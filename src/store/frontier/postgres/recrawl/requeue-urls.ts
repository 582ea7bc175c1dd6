// Returns URLs that are due to the queue.

import { toUrlKind, visitedCounterOf } from '../../../../frontier/kind-changes.ts'
import { isTooDeep } from '../../../../frontier/limits.ts'
import { isPostponed } from '../../../../frontier/recrawl/due-time.ts'
import { hasMovingThreshold } from '../../../../frontier/revisit-plan.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import { IN_PROGRESS, QUEUED, stateFromCode } from '../../../encoding/state-codes.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { toHistory } from '../../revisit-row.ts'
import { addChange, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { findKnownHosts, type KnownHosts } from './host-freshness.ts'
import { type CrawlBudget, planDueAt } from './plan-revisits.ts'

export interface RequeuedUrls {
  urls: { host: number; rank: number }[]
  changes: CounterChanges
  /** More URLs may be due. */
  hasMore: boolean
}

/** More rows are read than are requeued: with a moving threshold, some URLs turn out to be due later. */
const DUE_PER_REQUEUE = 4

/** URLs that others have locked are due next time. */
const LOCK_DUE = {
  name: 'revisits_lock_due',
  text: `with due as materialized (
      select crawl, host, url_id from revisits where crawl = $1 and due_at <= $2 order by due_at limit $3
    )
    select r.*, u.state as url_state, u.rank, u.kind, u.depth, u.attempts as url_attempts
    from due d join urls u on u.crawl = d.crawl and u.id = d.url_id and u.host = d.host
      join revisits r on r.crawl = d.crawl and r.host = d.host and r.url_id = d.url_id
    order by u.id for update of u skip locked`,
}

const SELECTED =
  'selected as materialized (select $1::int as crawl, s.* from unnest($2::bigint[], $3::int[], $4::bigint[]) as s (id, host, due_at))'
const IS_SELECTED = 'r.crawl = s.crawl and r.host = s.host and r.url_id = s.id'
const POSTPONE = {
  name: 'revisits_postpone',
  text: `with ${SELECTED} update revisits r set due_at = s.due_at from selected s where ${IS_SELECTED} and r.due_at <= $5`,
}
/** URLs visited since their row was read are no longer due. URLs that are already queued keep their place. */
const REQUEUE = {
  name: 'revisits_requeue',
  text: `with ${SELECTED}, due as (
      update revisits r set due_at = null, attempts = u.attempts from selected s
        join urls u on u.crawl = s.crawl and u.id = s.id and u.host = s.host
      where ${IS_SELECTED} and r.due_at <= $5 returning r.crawl, r.host, r.url_id, s.due_at, u.state as was
    ), requeued as (
      update urls u set state = ${QUEUED}, reason = null, due_at = d.due_at from due d
      where u.crawl = d.crawl and u.id = d.url_id and u.host = d.host and u.state not in (${QUEUED}, ${IN_PROGRESS})
      returning u.id, u.host, u.rank, u.kind
    )
    select d.was, q.host, q.rank, q.kind from due d left join requeued q on q.id = d.url_id`,
}

export interface RequeueRequest {
  allowed: number
  budget: CrawlBudget
  now: number
  policies: PolicyCache
}

export async function requeueUrls(
  tx: Queryable,
  crawl: CachedCrawl,
  { allowed, budget, now, policies }: RequeueRequest,
): Promise<RequeuedUrls> {
  const isMoving = hasMovingThreshold(crawl.settings)
  const limit = isMoving ? allowed * DUE_PER_REQUEUE : allowed
  const { rows } = limit === 0 ? { rows: [] } : await tx.query({ ...LOCK_DUE, values: [crawl.id, now, limit] })
  const hostIds = isMoving ? rows.map((row) => Number(row['host'])) : []
  const settingsOf = await policies.readSettings(tx, crawl.settings, hostIds)
  const hosts = await findKnownHosts(tx, crawl.id, isMoving ? rows.map(toGroup) : [])
  const later: [Row, number][] = []
  const due: [Row, number][] = []
  for (const row of rows.toSorted((a, b) => Number(a['due_at']) - Number(b['due_at']))) {
    const laterAt = isMoving ? dueAt(settingsOf(Number(row['host'])), row, { budget, hosts }) : 0
    if (isLeftOut(crawl, row)) later.push([row, now + Number(row['interval_ms'])])
    else if (isPostponed({ visitedAt: Number(row['visited_at']), dueAt: laterAt, now })) later.push([row, laterAt])
    else if (due.length < allowed) due.push([row, Number(row['due_at'])])
  }
  if (later.length > 0) await tx.query({ ...POSTPONE, values: [...toLists(crawl.id, later), now] })
  if (due.length === 0) return { urls: [], changes: {}, hasMore: false }
  const marked = (await tx.query({ ...REQUEUE, values: [...toLists(crawl.id, due), now] })).rows
  const requeued = marked.filter((row) => row['host'] !== null)
  const changes: CounterChanges = { open_revisits: marked.length }
  for (const row of requeued) countRequeued(changes, row)
  const urls = requeued.map((row) => ({ host: Number(row['host']), rank: Number(row['rank']) }))
  return { urls, changes, hasMore: rows.length >= limit }
}

/** Whether the host is blocked, or the URL is too deep for the current limit. */
function isLeftOut({ blockedHosts, settings }: CachedCrawl, row: Row): boolean {
  return blockedHosts.has(Number(row['host'])) || isTooDeep(settings, Number(row['depth']))
}

function toGroup(row: Row) {
  return { host: Number(row['host']), rateGroup: String(row['rate_group']) }
}

function dueAt(settings: CrawlSettings, row: Row, context: { budget: CrawlBudget; hosts: KnownHosts }): number {
  const history = toHistory(row)
  return planDueAt(settings, { host: Number(row['host']), history, from: history.visitedAt }, context)
}

function toLists(crawl: number, urls: [Row, number][]): unknown[] {
  return [crawl, urls.map(([row]) => row['url_id']), urls.map(([row]) => row['host']), urls.map(([, at]) => at)]
}

function countRequeued(changes: CounterChanges, row: Row): void {
  const was = stateFromCode(Number(row['was']))
  if (was === 'queued' || was === 'in_progress') return
  addChange(changes, 'open')
  addChange(changes, was, -1)
  const counter = visitedCounterOf(toUrlKind(row['kind']))
  if (was === 'visited' && counter !== null) addChange(changes, counter, -1)
}
