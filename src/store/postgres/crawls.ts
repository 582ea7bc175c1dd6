// Crawls as their owner makes and steers them.

import { randomUUID } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'
import type { Crawl, CrawlProgress, Crawls, CrawlsWanted, NewCrawl } from '../../ports/crawls.ts'
import type { RetriableState } from '../../ports/state.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { BLOCKED_HOST, stateCode } from '../rows/codes.ts'
import { scopeSeeds } from '../rows/crawl-row.ts'
import { closeAtOnce } from './close-some.ts'
import { addToCounters } from './counters.ts'
import type { CrawlRow, CrawlRows } from './crawl-rows.ts'
import { Detours } from './detour-list.ts'
import type { DetourParts } from './detours.ts'
import { discover } from './discover.ts'
import { Offers } from './offers.ts'
import { knowsPattern, OWNER, recordPatterns } from './patterns.ts'
import { plainText, type Queryable, unhurried } from './query.ts'
import { mergeWanted, openQueues } from './queues.ts'
import { endIfDone, lockedStanding } from './standing.ts'
import { takeBackExpired } from './take-back.ts'
import { notify } from './wake.ts'

export interface CrawlParts extends DetourParts {
  reader: CrawlReader
  rows: CrawlRows
  /** In whose row of the counters seeds are counted. */
  worker: string
}

const CREATE = `insert into crawls (uuid, status, root_url, seeds, settings, key_seed, created_at)
  values ($1, 'running', $2, $3, $4, $5, $6) on conflict (uuid) do nothing returning id`

/** Only an unfinished crawl can change; a finished one stays as it is. */
const CLOSE = `update crawls set closing = coalesce(closing, $2), reason = coalesce(closing, $2), status = 'running'
  where id = $1 and status in ('running', 'paused')`
const PAUSE = `update crawls set status = $2 where id = $1 and status in ('running', 'paused') and closing is null`
const REOPEN = `update crawls set status = 'paused', finished_at = null where id = $1`
const ADD_TIME = `update crawls set active_ms = active_ms + greatest(0, least($2, now_ms($3) - active_until)),
    active_until = greatest(active_until, now_ms($3)) where uuid = $1`

/** Those with this reason, if one is given. */
const REQUEUE = `update urls set state = 2, reason = null
  where crawl = $1 and state = $2 and case when $3::text is null then reason is distinct from '${BLOCKED_HOST}' else reason = $3 end returning host, rank`

export class PostgresCrawls implements Crawls {
  readonly #parts: CrawlParts

  constructor(parts: CrawlParts) {
    this.#parts = parts
  }

  async create(crawl: NewCrawl): Promise<Crawl> {
    const { db, hostIds, blocks, reader } = this.#parts
    const uuid = randomUUID()
    await db.persist(async () => {
      const hosts = await hostIds.of(crawl.seeds.map(({ host }) => host))
      const urlIds = await blocks.take('url', crawl.seeds.length)
      await db.transaction((tx) => this.#insert(tx, uuid, crawl, { hostIds: hosts, urlIds }))
    })
    return reader.find(uuid)
  }

  find(idOrPrefix: string): Promise<Crawl> {
    return this.#parts.reader.find(idOrPrefix)
  }

  list(wanted?: CrawlsWanted): Promise<CrawlProgress[]> {
    return this.#parts.reader.list(wanted)
  }

  progress(crawlId: string): Promise<CrawlProgress> {
    return this.#parts.reader.progress(crawlId)
  }

  reasons(crawlId: string): Promise<Record<string, number>> {
    return this.#parts.reader.reasons(crawlId)
  }

  async close(crawlId: string, reason: string): Promise<void> {
    await this.#change(crawlId, { text: CLOSE, value: reason })
    await closeAtOnce(this.#parts, await this.#parts.rows.get(crawlId), this.#parts.worker)
  }

  setPaused(crawlId: string, paused: boolean): Promise<void> {
    return this.#change(crawlId, { text: PAUSE, value: paused ? 'paused' : 'running' })
  }

  /** The urls it kept out are queued again; a finished crawl waits to be resumed. */
  releasePattern(crawlId: string, pattern: string): Promise<number> {
    return this.#atRest(crawlId, async (tx, crawl, now) => {
      if (!(await knowsPattern(tx, crawl.id, pattern))) {
        throw new AppError(
          'PATTERN_NOT_FOUND',
          `This crawl knows no pattern "${pattern}". List them with: orbweaver traps`,
        )
      }
      const released = { pattern, state: 'released' as const, visits: 0, fruitless: 0 }
      await recordPatterns(tx, { crawl: crawl.id, worker: OWNER }, [released], now)
      return this.#queueAgain(tx, crawl, { state: 'excluded', reason: `trap:${pattern}`, now })
    })
  }

  retry(crawlId: string, state: RetriableState): Promise<number> {
    return this.#atRest(crawlId, (tx, crawl, now) => this.#queueAgain(tx, crawl, { state, reason: null, now }))
  }

  async addActiveTime(crawlId: string, ms: number): Promise<void> {
    const { db, time } = this.#parts
    await db.persist(() => db.pool.query({ text: ADD_TIME, values: [crawlId, Math.round(ms), time.given] }))
  }

  async #insert(
    tx: Queryable,
    uuid: string,
    { seeds, settings, keySeed }: NewCrawl,
    ids: { hostIds: ReadonlyMap<string, number>; urlIds: { next(): number } },
  ): Promise<void> {
    const now = await this.#parts.time.now(tx)
    const texts = [seeds[0]?.url ?? '', JSON.stringify(scopeSeeds(seeds)), JSON.stringify(settings)]
    const [row] = (await tx.query({ text: CREATE, values: [uuid, ...texts, keySeed, now] })).rows
    // Made by an attempt that did not hear of its success.
    if (row === undefined) return
    const crawl = { id: Number(row['id']), uuid, settings, version: 0, blocked: new Set<number>() }
    const offers = new Offers()
    for (const seed of seeds) offers.add(seed, { parent: null, parentHost: 0, depth: 0, hops: 0 })
    const found = await discover(tx, { crawl, offers, ...ids, now }, new Map(), new Detours())
    await openQueues(tx, crawl.id, { wanted: mergeWanted(found.wanted), freed: [] }, now)
    await addToCounters(tx, { crawl: crawl.id, worker: this.#parts.worker }, found.changes)
    await endIfDone(tx, crawl, now)
    await notify(tx, crawl.id)
  }

  async #change(crawlId: string, { text, value }: { text: string; value: string }): Promise<void> {
    const { db, rows } = this.#parts
    const crawl = await db.persist(() => rows.get(crawlId))
    await db.persist(() =>
      db.transaction(async (tx) => {
        await tx.query({ text, values: [crawl.id, plainText(value)] })
        await endIfDone(tx, crawl, await this.#parts.time.now(tx))
        await notify(tx, crawl.id)
      }),
    )
  }

  /** With the crawl locked and nothing of it in flight. */
  async #atRest(
    crawlId: string,
    work: (tx: Queryable, crawl: CrawlRow, now: number) => Promise<number>,
  ): Promise<number> {
    const { db, rows, time } = this.#parts
    const crawl = await db.persist(() => rows.get(crawlId))
    await db.persist(async () => takeBackExpired(db, { worker: this.#parts.worker, now: await time.now(db.pool) }))
    return db.persist(() =>
      db.transaction(async (tx) => {
        const { inProgress, closing } = await lockedStanding(tx, crawl.id)
        if (inProgress > 0) throw new AppError('CRAWL_RUNNING', 'Urls of this crawl are under way. Stop it first.')
        if (closing !== null) {
          throw new AppError('CRAWL_CLOSED', `This crawl was ended (${closing}), so its urls stay as they are.`)
        }
        return work(tx, crawl, await this.#parts.time.now(tx))
      }),
    )
  }

  async #queueAgain(
    tx: Queryable,
    crawl: CrawlRow,
    { state, reason, now }: { state: RetriableState; reason: string | null; now: number },
  ): Promise<number> {
    const { rows } = await unhurried(tx, { text: REQUEUE, values: [crawl.id, stateCode(state), reason] })
    if (rows.length === 0) return 0
    const wanted = rows.map((row) => ({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now }))
    await openQueues(tx, crawl.id, { wanted: mergeWanted(wanted), freed: [] }, now)
    const changes = { open: rows.length, [state]: -rows.length }
    await addToCounters(tx, { crawl: crawl.id, worker: this.#parts.worker }, changes)
    await tx.query({ text: REOPEN, values: [crawl.id] })
    return rows.length
  }
}
