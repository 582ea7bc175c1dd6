// Creates crawls and changes their status.

import { randomUUID } from 'node:crypto'
import { UrlDiscoveries } from '../../frontier/url-discoveries.ts'
import { AppError } from '../../lib/errors.ts'
import { type RetriableState, UNFINISHED_STATUSES_SQL } from '../../lib/states.ts'
import type { Crawl, CrawlListQuery, CrawlProgress, Crawls, NewCrawl, UrlInFlight } from '../../ports/crawls.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { BLOCKED_HOST, QUEUED, stateCode, TRAP_REASON } from '../encoding/state-codes.ts'
import { closeCrawlNow } from '../frontier/postgres/crawl-state/close-crawl.ts'
import { addToCounters } from '../frontier/postgres/crawl-state/counters.ts'
import type { CachedCrawl, CrawlCache } from '../frontier/postgres/crawl-state/crawl-cache.ts'
import { endIfDone, lockCrawlState } from '../frontier/postgres/crawl-state/crawl-state.ts'
import type { ShorterPathDependencies } from '../frontier/postgres/discovery/apply-shorter-paths.ts'
import { discover } from '../frontier/postgres/discovery/discover.ts'
import { CRAWL_OWNER, hasPattern, recordPatterns } from '../frontier/postgres/discovery/patterns.ts'
import { ShorterPaths } from '../frontier/postgres/discovery/shorter-paths.ts'
import { mergeQueuedHosts, queueHosts, wakeQueues } from '../frontier/postgres/queues.ts'
import { requeueExpired } from '../frontier/postgres/requeue-leases.ts'
import { type Queryable, toPostgresText, withoutTimeout } from '../postgres/query.ts'
import { notifyWork } from '../postgres/work-notifier.ts'
import { scopeSeeds } from './crawl-row.ts'

export interface CrawlsDependencies extends ShorterPathDependencies {
  reader: CrawlReader
  crawls: CrawlCache
  /** The holder whose counter row seeds are counted in: this process, without a thread (`17/`). */
  holder: string
}

const CREATE = `insert into crawls (uuid, status, root_url, seeds, settings, key_seed, created_at, requested_url)
  values ($1, 'running', $2, $3, $4, $5, $6, $7) on conflict (uuid) do nothing returning id`

/** Only an unfinished crawl can be closed. */
const CLOSE = `update crawls set closing = coalesce(closing, $2), reason = coalesce(closing, $2), status = 'running'
  where id = $1 and status in ${UNFINISHED_STATUSES_SQL}`
const IN_FLIGHT = `select u.id, substr(l.worker, strpos(l.worker, '/') + 1) as thread, l.granted_at, l.renewed_at
  from leases l join urls u on u.crawl = l.crawl and u.host = l.host and u.lease = l.token where l.crawl = $1`
const PAUSE = `update crawls set status = $2 where id = $1 and status in ${UNFINISHED_STATUSES_SQL} and closing is null`
const REOPEN = `update crawls set status = 'paused', finished_at = null where id = $1`
const ADD_TIME = `update crawls set active_ms = active_ms + greatest(0, least($2, now_ms($3) - active_until)),
    active_until = greatest(active_until, now_ms($3)) where uuid = $1`

/** URLs with this reason, if one is given. */
const REQUEUE = `update urls set state = ${QUEUED}, reason = null
  where crawl = $1 and state = $2 and case when $3::text is null then reason is distinct from '${BLOCKED_HOST}' else reason = $3 end returning host, rank, id`
/** Revisits have no due time while they are queued. */
const REQUEUE_REVISITS = `update revisits r set due_at = null, attempts = u.attempts from urls u
  where u.crawl = $1 and u.id = any($2::bigint[]) and r.crawl = u.crawl and r.host = u.host and r.url_id = u.id
    and r.due_at is not null`

export class PostgresCrawls implements Crawls {
  readonly #dependencies: CrawlsDependencies

  constructor(dependencies: CrawlsDependencies) {
    this.#dependencies = dependencies
  }

  async create(crawl: NewCrawl): Promise<Crawl> {
    const { db, hostIds, blocks, reader } = this.#dependencies
    const uuid = randomUUID()
    await db.withRetries(async () => {
      const hosts = await hostIds.findOrAdd(crawl.seeds.map(({ host }) => host))
      const urlIds = await blocks.reserve('url', crawl.seeds.length)
      await db.transaction((tx) => this.#insert(tx, uuid, crawl, { hostIds: hosts, urlIds }))
    })
    return reader.find(uuid)
  }

  find(idOrPrefix: string): Promise<Crawl> {
    return this.#dependencies.reader.find(idOrPrefix)
  }

  list(wanted?: CrawlListQuery): Promise<CrawlProgress[]> {
    return this.#dependencies.reader.list(wanted)
  }

  progress(crawlId: string): Promise<CrawlProgress> {
    return this.#dependencies.reader.progress(crawlId)
  }

  async urlsInFlight(crawlId: string): Promise<UrlInFlight[]> {
    const { db, crawls } = this.#dependencies
    const { rows } = await db.withRetries(async () => {
      const { id } = await crawls.get(crawlId)
      return db.pool.query({ text: IN_FLIGHT, values: [id] })
    })
    return rows.map((row) => ({
      urlId: Number(row['id']),
      threadId: String(row['thread']),
      leasedAt: Number(row['granted_at']),
      renewedAt: Number(row['renewed_at']),
    }))
  }

  reasons(crawlId: string): Promise<Record<string, number>> {
    return this.#dependencies.reader.reasons(crawlId)
  }

  async close(crawlId: string, reason: string): Promise<void> {
    await this.#change(crawlId, { text: CLOSE, value: reason })
    await closeCrawlNow(this.#dependencies, await this.#dependencies.crawls.get(crawlId), this.#dependencies.holder)
  }

  setPaused(crawlId: string, paused: boolean): Promise<void> {
    // Hosts released while the crawl was paused did not reschedule its queues.
    return this.#change(crawlId, { text: PAUSE, value: paused ? 'paused' : 'running', wakesQueues: !paused })
  }

  /** Requeues the URLs that the pattern excluded. A finished crawl then waits to be resumed. */
  releasePattern(crawlId: string, pattern: string): Promise<number> {
    return this.#whileIdle(crawlId, async (tx, crawl, now) => {
      if (!(await hasPattern(tx, crawl.id, pattern))) {
        throw new AppError(
          'PATTERN_NOT_FOUND',
          `This crawl has no pattern "${pattern}". List them with: orbweaver traps`,
        )
      }
      const released = { pattern, state: 'released' as const, visits: 0, fruitless: 0 }
      await recordPatterns(tx, { crawl: crawl.id, holder: CRAWL_OWNER }, [released], now)
      return this.#requeue(tx, crawl, { state: 'excluded', reason: TRAP_REASON + pattern, now })
    })
  }

  retry(crawlId: string, state: RetriableState): Promise<number> {
    return this.#whileIdle(crawlId, (tx, crawl, now) => this.#requeue(tx, crawl, { state, reason: null, now }))
  }

  async addActiveTime(crawlId: string, ms: number): Promise<void> {
    const { db, time } = this.#dependencies
    await db.withRetries(() => db.pool.query({ text: ADD_TIME, values: [crawlId, Math.round(ms), time.virtualNow] }))
  }

  async #insert(
    tx: Queryable,
    uuid: string,
    { seeds, settings, keySeed, requestedUrl }: NewCrawl,
    ids: { hostIds: ReadonlyMap<string, number>; urlIds: { next(): number } },
  ): Promise<void> {
    const now = await this.#dependencies.time.now(tx)
    const texts = [seeds[0]?.url ?? '', JSON.stringify(scopeSeeds(seeds)), JSON.stringify(settings)]
    const values = [uuid, ...texts, keySeed, now, requestedUrl ?? null]
    const [row] = (await tx.query({ text: CREATE, values })).rows
    // Created by an earlier attempt that did not learn of its success.
    if (row === undefined) return
    const crawl = { id: Number(row['id']), uuid, settings, version: 0, blockedHosts: new Set<number>() }
    if (isRecrawled(settings)) await tx.query({ text: 'insert into recrawls (crawl) values ($1)', values: [crawl.id] })
    const urlDiscoveries = new UrlDiscoveries(now)
    for (const seed of seeds) urlDiscoveries.add(seed, { parent: null, parentHost: 0, depth: 0, hops: 0 })
    const { policies } = this.#dependencies
    const discovery = { crawl, discoveries: urlDiscoveries, requeues: () => true, ...ids, now, policies }
    const found = await discover(tx, discovery, new Map(), new ShorterPaths())
    await queueHosts(tx, crawl.id, { hostsWithUrls: mergeQueuedHosts(found.hostsWithUrls), releasedHosts: [] }, now)
    await addToCounters(tx, { crawl: crawl.id, holder: this.#dependencies.holder }, found.changes)
    await endIfDone(tx, crawl, now)
    await notifyWork(tx, crawl.id)
  }

  async #change(
    crawlId: string,
    { text, value, wakesQueues = false }: { text: string; value: string; wakesQueues?: boolean },
  ): Promise<void> {
    const { db, crawls } = this.#dependencies
    const crawl = await db.withRetries(() => crawls.get(crawlId))
    await db.withRetries(() =>
      db.transaction(async (tx) => {
        const now = await this.#dependencies.time.now(tx)
        // Queues are locked before the crawl, as in a commit.
        if (wakesQueues) await wakeQueues(tx, crawl.id, now)
        await tx.query({ text, values: [crawl.id, toPostgresText(value)] })
        await endIfDone(tx, crawl, now)
        await notifyWork(tx, crawl.id)
      }),
    )
  }

  /** Runs with the crawl locked and nothing in flight. */
  async #whileIdle(
    crawlId: string,
    change: (tx: Queryable, crawl: CachedCrawl, now: number) => Promise<number>,
  ): Promise<number> {
    const { db, crawls, time } = this.#dependencies
    const crawl = await db.withRetries(() => crawls.get(crawlId))
    await db.withRetries(async () =>
      requeueExpired(db, { holder: this.#dependencies.holder, now: await time.now(db.pool) }),
    )
    return db.withRetries(() =>
      db.transaction(async (tx) => {
        const { inProgress, closing } = await lockCrawlState(tx, crawl.id)
        if (inProgress > 0) throw new AppError('CRAWL_RUNNING', 'The crawl has URLs in flight. Stop it first.')
        if (closing !== null) {
          throw new AppError('CRAWL_CLOSED', `The crawl was ended (${closing}), so its URLs cannot change.`)
        }
        return change(tx, crawl, await this.#dependencies.time.now(tx))
      }),
    )
  }

  async #requeue(
    tx: Queryable,
    crawl: CachedCrawl,
    { state, reason, now }: { state: RetriableState; reason: string | null; now: number },
  ): Promise<number> {
    const { rows } = await withoutTimeout(tx, { text: REQUEUE, values: [crawl.id, stateCode(state), reason] })
    if (rows.length === 0) return 0
    const hostsWithUrls = rows.map((row) => ({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now }))
    await queueHosts(tx, crawl.id, { hostsWithUrls: mergeQueuedHosts(hostsWithUrls), releasedHosts: [] }, now)
    const { rowCount } = await tx.query({ text: REQUEUE_REVISITS, values: [crawl.id, rows.map((row) => row['id'])] })
    const changes = { open: rows.length, [state]: -rows.length, open_revisits: rowCount ?? 0 }
    await addToCounters(tx, { crawl: crawl.id, holder: this.#dependencies.holder }, changes)
    await tx.query({ text: REOPEN, values: [crawl.id] })
    return rows.length
  }
}
