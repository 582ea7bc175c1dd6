// Crawls in the store: made with their seeds in one transaction, read by their counters, never by counting rows.

import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl, CrawlProgress, CrawlSettings, Crawls, NewCrawl } from '../../ports/crawls.ts'
import type { FoundUrl } from '../../ports/frontier.ts'
import { type CrawlStatus, emptyLedger, TERMINAL_STATES } from '../../ports/state.ts'
import type { ActiveCrawls } from './active-crawl.ts'
import { QUEUED, stateCode } from './codes.ts'
import type { Discover } from './discover.ts'
import type { Leases } from './leases.ts'
import type { Patterns } from './patterns.ts'
import type { Transactions } from './transaction.ts'

type Row = Record<string, unknown>

const TOP_REASONS = 5

/** Reading needs the database alone, so that a directory in use can be looked at. */
export class CrawlReader {
  readonly #db: DatabaseSync
  readonly #leases: Leases | null
  readonly #isAtWork: boolean

  /** `isAtWork`: some process works in the directory, so that a running crawl may really run. */
  constructor(db: DatabaseSync, leases: Leases | null, isAtWork: boolean) {
    this.#db = db
    this.#leases = leases
    this.#isAtWork = isAtWork
  }

  find(idOrPrefix: string): Crawl {
    const rows = this.#db
      .prepare('select * from crawls where uuid >= ? and uuid < ? order by uuid limit 2')
      .all(idOrPrefix, `${idOrPrefix}~`)
    const [first, second] = rows
    if (idOrPrefix === '' || first === undefined) {
      throw new AppError('CRAWL_NOT_FOUND', `There is no crawl "${idOrPrefix}". List them with: orbweaver crawls`)
    }
    if (second !== undefined) {
      throw new AppError('CRAWL_AMBIGUOUS', `More than one crawl begins with "${idOrPrefix}". Give more of its id.`)
    }
    return toCrawl(first)
  }

  list(): CrawlProgress[] {
    return this.#db
      .prepare('select * from crawls order by id desc')
      .all()
      .map((row) => this.#toProgress(row))
  }

  progress(uuid: string): CrawlProgress {
    const row = this.#db.prepare('select * from crawls where uuid = ?').get(uuid)
    if (row === undefined) throw new AppError('CRAWL_NOT_FOUND', `There is no crawl ${uuid}.`)
    return this.#toProgress(row)
  }

  reasons(uuid: string): Record<string, number> {
    const rows = this.#db
      .prepare(
        `select u.reason, count(*) as n from urls u join crawls c on c.id = u.crawl
         where c.uuid = ? and u.reason is not null group by u.reason order by n desc limit ${TOP_REASONS}`,
      )
      .all(uuid)
    return Object.fromEntries(rows.map((row) => [String(row['reason']), Number(row['n'])]))
  }

  /** A process that was killed could not say that its crawl stands still. */
  #asItIs(crawl: Crawl): Crawl {
    const isLeft = crawl.status === 'running' && !this.#isAtWork
    return isLeft ? { ...crawl, status: 'paused', reason: crawl.reason ?? 'interrupted' } : crawl
  }

  #toProgress(row: Row): CrawlProgress {
    const rowId = Number(row['id'])
    const inFlight = this.#leases?.inFlight(rowId) ?? 0
    const ledger = emptyLedger()
    for (const state of TERMINAL_STATES) ledger[state] = Number(row[state])
    ledger.queued = Number(row['open']) - inFlight
    ledger.in_progress = inFlight
    const rejected = this.#db.prepare('select reason, count from rejections where crawl = ?').all(rowId)
    return {
      crawl: this.#asItIs(toCrawl(row)),
      ledger,
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
  reader: CrawlReader
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

  async list(): Promise<CrawlProgress[]> {
    return this.#parts.reader.list()
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
  }

  async setPaused(crawlId: string, paused: boolean): Promise<void> {
    this.#change(crawlId, (crawl) => {
      crawl.status = paused ? 'paused' : 'running'
    })
  }

  /** The urls it kept out are queued again; a finished crawl waits to be resumed. */
  async releasePattern(crawlId: string, pattern: string): Promise<number> {
    const { active, clock, transactions, patterns, leases, db } = this.#parts
    const crawl = active.get(crawlId)
    if (leases.inFlight(crawl.rowId) > 0) throw new AppError('CRAWL_RUNNING', 'Stop the crawl first, then release.')
    if (!patterns.knows(crawl, pattern)) {
      throw new AppError(
        'PATTERN_NOT_FOUND',
        `This crawl knows no pattern "${pattern}". List them with: orbweaver traps`,
      )
    }
    if (crawl.closing !== null) {
      throw new AppError('CRAWL_CLOSED', `This crawl was ended (${crawl.closing}), so its urls stay as they are.`)
    }
    const requeue = db.prepare(
      `update urls set state = ${QUEUED}, reason = null where crawl = ? and state = ${stateCode('excluded')} and reason = ?`,
    )
    let freed = 0
    transactions.run(() => {
      patterns.release(crawl, pattern)
      freed = Number(requeue.run(crawl.rowId, `trap:${pattern}`).changes)
      crawl.open += freed
      crawl.ended.excluded -= freed
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

/** The urls that say what the crawl is about: pages, or, where there are none, sitemaps. */
function scopeSeeds(seeds: FoundUrl[]): string[] {
  const pages = seeds.filter((seed) => seed.kind === 'page')
  return (pages.length > 0 ? pages : seeds).map((seed) => seed.url)
}

function toCrawl(row: Row): Crawl {
  return {
    id: String(row['uuid']),
    status: row['status'] as CrawlStatus,
    reason: row['reason'] as string | null,
    rootUrl: String(row['root_url']),
    seeds: JSON.parse(String(row['seeds'])) as string[],
    settings: JSON.parse(String(row['settings'])) as CrawlSettings,
    keySeed: Number(row['key_seed']),
    createdAt: Number(row['created_at']),
    finishedAt: row['finished_at'] === null ? null : Number(row['finished_at']),
    activeMs: Number(row['active_ms']),
  }
}
