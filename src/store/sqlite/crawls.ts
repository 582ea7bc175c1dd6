// Crawls in the store: made with their seeds in one transaction, read by their counters, never by counting rows.

import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl, CrawlProgress, Crawls, CrawlsWanted, NewCrawl } from '../../ports/crawls.ts'
import { type CrawlStatus, emptyLedger, type RetriableState, TERMINAL_STATES } from '../../ports/state.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { BLOCKED_HOST, QUEUED, REMOVING, stateCode } from '../rows/codes.ts'
import { asItIs, onlyCrawl, scopeSeeds, storedStatuses, toCrawl } from '../rows/crawl-row.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { CloseSome } from './close-some.ts'
import type { Discover } from './discover.ts'
import type { SqliteFrontier } from './frontier.ts'
import type { Leases } from './leases.ts'
import type { Patterns } from './patterns.ts'
import type { Transactions } from './transaction.ts'

type Row = Record<string, unknown>

const TOP_REASONS = 5

/** One that is being removed is gone for everybody who looks. */
const IS_THERE = `closing is not '${REMOVING}'`

/** Reading needs the database alone, so that a directory in use can be looked at. */
export class SqliteCrawlReader implements CrawlReader {
  readonly #db: DatabaseSync
  readonly #leases: Leases | null
  readonly #isAtWork: boolean
  readonly #one
  readonly #list
  readonly #rejected

  /** `isAtWork`: some process works in the directory, so that a running crawl may really run. */
  constructor(db: DatabaseSync, leases: Leases | null, isAtWork: boolean) {
    this.#db = db
    this.#leases = leases
    this.#isAtWork = isAtWork
    this.#one = db.prepare(`select * from crawls where uuid = ? and ${IS_THERE}`)
    this.#list = db.prepare(
      `select * from crawls where ${IS_THERE} and status in (select value from json_each(?1))
       and (?2 = '' or substr(uuid, 1, length(?2)) = ?2
         or exists (select 1 from json_each(seeds) where instr(lower(value), ?2) > 0))
       and (?3 is null or coalesce(id < (select id from crawls where uuid = ?3), created_at < ?4))
       order by id desc limit ?5`,
    )
    this.#rejected = db.prepare('select reason, count from rejections where crawl = ?')
  }

  async find(idOrPrefix: string): Promise<Crawl> {
    const rows = this.#db
      .prepare(`select * from crawls where uuid >= ? and uuid < ? and ${IS_THERE} order by uuid limit 2`)
      .all(idOrPrefix, `${idOrPrefix}~`)
    return toCrawl(onlyCrawl(idOrPrefix, rows))
  }

  async list({ status, text = '', olderThan, limit = -1 }: CrawlsWanted = {}): Promise<CrawlProgress[]> {
    const statuses = JSON.stringify(storedStatuses(status, this.#isAtWork))
    return this.#list
      .all(statuses, text, olderThan?.id ?? null, olderThan?.createdAt ?? null, limit)
      .map((row) => this.#toProgress(row))
  }

  async progress(uuid: string): Promise<CrawlProgress> {
    const row = this.#one.get(uuid)
    if (row === undefined) throw new AppError('CRAWL_NOT_FOUND', `There is no crawl ${uuid}.`)
    return this.#toProgress(row)
  }

  async reasons(uuid: string): Promise<Record<string, number>> {
    const rows = this.#db
      .prepare(
        `select u.reason, count(*) as n from urls u join crawls c on c.id = u.crawl
         where c.uuid = ? and u.reason is not null group by u.reason order by n desc limit ${TOP_REASONS}`,
      )
      .all(uuid)
    return Object.fromEntries(rows.map((row) => [String(row['reason']), Number(row['n'])]))
  }

  #toProgress(row: Row): CrawlProgress {
    const rowId = Number(row['id'])
    const inFlight = this.#leases?.inFlight(rowId) ?? 0
    const ledger = emptyLedger()
    for (const state of TERMINAL_STATES) ledger[state] = Number(row[state])
    ledger.queued = Number(row['open']) - inFlight
    ledger.in_progress = inFlight
    const rejected = this.#rejected.all(rowId)
    return {
      crawl: asItIs(toCrawl(row), this.#isAtWork),
      ledger,
      sitemaps: Number(row['sitemaps']),
      bytes: Number(row['bytes']),
      rejected: Object.fromEntries(rejected.map((r) => [String(r['reason']), Number(r['count'])])),
      lateReports: Number(row['late_reports']),
    }
  }
}

export interface CrawlParts {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  active: ActiveCrawls
  discover: Discover
  patterns: Patterns
  leases: Leases
  reader: SqliteCrawlReader
  closeSome: CloseSome
  frontier: Pick<SqliteFrontier, 'takeBackExpired'>
}

export class SqliteCrawls implements Crawls {
  readonly #parts: CrawlParts

  constructor(parts: CrawlParts) {
    this.#parts = parts
  }

  async create(crawl: NewCrawl): Promise<Crawl> {
    const { db, clock, transactions, active, discover, reader } = this.#parts
    const uuid = randomUUID()
    const now = clock.now()
    transactions.run(() => {
      db.prepare(
        `insert into crawls (uuid, status, root_url, seeds, settings, key_seed, created_at)
         values (?, 'running', ?, ?, ?, ?, ?)`,
      ).run(
        uuid,
        crawl.seeds[0]?.url ?? '',
        JSON.stringify(scopeSeeds(crawl.seeds)),
        JSON.stringify(crawl.settings),
        crawl.keySeed,
        now,
      )
      const made = active.get(uuid)
      for (const seed of crawl.seeds) discover.add(made, seed, { parent: null, depth: 0, hops: 0 }, now)
      active.save(made, now)
    })
    return reader.find(uuid)
  }

  async find(idOrPrefix: string): Promise<Crawl> {
    return this.#parts.reader.find(idOrPrefix)
  }

  async list(wanted?: CrawlsWanted): Promise<CrawlProgress[]> {
    return this.#parts.reader.list(wanted)
  }

  async progress(crawlId: string): Promise<CrawlProgress> {
    return this.#parts.reader.progress(crawlId)
  }

  async reasons(crawlId: string): Promise<Record<string, number>> {
    return this.#parts.reader.reasons(crawlId)
  }

  async close(crawlId: string, reason: string): Promise<void> {
    this.#change(crawlId, (crawl) => {
      crawl.closing ??= reason
      crawl.status = 'running'
    })
    const { active, leases, closeSome, clock } = this.#parts
    const crawl = active.get(crawlId)
    // What is in flight is left to whoever has it.
    for (let before = Number.POSITIVE_INFINITY; crawl.open < before; await turn()) {
      if (crawl.status !== 'running' || crawl.closing === null || leases.inFlight(crawl.rowId) > 0) return
      before = crawl.open
      closeSome(crawl, clock.now())
    }
  }

  async setPaused(crawlId: string, paused: boolean): Promise<void> {
    this.#change(crawlId, (crawl) => {
      if (crawl.closing === null) crawl.status = paused ? 'paused' : 'running'
    })
  }

  /** The urls it kept out are queued again; a finished crawl waits to be resumed. */
  async releasePattern(crawlId: string, pattern: string): Promise<number> {
    const { active, patterns } = this.#parts
    const crawl = active.get(crawlId)
    this.#checkAtRest(crawl)
    if (!patterns.knows(crawl, pattern)) {
      throw new AppError('PATTERN_NOT_FOUND', `This crawl knows no pattern "${pattern}". The command traps lists them.`)
    }
    return this.#queueAgain(crawl, 'excluded', `trap:${pattern}`, () => patterns.release(crawl, pattern))
  }

  async retry(crawlId: string, state: RetriableState): Promise<number> {
    const crawl = this.#parts.active.get(crawlId)
    this.#checkAtRest(crawl)
    return this.#queueAgain(crawl, state, null, () => undefined)
  }

  #checkAtRest(crawl: ActiveCrawl): void {
    const { frontier, clock } = this.#parts
    frontier.takeBackExpired(clock.now())
    if (this.#parts.leases.inFlight(crawl.rowId) > 0) {
      throw new AppError('CRAWL_RUNNING', 'Urls of this crawl are under way. Stop it first.')
    }
    if (crawl.closing !== null) {
      throw new AppError('CRAWL_CLOSED', `This crawl was ended (${crawl.closing}), so its urls stay as they are.`)
    }
  }

  /** Urls in this state, and with this reason if one is given. */
  #queueAgain(crawl: ActiveCrawl, state: RetriableState, reason: string | null, change: () => void): number {
    const { db, active, clock, transactions } = this.#parts
    const requeue = db.prepare(
      `update urls set state = ${QUEUED}, reason = null
       where crawl = ?1 and state = ${stateCode(state)} and iif(?2 is null, reason is not '${BLOCKED_HOST}', reason = ?2)`,
    )
    let freed = 0
    transactions.run(() => {
      change()
      freed = Number(requeue.run(crawl.rowId, reason).changes)
      crawl.open += freed
      crawl.ended[state] -= freed
      if (freed > 0) crawl.status = 'paused'
      active.save(crawl, clock.now())
    })
    active.forget(crawl)
    return freed
  }

  async addActiveTime(crawlId: string, ms: number): Promise<void> {
    const { db, transactions } = this.#parts
    transactions.run(() => {
      db.prepare('update crawls set active_ms = active_ms + ? where uuid = ?').run(Math.round(ms), crawlId)
    })
  }

  /** Only an unfinished crawl can change; a finished one stays as it is. */
  #change(crawlId: string, change: (crawl: { status: CrawlStatus; closing: string | null }) => void): void {
    const { active, clock, transactions } = this.#parts
    const crawl = active.get(crawlId)
    if (crawl.status !== 'running' && crawl.status !== 'paused') return
    transactions.run(() => {
      change(crawl)
      active.save(crawl, clock.now())
    })
  }
}

export function crawlRowId(db: DatabaseSync, crawlId: string): number {
  const row = db.prepare('select id from crawls where uuid = ?').get(crawlId)
  if (row === undefined) throw new AppError('CRAWL_NOT_FOUND', `There is no crawl ${crawlId}.`)
  return Number(row['id'])
}
