// Changes a crawl after it was created. Other processes notice by the version of the crawl when they next read its
// state.

import { parseCrawlSettings, type SettingChanges } from '../../config/crawl-settings.ts'
import { type CrawlStatus, isUnfinished, UNFINISHED_STATUSES_SQL } from '../../lib/states.ts'
import type { AddedUrls, CrawlControl, UrlPriority } from '../../ports/control.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { HOST_MAX_PAGES } from '../../ports/policies.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import type { CrawlReader } from '../../ports/store.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import { BLOCKED_HOST, QUEUED, stateCode, TOO_DEEP } from '../encoding/state-codes.ts'
import { addToCounters } from '../frontier/postgres/crawl-state/counters.ts'
import type { CachedCrawl, CrawlCache } from '../frontier/postgres/crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState } from '../frontier/postgres/crawl-state/crawl-state.ts'
import { excludeBlocked } from '../frontier/postgres/crawl-state/exclude-blocked.ts'
import { lockSettings } from '../frontier/postgres/crawl-state/settings-lock.ts'
import { applyShorterPaths, type ShorterPathDependencies } from '../frontier/postgres/discovery/apply-shorter-paths.ts'
import { mergeQueuedHosts, queueHosts, wakeQueues } from '../frontier/postgres/queues.ts'
import { restoreRevisits } from '../frontier/postgres/recrawl/restore-revisits.ts'
import { type Queryable, type Row, withoutTimeout } from '../postgres/query.ts'
import { overtakenError } from '../postgres/store-errors.ts'
import { notifyWork, type WorkNotifier } from '../postgres/work-notifier.ts'
import {
  applySettingChanges,
  assertNotClosed,
  canStartWatching,
  changesBudget,
  normaliseHostName,
  raisesDepthLimit,
  startsRecrawl,
} from './control-rules.ts'
import { crawlNotFoundError } from './crawl-row.ts'
import { addUrls } from './postgres-add-urls.ts'
import { markForRemoval, removeNextBatch } from './postgres-remove-crawl.ts'

export interface ControlDependencies extends ShorterPathDependencies {
  reader: CrawlReader
  crawls: CrawlCache
  workNotifier: WorkNotifier
  /** The holder whose counter row URLs are counted in: this process, without a thread (`17/`). */
  holder: string
}

const EXCLUDED = stateCode('excluded')

const READ = { name: 'control_read', text: 'select status, closing, settings from crawls where id = $1' }
const SAVE = {
  name: 'control_save',
  text: 'update crawls set settings = $2, version = version + 1 where id = $1 returning version, status, closing',
}

const REQUEUE = `update urls set state = ${QUEUED}, reason = null, due_at = 0 where crawl = $1 and state = ${EXCLUDED}`
const REQUEUE_TOO_DEEP = {
  text: `${REQUEUE} and reason = '${TOO_DEEP}' and depth <= coalesce($2::int, depth) returning host, rank`,
}
const RELEASE = {
  text: `${REQUEUE} and reason in ('${BLOCKED_HOST}', '${HOST_MAX_PAGES}') and host = $2 returning host, rank`,
}

/** All deferred URLs are considered again; those still beyond the limit stay deferred. */
const QUEUE_DEFERRED = {
  text: `insert into detours (crawl, host, url_id)
    select crawl, host, url_id from beyond where crawl = $1 order by host, url_id
    on conflict (crawl, host, url_id) do update set targets = null`,
}

const RESTART_RECRAWL = {
  text: `insert into recrawls (crawl, planned_to) values ($1, 0)
    on conflict (crawl) do update set planned_to = 0`,
}
const RESET_BUDGET = {
  text: 'update recrawls set threshold = null, tokens = null, updated_at = null, round_ms = null where crawl = $1',
}
const SET_WATCHING = {
  text: `update crawls set status = 'watching', closing = null, reason = null, finished_at = null where id = $1`,
}

const BLOCK = `insert into blocked_hosts (crawl, host) values ($1, $2) on conflict do nothing`
const UNBLOCK = 'delete from blocked_hosts where crawl = $1 and host = $2'
const COUNT_CHANGE = 'update crawls set version = version + 1 where id = $1'
const REOPEN = `update crawls set status = 'paused', finished_at = null
  where id = $1 and status not in ${UNFINISHED_STATUSES_SQL}`

export class PostgresCrawlControl implements CrawlControl {
  readonly #dependencies: ControlDependencies

  constructor(dependencies: ControlDependencies) {
    this.#dependencies = dependencies
  }

  async changeSettings(crawlId: string, changes: SettingChanges): Promise<Crawl> {
    const { db, reader, holder, workNotifier } = this.#dependencies
    const crawl = await this.#find(crawlId)
    await db.withRetries(() => db.transaction((tx) => this.#change(tx, crawl, changes)))
    if (!isRecrawled((await this.#find(crawlId)).settings)) await this.#restoreRevisits(crawl)
    await applyShorterPaths(this.#dependencies, await this.#find(crawlId), holder)
    workNotifier.wake()
    return reader.find(crawlId)
  }

  async addUrls(crawlId: string, urls: FoundUrl[], priority: UrlPriority | null): Promise<AddedUrls> {
    const { holder, workNotifier } = this.#dependencies
    const crawl = await this.#find(crawlId)
    const added = await addUrls(this.#dependencies, { crawl, holder, urls, priority })
    await applyShorterPaths(this.#dependencies, crawl, holder)
    workNotifier.wake()
    return added
  }

  async remove(crawlId: string): Promise<void> {
    await markForRemoval(this.#dependencies, await this.#find(crawlId))
  }

  removeNextBatch(): Promise<boolean> {
    return removeNextBatch(this.#dependencies)
  }

  async blockHost(crawlId: string, host: string): Promise<number> {
    const { db, holder, workNotifier } = this.#dependencies
    const crawl = await this.#find(crawlId)
    const hostId = await this.#hostId(host)
    await db.withRetries(() =>
      db.transaction(async (tx) => {
        await tx.query({ text: BLOCK, values: [crawl.id, hostId] })
        await tx.query({ text: COUNT_CHANGE, values: [crawl.id] })
        await notifyWork(tx, crawl.id)
      }),
    )
    const changed = await this.#find(crawlId)
    let excluded = 0
    for (let batch = -1; batch !== 0; ) {
      batch = await excludeBlocked(this.#dependencies, changed, holder)
      excluded += batch
    }
    workNotifier.wake()
    return excluded
  }

  async unblockHost(crawlId: string, host: string): Promise<number> {
    const { db, time, workNotifier } = this.#dependencies
    const crawl = await this.#find(crawlId)
    const hostId = await this.#hostId(host)
    const queued = await db.withRetries(() =>
      db.transaction(async (tx) => {
        // Waits for commits that see the host as blocked. Later ones see it unblocked.
        await lockSettings(tx, crawl.id)
        assertNotClosed((await readCrawlState(tx, crawl.id)).closing)
        await tx.query({ text: UNBLOCK, values: [crawl.id, hostId] })
        const { rows } = await withoutTimeout(tx, { ...RELEASE, values: [crawl.id, hostId] })
        await this.#requeue(tx, crawl, rows)
        await tx.query({ text: COUNT_CHANGE, values: [crawl.id] })
        if (rows.length > 0) await tx.query({ text: REOPEN, values: [crawl.id] })
        await notifyWork(tx, crawl.id)
        // A watching crawl runs again.
        await endIfDone(tx, crawl, await time.now(tx))
        return rows.length
      }),
    )
    workNotifier.wake()
    return queued
  }

  async #restoreRevisits({ id, uuid }: CachedCrawl): Promise<void> {
    const { db, time, holder, crawls } = this.#dependencies
    for (let restored = 1; restored > 0; ) {
      restored = await db.withRetries(() =>
        db.transaction(async (tx) => {
          const urls = await restoreRevisits(tx, id, holder)
          if (urls > 0) await endIfDone(tx, await crawls.reload(uuid), await time.now(tx))
          return urls
        }),
      )
    }
  }

  /** Locks rows in the order of commits, except for the lock on the settings, which must come before the read. */
  async #change(tx: Queryable, { id, uuid }: CachedCrawl, changes: SettingChanges): Promise<void> {
    const { time } = this.#dependencies
    await lockSettings(tx, id)
    const [row] = (await tx.query({ ...READ, values: [id] })).rows
    if (row === undefined) throw crawlNotFoundError(uuid)
    const before = parseCrawlSettings(String(row['settings']))
    const settings = applySettingChanges(before, changes)
    const isOpen = isOpenCrawl(row)
    if (isOpen && raisesDepthLimit(before.maxDepth, settings.maxDepth)) {
      const { rows } = await withoutTimeout(tx, { ...REQUEUE_TOO_DEEP, values: [id, settings.maxDepth] })
      await withoutTimeout(tx, { ...QUEUE_DEFERRED, values: [id] })
      await this.#requeue(tx, { id }, rows)
    }
    const now = await time.now(tx)
    if (settings.perHost > before.perHost) await wakeQueues(tx, id, now)
    const [saved] = (await tx.query({ ...SAVE, values: [id, JSON.stringify(settings)] })).rows
    if (saved === undefined) throw crawlNotFoundError(uuid)
    // Either its last URL finished in the meantime, or it was cancelled. It takes no more URLs, so this change must
    // not happen.
    if (isOpenCrawl(saved) !== isOpen) throw overtakenError()
    const crawl = { status: saved['status'] as CrawlStatus, closing: saved['closing'] as string | null }
    if (startsRecrawl(crawl, { before, after: settings, changes })) await this.#planRevisits(tx, id, crawl)
    if (changesBudget(before, settings)) await tx.query({ ...RESET_BUDGET, values: [id] })
    await endIfDone(tx, { id, uuid, settings, version: Number(saved['version']) }, now)
    await notifyWork(tx, id)
  }

  /** The visits of known URLs are planned in batches (recrawl/revisits.ts). A finished crawl becomes `watching`. */
  async #planRevisits(tx: Queryable, id: number, crawl: Parameters<typeof canStartWatching>[0]): Promise<void> {
    await tx.query({ ...RESTART_RECRAWL, values: [id] })
    if (canStartWatching(crawl)) await tx.query({ ...SET_WATCHING, values: [id] })
  }

  async #requeue(tx: Queryable, { id }: Pick<CachedCrawl, 'id'>, rows: Row[]): Promise<void> {
    if (rows.length === 0) return
    const { time, holder } = this.#dependencies
    const now = await time.now(tx)
    const hostsWithUrls = rows.map((row) => ({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now }))
    await queueHosts(tx, id, { hostsWithUrls: mergeQueuedHosts(hostsWithUrls), releasedHosts: [] }, now)
    await addToCounters(tx, { crawl: id, holder }, { open: rows.length, excluded: -rows.length })
  }

  #find(crawlId: string): Promise<CachedCrawl> {
    const { db, crawls } = this.#dependencies
    return db.withRetries(() => crawls.reload(crawlId))
  }

  async #hostId(host: string): Promise<number> {
    const { db, hostIds } = this.#dependencies
    const name = normaliseHostName(host)
    const ids = await db.withRetries(() => hostIds.findOrAdd([name]))
    return Number(ids.get(name))
  }
}

function isOpenCrawl({ status, closing }: Row): boolean {
  return isUnfinished(status as CrawlStatus) && closing === null
}
