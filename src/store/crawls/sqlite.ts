// Crawls in the store: created with their seeds in one transaction, read from their counters, never by counting rows.

import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import {
  type CrawlStatus,
  emptyLedger,
  isActive,
  isUnfinished,
  type RetriableState,
  TERMINAL_STATES,
} from '../../lib/states.ts'
import type { Crawl, CrawlListQuery, CrawlProgress, Crawls, NewCrawl, UrlInFlight } from '../../ports/crawls.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { BLOCKED_HOST, QUEUED, REMOVING, stateCode, TRAP_REASON } from '../encoding/state-codes.ts'
import type { ActiveCrawl, ActiveCrawls } from '../frontier/sqlite/crawl-state/active-crawls.ts'
import type { CloseCrawlBatch } from '../frontier/sqlite/crawl-state/close-crawl.ts'
import type { UrlDiscoverer } from '../frontier/sqlite/discovery/discover.ts'
import type { Patterns } from '../frontier/sqlite/discovery/patterns.ts'
import type { SqliteFrontier } from '../frontier/sqlite/frontier.ts'
import type { Leases } from '../frontier/sqlite/leases.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import {
  crawlNotFoundError,
  requireOneCrawl,
  scopeSeeds,
  storedStatusesFor,
  toCrawl,
  withEffectiveStatus,
} from './crawl-row.ts'
import { REASON_SQL } from './reason-sql.ts'

type Row = Record<string, unknown>

/** A crawl that is being removed is invisible to readers. */
const IS_NOT_REMOVED = `closing is not '${REMOVING}'`

/** Needs only the database, so that a directory in use can be read. */
export class SqliteCrawlReader implements CrawlReader {
  readonly #db: DatabaseSync
  readonly #leases: Leases | null
  readonly #hasLiveProcess: () => boolean
  readonly #one
  readonly #list
  readonly #rejected
  readonly #nextVisit

  /**
   * `hasLiveProcess`: whether a process is working in the directory, so that a crawl marked as running may really be running.
   */
  constructor(db: DatabaseSync, leases: Leases | null, hasLiveProcess: () => boolean) {
    this.#db = db
    this.#leases = leases
    this.#hasLiveProcess = hasLiveProcess
    this.#one = db.prepare(`select * from crawls where uuid = ? and ${IS_NOT_REMOVED}`)
    this.#list = db.prepare(
      `select * from crawls where ${IS_NOT_REMOVED} and status in (select value from json_each(?1))
       and (?2 = '' or substr(uuid, 1, length(?2)) = ?2
         or exists (select 1 from json_each(seeds) where instr(lower(value), ?2) > 0))
       and (?3 is null or coalesce(id < (select id from crawls where uuid = ?3), created_at < ?4))
       order by id desc limit ?5`,
    )
    this.#nextVisit = db.prepare('select min(due_at) as due_at from revisits where crawl = ? and due_at is not null')
    this.#rejected = db.prepare('select reason, count from rejections where crawl = ?')
  }

  async find(idOrPrefix: string): Promise<Crawl> {
    const rows = this.#db
      .prepare(`select * from crawls where uuid >= ? and uuid < ? and ${IS_NOT_REMOVED} order by uuid limit 2`)
      .all(idOrPrefix, `${idOrPrefix}~`)
    return toCrawl(requireOneCrawl(idOrPrefix, rows))
  }

  async list({ status, text = '', olderThan, limit = -1 }: CrawlListQuery = {}): Promise<CrawlProgress[]> {
    const hasLiveProcess = this.#hasLiveProcess()
    const statuses = JSON.stringify(storedStatusesFor(status, hasLiveProcess))
    return this.#list
      .all(statuses, text, olderThan?.id ?? null, olderThan?.createdAt ?? null, limit)
      .map((row) => this.#toProgress(row, hasLiveProcess))
  }

  async progress(uuid: string): Promise<CrawlProgress> {
    const row = this.#one.get(uuid)
    if (row === undefined) throw crawlNotFoundError(uuid)
    return this.#toProgress(row, this.#hasLiveProcess())
  }

  async reasons(uuid: string): Promise<Record<string, number>> {
    const rows = this.#db
      .prepare(
        `select ${REASON_SQL} as reason, count(*) as n from urls u join crawls c on c.id = u.crawl
         where c.uuid = ? and u.reason is not null group by 1 order by n desc, 1`,
      )
      .all(uuid)
    return Object.fromEntries(rows.map((row) => [String(row['reason']), Number(row['n'])]))
  }

  #readNextVisitAt(row: Row): number | null {
    if (!isUnfinished(row['status'] as CrawlStatus)) return null
    const dueAt = this.#nextVisit.get(Number(row['id']))?.['due_at'] ?? null
    return dueAt === null ? null : Number(dueAt)
  }

  #toProgress(row: Row, hasLiveProcess: boolean): CrawlProgress {
    const rowId = Number(row['id'])
    const inFlight = this.#leases?.countInFlight(rowId) ?? 0
    const ledger = emptyLedger()
    for (const state of TERMINAL_STATES) ledger[state] = Number(row[state])
    ledger.queued = Number(row['open']) - inFlight
    ledger.in_progress = inFlight
    const rejected = this.#rejected.all(rowId)
    return {
      crawl: withEffectiveStatus(toCrawl(row), hasLiveProcess),
      ledger,
      sitemaps: Number(row['sitemaps']),
      requisites: Number(row['requisites']),
      bytes: Number(row['bytes']),
      rejected: Object.fromEntries(rejected.map((r) => [String(r['reason']), Number(r['count'])])),
      lateReports: Number(row['late_reports']),
      nextVisitAt: this.#readNextVisitAt(row),
    }
  }
}

export interface CrawlsDependencies {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  active: ActiveCrawls
  urlDiscoverer: UrlDiscoverer
  patterns: Patterns
  leases: Leases
  reader: SqliteCrawlReader
  closeCrawlBatch: CloseCrawlBatch
  frontier: Pick<SqliteFrontier, 'requeueExpired'>
}

export class SqliteCrawls implements Crawls {
  readonly #dependencies: CrawlsDependencies

  constructor(dependencies: CrawlsDependencies) {
    this.#dependencies = dependencies
  }

  async create(crawl: NewCrawl): Promise<Crawl> {
    const { db, clock, transactions, active, urlDiscoverer, reader } = this.#dependencies
    const uuid = randomUUID()
    const now = clock.now()
    transactions.run(() => {
      db.prepare(
        `insert into crawls (uuid, status, root_url, requested_url, seeds, settings, key_seed, created_at)
         values (?, 'running', ?, ?, ?, ?, ?, ?)`,
      ).run(
        uuid,
        crawl.seeds[0]?.url ?? '',
        crawl.requestedUrl ?? null,
        JSON.stringify(scopeSeeds(crawl.seeds)),
        JSON.stringify(crawl.settings),
        crawl.keySeed,
        now,
      )
      const created = active.get(uuid)
      if (isRecrawled(crawl.settings)) db.prepare('insert into recrawls (crawl) values (?)').run(created.rowId)
      for (const seed of crawl.seeds) urlDiscoverer.add(created, seed, { parent: null, depth: 0, hops: 0 }, now)
      active.save(created, now)
    })
    return reader.find(uuid)
  }

  async find(idOrPrefix: string): Promise<Crawl> {
    return this.#dependencies.reader.find(idOrPrefix)
  }

  async list(wanted?: CrawlListQuery): Promise<CrawlProgress[]> {
    return this.#dependencies.reader.list(wanted)
  }

  async progress(crawlId: string): Promise<CrawlProgress> {
    return this.#dependencies.reader.progress(crawlId)
  }

  async urlsInFlight(crawlId: string): Promise<UrlInFlight[]> {
    const { active, leases } = this.#dependencies
    return leases.listInFlight(active.get(crawlId).rowId)
  }

  async reasons(crawlId: string): Promise<Record<string, number>> {
    return this.#dependencies.reader.reasons(crawlId)
  }

  async close(crawlId: string, reason: string): Promise<void> {
    this.#change(crawlId, (crawl) => {
      crawl.closing ??= reason
      crawl.status = 'running'
    })
    const { active, leases, closeCrawlBatch, clock } = this.#dependencies
    const crawl = active.get(crawlId)
    // URLs in flight are left to their workers.
    for (let before = Number.POSITIVE_INFINITY; crawl.openCount < before; await turn()) {
      if (!isActive(crawl.status) || crawl.closing === null || leases.countInFlight(crawl.rowId) > 0) return
      before = crawl.openCount
      closeCrawlBatch(crawl, clock.now())
    }
  }

  async setPaused(crawlId: string, paused: boolean): Promise<void> {
    this.#change(crawlId, (crawl) => {
      if (crawl.closing === null) crawl.status = paused ? 'paused' : 'running'
    })
  }

  /** Requeues the URLs that the pattern excluded. A finished crawl then waits to be resumed. */
  async releasePattern(crawlId: string, pattern: string): Promise<number> {
    const { active, patterns } = this.#dependencies
    const crawl = active.get(crawlId)
    this.#assertIdle(crawl)
    if (!patterns.has(crawl, pattern)) {
      throw new AppError('PATTERN_NOT_FOUND', `This crawl has no pattern "${pattern}". List them with: orbweaver traps`)
    }
    return this.#requeue(crawl, 'excluded', TRAP_REASON + pattern, () => patterns.release(crawl, pattern))
  }

  async retry(crawlId: string, state: RetriableState): Promise<number> {
    const crawl = this.#dependencies.active.get(crawlId)
    this.#assertIdle(crawl)
    return this.#requeue(crawl, state, null, () => undefined)
  }

  #assertIdle(crawl: ActiveCrawl): void {
    const { frontier, clock } = this.#dependencies
    frontier.requeueExpired(clock.now())
    if (this.#dependencies.leases.countInFlight(crawl.rowId) > 0) {
      throw new AppError('CRAWL_RUNNING', 'The crawl has URLs in flight. Stop it first.')
    }
    if (crawl.closing !== null) {
      throw new AppError('CRAWL_CLOSED', `The crawl was ended (${crawl.closing}), so its URLs cannot change.`)
    }
  }

  /** URLs in this state, and with this reason if one is given. */
  #requeue(crawl: ActiveCrawl, state: RetriableState, reason: string | null, change: () => void): number {
    const { db, active, clock, transactions } = this.#dependencies
    const requeue = db.prepare(
      `update urls set state = ${QUEUED}, reason = null
       where crawl = ?1 and state = ${stateCode(state)} and iif(?2 is null, reason is not '${BLOCKED_HOST}', reason = ?2)`,
    )
    const requeueRevisits = db.prepare(
      `update revisits set due_at = null, attempts = u.attempts from urls u
       where u.crawl = ?1 and u.state = ${stateCode(state)} and iif(?2 is null, u.reason is not '${BLOCKED_HOST}', u.reason = ?2)
         and revisits.url_id = u.id and revisits.due_at is not null`,
    )
    let freed = 0
    transactions.run(() => {
      change()
      // Updated even while --recrawl is off, since it may be turned on again.
      crawl.openRevisits += Number(requeueRevisits.run(crawl.rowId, reason).changes)
      freed = Number(requeue.run(crawl.rowId, reason).changes)
      crawl.openCount += freed
      crawl.endedCounts[state] -= freed
      if (freed > 0) crawl.status = 'paused'
      active.save(crawl, clock.now())
    })
    active.unload(crawl)
    return freed
  }

  async addActiveTime(crawlId: string, ms: number): Promise<void> {
    const { db, transactions } = this.#dependencies
    transactions.run(() => {
      db.prepare('update crawls set active_ms = active_ms + ? where uuid = ?').run(Math.round(ms), crawlId)
    })
  }

  /** Applies a change, which only an unfinished crawl allows. */
  #change(crawlId: string, change: (crawl: { status: CrawlStatus; closing: string | null }) => void): void {
    const { active, clock, transactions } = this.#dependencies
    const crawl = active.get(crawlId)
    if (!isUnfinished(crawl.status)) return
    transactions.run(() => {
      change(crawl)
      active.save(crawl, clock.now())
    })
  }
}

export function crawlRowId(db: DatabaseSync, crawlId: string): number {
  const row = db.prepare('select id from crawls where uuid = ?').get(crawlId)
  if (row === undefined) throw crawlNotFoundError(crawlId)
  return Number(row['id'])
}
