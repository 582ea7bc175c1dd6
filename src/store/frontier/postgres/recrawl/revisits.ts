// Queues URLs again when they are due, and plans visits after a change of settings. Any number of processes may try: one
// at a time works on a crawl. Rows are locked in the order of commits: URLs, queues, counters, crawl.

import { type RevisitBudget, roundMs, spendVisits } from '../../../../frontier/recrawl/budget.ts'
import { currentBudget, revisitAllowance } from '../../../../frontier/revisit-plan.ts'
import { ACTIVE_STATUSES_SQL, isActive, isUnfinished } from '../../../../lib/states.ts'
import type { RequeuedRevisits, Revisits } from '../../../../ports/revisits.ts'
import type { LinkRank } from '../../../../ports/search.ts'
import { IN_PROGRESS, QUEUED } from '../../../encoding/state-codes.ts'
import { POLICY_VERSION_SQL, type PolicyCache } from '../../../policies/postgres.ts'
import type { Database } from '../../../postgres/database.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import type { StoreClock } from '../../../postgres/store-clock.ts'
import { overtakenError } from '../../../postgres/store-errors.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { toBudget } from '../../revisit-row.ts'
import { addToCounters } from '../crawl-state/counters.ts'
import { type CachedCrawl, readCrawl } from '../crawl-state/crawl-cache.ts'
import { lockCrawlState, readCrawlState } from '../crawl-state/crawl-state.ts'
import { mergeQueuedHosts, queueHosts } from '../queues.ts'
import { planKnownUrls } from './plan-known-urls.ts'
import { requeueUrls } from './requeue-urls.ts'

export interface RevisitsDependencies {
  db: Database
  time: StoreClock
  workNotifier: { wake(): void }
  /** The holder whose counter row URLs are counted in: this process, without a thread (`17/`). */
  holder: string
  policies: PolicyCache
}

/** The budget is refilled at least this often, even if nothing is due, because its threshold falls in the meantime. */
const REFILL_MS = 60_000

const CRAWLS = {
  name: 'revisits_crawls',
  text: `select c.id, c.uuid, ${POLICY_VERSION_SQL} as policies from recrawls r join crawls c on c.id = r.crawl, now_ms($1) as now
    where c.status in ${ACTIVE_STATUSES_SQL} and c.closing is null
      and (r.planned_to is not null or r.updated_at <= now - ${REFILL_MS}
        or (r.first_round_at is null and c.status = 'watching')
        or exists (select 1 from revisits v where v.crawl = r.crawl and v.due_at <= now))
    order by c.id`,
}
const LOCK = { name: 'revisits_lock', text: 'select * from recrawls where crawl = $1 for update skip locked' }
const SAVE = {
  name: 'revisits_save',
  text: `update recrawls set planned_to = $2, threshold = $3, tokens = $4, updated_at = $5, round_ms = $6 where crawl = $1`,
}
const SAVE_PLANNED = {
  name: 'revisits_save_planned',
  text: 'update recrawls set planned_to = $2 where crawl = $1',
}
/** The rows of the URLs are locked first, as commits do. */
const SAVE_RANKS = {
  name: 'revisits_save_ranks',
  text: `with ranks as materialized (
      select c.id as crawl, n.* from crawls c, unnest($2::bigint[], $3::double precision[]) as n (id, link_rank) where c.uuid = $1
    ), changed as materialized (
      select u.crawl, u.host, u.id, n.link_rank from ranks n join urls u on u.crawl = n.crawl and u.id = n.id
        join revisits r on r.crawl = u.crawl and r.host = u.host and r.url_id = u.id
      where r.link_rank is distinct from n.link_rank order by u.id for no key update of u
    )
    update revisits r set link_rank = c.link_rank from changed c
    where r.crawl = c.crawl and r.host = c.host and r.url_id = c.id`,
}
/** One condition per state, so that the partial index of each is used. */
function isAnyUnvisited(state: number): string {
  return `exists (select 1 from urls u where u.crawl = $1 and u.state = ${state} and not exists (
    select 1 from revisits r where r.crawl = u.crawl and r.host = u.host and r.url_id = u.id))`
}

/** Ends if every URL that is known was visited or tried. */
const END_FIRST_ROUND = {
  name: 'revisits_end_first_round',
  text: `update recrawls set first_round_at = $2
    where crawl = $1 and not ${isAnyUnvisited(QUEUED)} and not ${isAnyUnvisited(IN_PROGRESS)}`,
}
const RUN = { name: 'revisits_run', text: `update crawls set status = 'running' where id = $1 and status = 'watching'` }

const NOTHING: RequeuedRevisits = { requeued: 0, hasMore: false }

export class PostgresRevisits implements Revisits {
  readonly #dependencies: RevisitsDependencies

  constructor(dependencies: RevisitsDependencies) {
    this.#dependencies = dependencies
  }

  async requeueDue(limit: number): Promise<RequeuedRevisits> {
    const { db, time, workNotifier, policies } = this.#dependencies
    const { rows } = await db.withRetries(() => db.pool.query({ ...CRAWLS, values: [time.virtualNow] }))
    const total = { ...NOTHING }
    const [first] = rows
    if (first !== undefined) await db.withRetries(() => policies.refresh(Number(first['policies'])))
    for (const row of rows) {
      const crawl = { id: Number(row['id']), uuid: String(row['uuid']) }
      const done = await db.withRetries(() => db.transaction((tx) => this.#requeueInCrawl(tx, crawl, limit)))
      total.requeued += done.requeued
      total.hasMore ||= done.hasMore
    }
    if (total.requeued > 0) workNotifier.wake()
    return total
  }

  async saveLinkRanks(crawlId: string, ranks: Pick<LinkRank, 'urlId' | 'linkRank'>[]): Promise<void> {
    const { db } = this.#dependencies
    const lists = [ranks.map(({ urlId }) => urlId), ranks.map(({ linkRank }) => linkRank)]
    await db.withRetries(() => db.pool.query({ ...SAVE_RANKS, values: [crawlId, ...lists] }))
  }

  async #requeueInCrawl(tx: Queryable, known: { id: number; uuid: string }, limit: number): Promise<RequeuedRevisits> {
    const { time, holder, policies } = this.#dependencies
    const [recrawl] = (await tx.query({ ...LOCK, values: [known.id] })).rows
    if (recrawl === undefined) return NOTHING
    const { status, closing } = await readCrawlState(tx, known.id)
    if (!isActive(status) || closing !== null) return NOTHING
    const crawl = await readCrawl(tx, known)
    const now = await time.now(tx)
    if (recrawl['first_round_at'] === null && recrawl['planned_to'] === null)
      await tx.query({ ...END_FIRST_ROUND, values: [crawl.id, now] })
    const plannedTo = await this.#planNext(tx, crawl, recrawl, now)
    // The known pages are not all counted until all visits are planned.
    if (plannedTo !== null) {
      await tx.query({ ...SAVE_PLANNED, values: [crawl.id, plannedTo] })
      return { requeued: 0, hasMore: true }
    }
    const { budget, round } = await readBudget(tx, crawl, recrawl, now)
    const allowed = revisitAllowance(budget, limit)
    const { urls, changes, hasMore } = await requeueUrls(tx, crawl, {
      allowed,
      budget: { threshold: budget?.threshold ?? null, roundMs: round },
      now,
      policies,
    })
    const left = budget === null ? null : spendVisits(budget, urls.length)
    const saved = [plannedTo, left?.threshold ?? null, left?.tokens ?? null, left?.updatedAt ?? null, round]
    await tx.query({ ...SAVE, values: [crawl.id, ...saved] })
    await addToCounters(tx, { crawl: crawl.id, holder }, changes)
    if (urls.length > 0) {
      const hostsWithUrls = mergeQueuedHosts(urls.map(({ host, rank }) => ({ host, rank, dueAt: now })))
      await queueHosts(tx, crawl.id, { hostsWithUrls, releasedHosts: [] }, now)
      await this.#run(tx, crawl)
    }
    return { requeued: urls.length, hasMore: hasMore && allowed === limit }
  }

  /** Returns up to which id visits are planned now; null if all are. */
  async #planNext(tx: Queryable, crawl: CachedCrawl, recrawl: Row, now: number): Promise<number | null> {
    if (recrawl['planned_to'] === null) return null
    const { holder, policies } = this.#dependencies
    const after = Number(recrawl['planned_to'])
    const { plannedTo, changes } = await planKnownUrls(tx, crawl, { after, now, policies })
    await addToCounters(tx, { crawl: crawl.id, holder }, changes)
    return plannedTo
  }

  /**
   * Locks the row of the crawl, so that a commit that ends the last URL at the same time does not set the crawl to
   * `watching`. If the crawl was paused in the meantime, its URLs are still queued; if it has ended, nothing is
   * queued.
   */
  async #run(tx: Queryable, { id }: CachedCrawl): Promise<void> {
    const { status } = await lockCrawlState(tx, id)
    if (!isUnfinished(status)) throw overtakenError()
    if (!isActive(status)) return
    await tx.query({ ...RUN, values: [id] })
    await notifyWork(tx, id)
  }
}

async function readBudget(
  tx: Queryable,
  crawl: CachedCrawl,
  recrawl: Row,
  now: number,
): Promise<{ budget: RevisitBudget | null; round: number | null }> {
  const { recrawlBudget: perDay } = crawl.settings
  if (perDay === null) return { budget: null, round: null }
  const { pages } = await readCrawlState(tx, crawl.id)
  const budget = currentBudget(crawl.settings, toBudget(recrawl), pages, now)
  return { budget, round: roundMs({ urls: pages, perDay }) }
}
