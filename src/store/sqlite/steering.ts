// Changing a crawl after it was made. What the store keeps of it in memory changes with the file.

import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Crawl, CrawlSettings } from '../../ports/crawls.ts'
import type { SettingChanges, Steering } from '../../ports/steering.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { BLOCKED_HOST, QUEUED, REMOVING, stateCode, TOO_DEEP } from '../rows/codes.ts'
import { changeSettings, hostName, isDeeper, refuseClosed, runningError } from '../rows/steering.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { DeepenSome } from './deepen.ts'
import type { Discover } from './discover.ts'
import type { ExcludeQueued } from './exclude-queued.ts'
import { closeIfFull, type SqliteFrontier } from './frontier.ts'
import type { Hosts } from './hosts.ts'
import type { Leases } from './leases.ts'
import type { Patterns } from './patterns.ts'
import type { RemoveSteps } from './remove-crawl.ts'
import type { Transactions } from './transaction.ts'

export interface SteeringParts {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  active: ActiveCrawls
  hosts: Hosts
  leases: Leases
  discover: Discover
  patterns: Patterns
  reader: CrawlReader
  exclude: ExcludeQueued
  deepenSome: DeepenSome
  removal: RemoveSteps
  frontier: Pick<SqliteFrontier, 'wake' | 'takeBackExpired'>
}

const EXCLUDED = stateCode('excluded')

export class SqliteSteering implements Steering {
  readonly #parts: SteeringParts
  readonly #saveSettings
  readonly #letInDeep
  readonly #block
  readonly #unblock
  readonly #release

  constructor(parts: SteeringParts) {
    const { db } = parts
    this.#parts = parts
    const requeue = `update urls set state = ${QUEUED}, reason = null, due_at = 0 where crawl = ? and state = ${EXCLUDED}`
    this.#saveSettings = db.prepare('update crawls set settings = ? where id = ?')
    this.#letInDeep = db.prepare(
      `${requeue} and reason = '${TOO_DEEP}' and depth <= coalesce(?, depth) returning host, rank`,
    )
    this.#block = db.prepare('insert into blocked_hosts (crawl, host) values (?, ?) on conflict do nothing')
    this.#unblock = db.prepare('delete from blocked_hosts where crawl = ? and host = ?')
    this.#release = db.prepare(`${requeue} and reason = '${BLOCKED_HOST}' and host = ? returning host, rank`)
  }

  async change(crawlId: string, changes: SettingChanges): Promise<Crawl> {
    const { active, clock, transactions, deepenSome, reader, frontier } = this.#parts
    const crawl = active.get(crawlId)
    const before = crawl.settings
    transactions.run(() => {
      const now = clock.now()
      crawl.settings = changeSettings(before, changes)
      this.#saveSettings.run(JSON.stringify(crawl.settings), crawl.rowId)
      if (isUnfinished(crawl)) this.#apply(crawl, before, now)
    })
    // Between two pieces the crawl may be loaded anew.
    for (let at = crawl; at.deepenedTo !== null; at = active.get(crawlId)) {
      deepenSome(at, clock.now())
      await turn()
    }
    frontier.wake()
    return reader.find(crawlId)
  }

  async remove(crawlId: string): Promise<void> {
    const { active, clock, leases, removal, frontier } = this.#parts
    const crawl = active.get(crawlId)
    if (crawl.closing === REMOVING) return
    frontier.takeBackExpired(clock.now())
    if (crawl.status === 'running' || leases.inFlight(crawl.rowId) > 0) throw runningError(crawlId)
    removal.mark(crawl, clock.now())
  }

  async removeSome(): Promise<boolean> {
    const { active, clock, patterns, removal } = this.#parts
    const uuid = removal.next()
    if (uuid === null) return false
    const crawl = active.get(uuid)
    if (removal.removeSome(crawl, clock.now())) return true
    removal.finish(crawl)
    patterns.forget(crawl)
    return true
  }

  async blockHost(crawlId: string, host: string): Promise<number> {
    const { active, clock, hosts, transactions, exclude, frontier } = this.#parts
    const crawl = active.get(crawlId)
    transactions.run(() => {
      const { id } = hosts.byName(hostName(host))
      this.#block.run(crawl.rowId, id)
      crawl.blocked.add(id)
    })
    let excluded = 0
    for (let some = -1; some !== 0; await turn()) {
      some = exclude.blocked(active.get(crawlId), clock.now())
      excluded += some
    }
    frontier.wake()
    return excluded
  }

  async releaseHost(crawlId: string, host: string): Promise<number> {
    const { active, clock, hosts, transactions, frontier } = this.#parts
    const crawl = active.get(crawlId)
    refuseClosed(crawl.closing)
    const queued = transactions.run(() => {
      const { id } = hosts.byName(hostName(host))
      this.#unblock.run(crawl.rowId, id)
      crawl.blocked.delete(id)
      const rows = this.#release.all(crawl.rowId, id)
      // Nothing is saved for nothing: a crawl that has ended keeps the time at which it did.
      if (rows.length === 0) return 0
      this.#queueAgain(crawl, rows, clock.now())
      if (!isUnfinished(crawl)) crawl.status = 'paused'
      active.save(crawl, clock.now())
      return rows.length
    })
    frontier.wake()
    return queued
  }

  #apply(crawl: ActiveCrawl, before: CrawlSettings, now: number): void {
    const { active } = this.#parts
    const { maxDepth, perHost } = crawl.settings
    if (isDeeper(before.maxDepth, maxDepth) && crawl.closing === null) {
      crawl.deepenedTo = 0
      this.#queueAgain(crawl, this.#letInDeep.all(crawl.rowId, maxDepth), now)
    }
    crawl.schedule.setPerHost(perHost, now)
    closeIfFull(crawl)
    active.save(crawl, now)
  }

  #queueAgain(crawl: ActiveCrawl, rows: Record<string, unknown>[], now: number): void {
    for (const { host, rank } of rows) {
      this.#parts.discover.reopen(crawl, { host: Number(host), rank: Number(rank), was: 'excluded' }, now)
    }
  }
}

function isUnfinished({ status }: ActiveCrawl): boolean {
  return status === 'running' || status === 'paused'
}
