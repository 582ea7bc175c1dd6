// Changes a crawl after it was created, in memory and in the file.

import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { SettingChanges } from '../../config/crawl-settings.ts'
import type { Clock } from '../../lib/clock.ts'
import { isActive, isUnfinished } from '../../lib/states.ts'
import type { AddedUrls, CrawlControl, UrlPriority } from '../../ports/control.ts'
import type { Crawl, CrawlSettings } from '../../ports/crawls.ts'
import { HOST_MAX_PAGES } from '../../ports/policies.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import type { CrawlReader } from '../../ports/store.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import { BLOCKED_HOST, QUEUED, REMOVING, stateCode, TOO_DEEP } from '../encoding/state-codes.ts'
import type { ActiveCrawl, ActiveCrawls } from '../frontier/sqlite/crawl-state/active-crawls.ts'
import type { QueueExclusions } from '../frontier/sqlite/crawl-state/exclude-queued.ts'
import type { AdmitDeferredBatch } from '../frontier/sqlite/discovery/admit-deferred.ts'
import type { UrlDiscoverer } from '../frontier/sqlite/discovery/discover.ts'
import type { Patterns } from '../frontier/sqlite/discovery/patterns.ts'
import type { RenderPatterns } from '../frontier/sqlite/discovery/render-patterns.ts'
import { closeAtPageLimit, type SqliteFrontier } from '../frontier/sqlite/frontier.ts'
import type { Hosts } from '../frontier/sqlite/hosts.ts'
import type { Leases } from '../frontier/sqlite/leases.ts'
import type { RestoreRevisitsBatch } from '../frontier/sqlite/recrawl/restore-revisits.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import {
  applySettingChanges,
  assertNotClosed,
  canStartWatching,
  changesBudget,
  crawlRunningError,
  normaliseHostName,
  raisesDepthLimit,
  startsRecrawl,
} from './control-rules.ts'
import type { AddUrls } from './sqlite-add-urls.ts'
import type { CrawlRemoval } from './sqlite-remove-crawl.ts'

export interface ControlDependencies {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  active: ActiveCrawls
  hosts: Hosts
  leases: Leases
  urlDiscoverer: UrlDiscoverer
  patterns: Patterns
  renderPatterns: Pick<RenderPatterns, 'unload'>
  reader: CrawlReader
  exclusions: QueueExclusions
  admitDeferredBatch: AdmitDeferredBatch
  restoreRevisitsBatch: RestoreRevisitsBatch
  removal: CrawlRemoval
  addUrls: AddUrls
  frontier: Pick<SqliteFrontier, 'wake' | 'requeueExpired'>
}

const EXCLUDED = stateCode('excluded')

export class SqliteCrawlControl implements CrawlControl {
  readonly #dependencies: ControlDependencies
  readonly #saveSettings
  readonly #restartRecrawl
  readonly #resetBudget
  readonly #requeueTooDeep
  readonly #block
  readonly #unblock
  readonly #release

  constructor(dependencies: ControlDependencies) {
    const { db } = dependencies
    this.#dependencies = dependencies
    const requeue = `update urls set state = ${QUEUED}, reason = null, due_at = 0 where crawl = ? and state = ${EXCLUDED}`
    this.#saveSettings = db.prepare('update crawls set settings = ? where id = ?')
    this.#restartRecrawl = db.prepare(
      'insert into recrawls (crawl, planned_to) values (?, 0) on conflict (crawl) do update set planned_to = 0',
    )
    this.#resetBudget = db.prepare(
      'update recrawls set threshold = null, tokens = null, updated_at = null, round_ms = null where crawl = ?',
    )
    this.#requeueTooDeep = db.prepare(
      `${requeue} and reason = '${TOO_DEEP}' and depth <= coalesce(?, depth) returning host, rank`,
    )
    this.#block = db.prepare('insert into blocked_hosts (crawl, host) values (?, ?) on conflict do nothing')
    this.#unblock = db.prepare('delete from blocked_hosts where crawl = ? and host = ?')
    this.#release = db.prepare(
      `${requeue} and reason in ('${BLOCKED_HOST}', '${HOST_MAX_PAGES}') and host = ? returning host, rank`,
    )
  }

  async changeSettings(crawlId: string, changes: SettingChanges): Promise<Crawl> {
    const { active, clock, transactions, admitDeferredBatch, reader, frontier } = this.#dependencies
    const crawl = active.get(crawlId)
    const before = crawl.settings
    transactions.run(() => {
      const now = clock.now()
      crawl.settings = applySettingChanges(before, changes)
      this.#saveSettings.run(JSON.stringify(crawl.settings), crawl.rowId)
      const change = { before, after: crawl.settings, changes }
      if (startsRecrawl(crawl, change)) this.#planRevisits(crawl)
      if (changesBudget(before, crawl.settings)) this.#resetBudget.run(crawl.rowId)
      if (isUnfinished(crawl.status)) this.#apply(crawl, before, now)
    })
    // The crawl may be reloaded between two batches.
    for (let at = crawl; at.deferredCursor !== null; at = active.get(crawlId)) {
      admitDeferredBatch(at, clock.now())
      await turn()
    }
    if (isRecrawled(before) && !isRecrawled(crawl.settings)) {
      while (this.#dependencies.restoreRevisitsBatch(active.get(crawlId), clock.now()) > 0) await turn()
    }
    frontier.wake()
    return reader.find(crawlId)
  }

  async addUrls(crawlId: string, urls: FoundUrl[], priority: UrlPriority | null): Promise<AddedUrls> {
    const added = this.#dependencies.addUrls(crawlId, urls, priority)
    this.#dependencies.frontier.wake()
    return added
  }

  async remove(crawlId: string): Promise<void> {
    const { active, clock, leases, removal, frontier } = this.#dependencies
    const crawl = active.get(crawlId)
    if (crawl.closing === REMOVING) return
    frontier.requeueExpired(clock.now())
    if (isActive(crawl.status) || leases.countInFlight(crawl.rowId) > 0) throw crawlRunningError(crawlId)
    removal.mark(crawl, clock.now())
  }

  async removeNextBatch(): Promise<boolean> {
    const { active, clock, patterns, renderPatterns, removal } = this.#dependencies
    const uuid = removal.nextMarked()
    if (uuid === null) return false
    const crawl = active.get(uuid)
    if (removal.removeBatch(crawl, clock.now())) return true
    removal.finish(crawl)
    patterns.unload(crawl)
    renderPatterns.unload(crawl)
    return true
  }

  async blockHost(crawlId: string, host: string): Promise<number> {
    const { active, clock, hosts, transactions, exclusions, frontier } = this.#dependencies
    const crawl = active.get(crawlId)
    transactions.run(() => {
      const { id } = hosts.byName(normaliseHostName(host))
      this.#block.run(crawl.rowId, id)
      crawl.blockedHosts.add(id)
    })
    let excluded = 0
    for (let batch = -1; batch !== 0; await turn()) {
      batch = exclusions.excludeBlocked(active.get(crawlId), clock.now())
      excluded += batch
    }
    frontier.wake()
    return excluded
  }

  async unblockHost(crawlId: string, host: string): Promise<number> {
    const { active, clock, hosts, transactions, frontier } = this.#dependencies
    const crawl = active.get(crawlId)
    assertNotClosed(crawl.closing)
    const queued = transactions.run(() => {
      const { id } = hosts.byName(normaliseHostName(host))
      this.#unblock.run(crawl.rowId, id)
      crawl.blockedHosts.delete(id)
      const rows = this.#release.all(crawl.rowId, id)
      // If nothing changed, nothing is saved: a finished crawl keeps its end time.
      if (rows.length === 0) return 0
      this.#requeue(crawl, rows, clock.now())
      if (!isUnfinished(crawl.status)) crawl.status = 'paused'
      active.save(crawl, clock.now())
      return rows.length
    })
    frontier.wake()
    return queued
  }

  /** The visits of known URLs are planned in batches (recrawl/revisits.ts). A finished crawl becomes `watching`. */
  #planRevisits(crawl: ActiveCrawl): void {
    this.#restartRecrawl.run(crawl.rowId)
    if (!canStartWatching(crawl)) return
    crawl.closing = null
    crawl.status = 'running'
  }

  #apply(crawl: ActiveCrawl, before: CrawlSettings, now: number): void {
    const { active } = this.#dependencies
    const { maxDepth, perHost } = crawl.settings
    if (raisesDepthLimit(before.maxDepth, maxDepth) && crawl.closing === null) {
      crawl.deferredCursor = 0
      this.#requeue(crawl, this.#requeueTooDeep.all(crawl.rowId, maxDepth), now)
    }
    crawl.schedule.setPerHost(perHost, now)
    closeAtPageLimit(crawl)
    active.save(crawl, now)
  }

  #requeue(crawl: ActiveCrawl, rows: Record<string, unknown>[], now: number): void {
    for (const { host, rank } of rows) {
      this.#dependencies.urlDiscoverer.reopen(crawl, { host: Number(host), rank: Number(rank), was: 'excluded' }, now)
    }
  }
}
