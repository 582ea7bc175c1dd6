// Queues URLs again when they are due, and plans visits after a change of settings, both in batches to keep transactions
// short.

import type { DatabaseSync } from 'node:sqlite'
import { NEW_HOST } from '../../../../frontier/host-freshness.ts'
import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import { isTooDeep } from '../../../../frontier/limits.ts'
import { roundMs, spendVisits } from '../../../../frontier/recrawl/budget.ts'
import { isPostponed } from '../../../../frontier/recrawl/due-time.ts'
import { DEFAULT_PRIOR } from '../../../../frontier/recrawl/priors.ts'
import { addVisit, type RevisitHistory } from '../../../../frontier/revisit-history.ts'
import { currentBudget, hasMovingThreshold, revisitAllowance } from '../../../../frontier/revisit-plan.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { ACTIVE_STATUSES_SQL, type TerminalState } from '../../../../lib/states.ts'
import type { RequeuedRevisits, Revisits } from '../../../../ports/revisits.ts'
import type { LinkRank } from '../../../../ports/search.ts'
import { QUEUED, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import { knownExpiry, toBudget, toHistory, toKnownVisit } from '../../revisit-row.ts'
import { type ActiveCrawl, type ActiveCrawls, countCrawlPages, countVisitedKind } from '../crawl-state/active-crawls.ts'
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
/** More rows are read than are requeued: with a moving threshold, some URLs turn out to be due later. */
const DUE_PER_REQUEUE = 4
/** The budget is refilled at least this often, even if nothing is due, because its threshold falls in the meantime. */
const REFILL_MS = 60_000
const STILL_PLANNING: RequeuedRevisits = { requeued: 0, hasMore: true }

export class SqliteRevisits implements Revisits {
  readonly #dependencies: RevisitsDependencies
  readonly #crawls
  readonly #due
  readonly #known
  readonly #requeueUrl
  readonly #postpone
  readonly #saveBudget
  readonly #savePlannedTo
  readonly #hasUnvisited
  readonly #saveFirstRound
  readonly #saveRank

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
      `select r.*, u.state as url_state, u.host, u.rank, u.kind, u.depth, u.attempts as url_attempts
       from revisits r indexed by revisits_due join urls u on u.id = r.url_id
       where r.crawl = ? and r.due_at <= ? order by r.due_at limit ?`,
    )
    this.#known = db.prepare(
      `select u.id, u.host, u.url, u.kind, u.depth, u.state as url_state, u.reason as url_reason, v.visited_at as seen_at,
         v.http_status, v.content_hash, v.content_length, v.content_type, v.title, v.canonical, v.noindex, v.redirect_to,
         l.lastmod, l.changefreq, l.priority, r.*
       from urls u left join visits v on v.url_id = u.id and v.attempt = u.attempts and v.state = u.state
         left join listings l on l.url_id = u.id left join revisits r on r.url_id = u.id
       where u.crawl = ? and u.id > ? and u.state <> ${QUEUED} and (v.url_id is not null or r.url_id is not null)
       order by u.id limit ${PLAN_CHUNK}`,
    )
    this.#requeueUrl = db.prepare(`update urls set state = ${QUEUED}, reason = null, due_at = ? where id = ?`)
    this.#postpone = db.prepare('update revisits set due_at = ? where url_id = ?')
    this.#saveBudget = db.prepare(
      'update recrawls set threshold = ?, tokens = ?, updated_at = ?, round_ms = ? where crawl = ?',
    )
    this.#savePlannedTo = db.prepare('update recrawls set planned_to = ? where crawl = ?')
    this.#hasUnvisited = db.prepare(
      `select 1 from urls u indexed by urls_queue where u.crawl = ? and u.state = ${QUEUED}
         and not exists (select 1 from revisits r where r.url_id = u.id) limit 1`,
    )
    this.#saveFirstRound = db.prepare('update recrawls set first_round_at = ? where crawl = ?')
    this.#saveRank = db.prepare(
      `update revisits set link_rank = ?1 where url_id = ?2 and crawl = (select id from crawls where uuid = ?3)
         and link_rank is not ?1`,
    )
  }

  async requeueDue(limit: number): Promise<RequeuedRevisits> {
    const { active, clock, transactions, frontier } = this.#dependencies
    const result: RequeuedRevisits = { requeued: 0, hasMore: false }
    const now = clock.now()
    for (const row of this.#crawls.all(now)) {
      const crawl = active.get(String(row['uuid']))
      transactions.run(() => {
        // The known pages are not all counted until all visits are planned.
        const isPlanning = row['planned_to'] !== null && this.#planKnown(crawl, Number(row['planned_to']))
        if (row['planned_to'] === null && row['first_round_at'] === null) this.#endFirstRound(crawl, now)
        const { requeued, hasMore } = isPlanning ? STILL_PLANNING : this.#requeue(crawl, row, limit, now)
        result.requeued += requeued
        result.hasMore ||= hasMore
        active.save(crawl, now)
      })
    }
    if (result.requeued > 0) frontier.wake()
    return result
  }

  async saveLinkRanks(crawlId: string, ranks: Pick<LinkRank, 'urlId' | 'linkRank'>[]): Promise<void> {
    this.#dependencies.transactions.run(() => {
      for (const { urlId, linkRank } of ranks) this.#saveRank.run(linkRank, urlId, crawlId)
    })
  }

  /** Every URL that was found in it has been visited. */
  #endFirstRound(crawl: ActiveCrawl, now: number): void {
    if (this.#hasUnvisited.get(crawl.rowId) === undefined) this.#saveFirstRound.run(now, crawl.rowId)
  }

  #requeue(crawl: ActiveCrawl, recrawl: Row, limit: number, now: number): RequeuedRevisits {
    const urls = countCrawlPages(crawl)
    const budget = currentBudget(crawl.settings, toBudget(recrawl), urls, now)
    const allowed = revisitAllowance(budget, limit)
    const isMoving = hasMovingThreshold(crawl.settings)
    const most = isMoving ? allowed * DUE_PER_REQUEUE : allowed
    let requeued = 0
    let examined = 0
    // A row that was handled is no longer due.
    while (requeued < allowed && examined < most) {
      const rows = this.#due.all(crawl.rowId, now, Math.min(allowed, most - examined))
      for (const row of rows) {
        if (requeued === allowed) break
        examined += 1
        const laterAt = isMoving ? this.#dueAt(crawl, row) : 0
        if (isPostponed({ visitedAt: Number(row['visited_at']), dueAt: laterAt, now }))
          this.#postpone.run(laterAt, Number(row['url_id']))
        else if (this.#requeueOne(crawl, row, now)) requeued += 1
      }
      if (rows.length < allowed) break
    }
    if (budget !== null) {
      const { threshold, tokens, updatedAt } = spendVisits(budget, requeued)
      const round = roundMs({ urls, perDay: crawl.settings.recrawlBudget ?? 0 })
      this.#saveBudget.run(threshold, tokens, updatedAt, round, crawl.rowId)
    }
    return { requeued, hasMore: examined > 0 && allowed === limit && examined >= limit }
  }

  #dueAt(crawl: ActiveCrawl, row: Row): number {
    const history = toHistory(row)
    return this.#dependencies.revisitRecorder.dueAt(crawl, Number(row['host']), history, history.visitedAt)
  }

  /** Counts the URL as queued again. False if it is queued already, its host is blocked, or it is too deep. */
  #requeueOne(crawl: ActiveCrawl, row: Row, now: number): boolean {
    const urlId = Number(row['url_id'])
    const hostId = Number(row['host'])
    if (crawl.blockedHosts.has(hostId) || isTooDeep(crawl.settings, Number(row['depth']))) {
      this.#postpone.run(now + Number(row['interval_ms']), urlId)
      return false
    }
    this.#dependencies.revisitRecorder.markQueued(crawl, { id: urlId, attempts: Number(row['url_attempts']) })
    const code = Number(row['url_state'])
    if (code === QUEUED) return false
    const was = stateFromCode(code) as TerminalState
    const dueAt = Number(row['due_at'])
    this.#requeueUrl.run(dueAt, urlId)
    if (was === 'visited') countVisitedKind(crawl, toUrlKind(row['kind']), -1)
    this.#dependencies.urlDiscoverer.reopen(crawl, { host: hostId, rank: Number(row['rank']), was, dueAt }, now)
    return true
  }

  /** Plans the visits of the next known URLs under the current settings. True if there are more. */
  #planKnown(crawl: ActiveCrawl, after: number): boolean {
    const { revisitRecorder } = this.#dependencies
    const rows = this.#known.all(crawl.rowId, after)
    for (const row of rows) {
      const isKnown = row['url_id'] !== null
      const history = isKnown ? toHistory(row) : this.#firstHistory(crawl, row)
      const url = { id: Number(row['id']), hostId: Number(row['host']), kind: toUrlKind(row['kind']) }
      const from = history.visitedAt
      const known = revisitRecorder.knownHost(crawl, url.hostId, history.rateGroup)
      const isOpen = isKnown && row['due_at'] === null
      revisitRecorder.plan(crawl, url, { history, before: isKnown ? history : null, isOpen, from, known })
    }
    const hasMore = rows.length === PLAN_CHUNK
    this.#savePlannedTo.run(hasMore ? Number(rows.at(-1)?.['id']) : null, crawl.rowId)
    return hasMore
  }

  /** The history of a URL that was visited before its crawl had --recrawl. */
  #firstHistory({ settings }: ActiveCrawl, row: Row): RevisitHistory {
    const now = Number(row['seen_at'])
    const context = { settings, now, prior: DEFAULT_PRIOR, signals: NEW_HOST.signals }
    return { ...addVisit(null, toKnownVisit(row), context), expiresAt: knownExpiry(settings, now) }
  }
}
