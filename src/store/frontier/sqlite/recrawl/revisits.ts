// Queues URLs again when they are due, and plans visits after a change of settings. Both in batches, so that nothing else
// waits long.

import type { DatabaseSync } from 'node:sqlite'
import { priorOfHost } from '../../../../frontier/host-freshness.ts'
import { spendVisits } from '../../../../frontier/recrawl/budget.ts'
import { isPostponed } from '../../../../frontier/recrawl/due-time.ts'
import {
  addVisit,
  currentBudget,
  hasMovingThreshold,
  planRevisit,
  revisitAllowance,
} from '../../../../frontier/revisit-plan.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { ACTIVE_STATUSES_SQL, type TerminalState } from '../../../../lib/states.ts'
import type { RequeuedRevisits, Revisits } from '../../../../ports/revisits.ts'
import { QUEUED, SITEMAP_KIND, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import { toBudget, toHistory, toKnownEnd } from '../../revisit-row.ts'
import { type ActiveCrawl, type ActiveCrawls, countCrawlPages } from '../crawl-state/active-crawls.ts'
import type { UrlDiscoverer } from '../discovery/discover.ts'
import type { RevisitRecorder } from './revisit-recorder.ts'

export interface RevisitsDependencies {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  active: ActiveCrawls
  urlDiscoverer: UrlDiscoverer
  revisitRecorder: RevisitRecorder
  frontier: { wake(): void }
}

type Row = Record<string, unknown>

/** URLs whose visits are planned per transaction. */
const PLAN_CHUNK = 1000
/** With a moving threshold, some URLs turn out to be due later. */
const DUE_PER_REQUEUE = 4
/** The budget is refilled at least this often, even if nothing is due, because its threshold falls meanwhile. */
const REFILL_MS = 60_000

export class SqliteRevisits implements Revisits {
  readonly #dependencies: RevisitsDependencies
  readonly #crawls
  readonly #due
  readonly #known
  readonly #requeueUrl
  readonly #markQueued
  readonly #postpone
  readonly #saveBudget
  readonly #savePlannedTo
  readonly #hasUnvisited
  readonly #endFirstRound

  constructor(dependencies: RevisitsDependencies) {
    const { db } = dependencies
    this.#dependencies = dependencies
    this.#crawls = db.prepare(
      `select c.uuid, r.* from recrawls r join crawls c on c.id = r.crawl
       where c.status in ${ACTIVE_STATUSES_SQL} and c.closing is null
         and (r.planned_to is not null or r.updated_at <= ?1 - ${REFILL_MS}
           or (r.first_round_at is null and c.status = 'watching')
           or exists (select 1 from revisits v where v.crawl = r.crawl and v.due_at <= ?1))
       order by c.id`,
    )
    this.#due = db.prepare(
      `select r.*, u.state as url_state, u.host, u.rank, u.kind, u.attempts as url_attempts
       from revisits r indexed by revisits_due join urls u on u.id = r.url_id
       where r.crawl = ? and r.due_at <= ? order by r.due_at limit ?`,
    )
    this.#known = db.prepare(
      `select u.id, u.host, u.state as url_state, u.reason as url_reason, v.visited_at as seen_at, v.content_hash,
         v.content_length, v.content_type, v.canonical, v.noindex, v.redirect_to, r.*
       from urls u left join visits v on v.url_id = u.id and v.attempt = u.attempts and v.state = u.state
         left join revisits r on r.url_id = u.id
       where u.crawl = ? and u.id > ? and u.state <> ${QUEUED} and (v.url_id is not null or r.url_id is not null)
       order by u.id limit ${PLAN_CHUNK}`,
    )
    this.#requeueUrl = db.prepare(`update urls set state = ${QUEUED}, reason = null, due_at = ? where id = ?`)
    this.#markQueued = db.prepare('update revisits set due_at = null, attempts = ? where url_id = ?')
    this.#postpone = db.prepare('update revisits set due_at = ? where url_id = ?')
    this.#saveBudget = db.prepare('update recrawls set threshold = ?, tokens = ?, updated_at = ? where crawl = ?')
    this.#savePlannedTo = db.prepare('update recrawls set planned_to = ? where crawl = ?')
    this.#hasUnvisited = db.prepare(
      `select 1 from urls u indexed by urls_queue where u.crawl = ? and u.state = ${QUEUED}
         and not exists (select 1 from revisits r where r.url_id = u.id) limit 1`,
    )
    this.#endFirstRound = db.prepare('update recrawls set first_round_at = ? where crawl = ?')
  }

  async requeueDue(limit: number): Promise<RequeuedRevisits> {
    const { active, clock, transactions, frontier } = this.#dependencies
    const result: RequeuedRevisits = { requeued: 0, hasMore: false }
    const now = clock.now()
    for (const row of this.#crawls.all(now)) {
      const crawl = active.get(String(row['uuid']))
      transactions.run(() => {
        if (row['planned_to'] !== null)
          result.hasMore = this.#planKnown(crawl, Number(row['planned_to'])) || result.hasMore
        else if (row['first_round_at'] === null && this.#hasUnvisited.get(crawl.rowId) === undefined)
          this.#endFirstRound.run(now, crawl.rowId)
        const { requeued, hasMore } = this.#requeue(crawl, row, limit, now)
        result.requeued += requeued
        result.hasMore ||= hasMore
        active.save(crawl, now)
      })
    }
    if (result.requeued > 0) frontier.wake()
    return result
  }

  #requeue(crawl: ActiveCrawl, recrawl: Row, limit: number, now: number): RequeuedRevisits {
    const budget = currentBudget(crawl.settings, toBudget(recrawl), countCrawlPages(crawl), now)
    const allowed = revisitAllowance(budget, limit)
    const isMoving = hasMovingThreshold(crawl.settings)
    const rows = this.#due.all(crawl.rowId, now, isMoving ? allowed * DUE_PER_REQUEUE : allowed)
    let requeued = 0
    for (const row of rows) {
      if (requeued === allowed) break
      const laterAt = isMoving && budget !== null ? this.#dueAt(crawl, row, budget.threshold) : 0
      if (isPostponed({ visitedAt: Number(row['visited_at']), dueAt: laterAt, now }))
        this.#postpone.run(laterAt, Number(row['url_id']))
      else if (this.#requeueOne(crawl, row, now)) requeued += 1
    }
    if (budget !== null) {
      const { threshold, tokens, updatedAt } = spendVisits(budget, requeued)
      this.#saveBudget.run(threshold, tokens, updatedAt, crawl.rowId)
    }
    return { requeued, hasMore: rows.length > 0 && allowed === limit && rows.length >= limit }
  }

  #dueAt(crawl: ActiveCrawl, row: Row, threshold: number): number {
    const history = toHistory(row)
    const { revisitRecorder } = this.#dependencies
    const hostId = Number(row['host'])
    const prior = priorOfHost(revisitRecorder.hostOf(crawl, hostId))
    return planRevisit(history, revisitRecorder.settingsAt(crawl, hostId), { threshold, prior }, history.visitedAt)
  }

  /** Counts the URL as queued again. False if it is queued already, or its host is blocked. */
  #requeueOne(crawl: ActiveCrawl, row: Row, now: number): boolean {
    const urlId = Number(row['url_id'])
    const hostId = Number(row['host'])
    if (crawl.blockedHosts.has(hostId)) {
      this.#postpone.run(now + Number(row['interval_ms']), urlId)
      return false
    }
    this.#markQueued.run(Number(row['url_attempts']), urlId)
    const code = Number(row['url_state'])
    if (code === QUEUED) return false
    const was = stateFromCode(code) as TerminalState
    const dueAt = Number(row['due_at'])
    this.#requeueUrl.run(dueAt, urlId)
    if (was === 'visited' && row['kind'] === SITEMAP_KIND) crawl.sitemaps -= 1
    this.#dependencies.urlDiscoverer.reopen(crawl, { host: hostId, rank: Number(row['rank']), was, dueAt }, now)
    return true
  }

  /** Plans the visits of the next known URLs under the current settings. True if there are more. */
  #planKnown(crawl: ActiveCrawl, after: number): boolean {
    const rows = this.#known.all(crawl.rowId, after)
    for (const row of rows) {
      const end = toKnownEnd(row)
      const history = row['url_id'] === null ? addVisit(null, end, { now: Number(row['seen_at']) }) : toHistory(row)
      const url = { id: Number(row['id']), hostId: Number(row['host']) }
      this.#dependencies.revisitRecorder.plan(crawl, url, history, history.visitedAt)
    }
    const hasMore = rows.length === PLAN_CHUNK
    this.#savePlannedTo.run(hasMore ? Number(rows.at(-1)?.['id']) : null, crawl.rowId)
    return hasMore
  }
}
