// The frontier on Postgres, shared by any number of processes. The work is in lease-urls.ts and commit-batch.ts; this file
// keeps the calls of a thread in order. All state is in the tables. A process caches ids that never change, settings and
// patterns with their versions, the numbers of its commits, and an estimate of URLs per host.

import type { CommitBatch, CommitResult, Frontier } from '../../../ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../ports/leases.ts'
import type { Database } from '../../postgres/database.ts'
import type { WorkNotifier } from '../../postgres/work-notifier.ts'
import type { CommitDependencies } from './apply-batch.ts'
import { commitBatch } from './commit-batch.ts'
import type { CrawlCache } from './crawl-state/crawl-cache.ts'
import { readCrawlState } from './crawl-state/crawl-state.ts'
import { applyShorterPaths } from './discovery/apply-shorter-paths.ts'
import { type LeaseDependencies, leaseUrls } from './lease-urls.ts'
import { requeueThread } from './requeue-leases.ts'

export interface FrontierDependencies extends CommitDependencies, LeaseDependencies {
  crawls: CrawlCache
  /** Separate connections that commits and leases cannot use up. */
  urgent: Database
  workNotifier: WorkNotifier
  /** Names a thread in the columns `worker` of the tables: `17/w2f9-0` is thread w2f9-0 of process 17. */
  holderOf: (threadId: string) => string
}

const RENEW = {
  name: 'frontier_renew',
  text: `with t as materialized (select now_ms($2) as now), active as (
      select token from leases, t where token = any($1::bigint[]) and expires_at > t.now and not is_fenced order by token for no key update of leases
    )
    update leases l set renewed_at = t.now, expires_at = t.now + $3::bigint from active, t where l.token = active.token returning l.token`,
}

/** Initial estimate of URLs per host in a grant. */
const INITIAL_URLS_PER_HOST = 8

export class PostgresFrontier implements Frontier {
  readonly #dependencies: FrontierDependencies
  /** The pending call of each thread in each crawl. Crawls on one thread are independent. */
  readonly #lastCalls = new Map<string, Promise<unknown>>()
  readonly #commitNumbers = new Map<string, number>()
  #urlsPerHost = INITIAL_URLS_PER_HOST

  constructor(dependencies: FrontierDependencies) {
    this.#dependencies = dependencies
  }

  lease(request: LeaseRequest): Promise<LeaseGrant> {
    const holder = this.#dependencies.holderOf(request.threadId)
    return this.#inOrder(`${request.crawlId} ${holder}`, () => this.#lease(request, holder))
  }

  commit(batch: CommitBatch): Promise<CommitResult> {
    const holder = this.#dependencies.holderOf(batch.threadId)
    return this.#inOrder(`${batch.crawlId} ${holder}`, () => this.#commit(batch, holder))
  }

  async renew(tokens: number[]): Promise<number[]> {
    if (tokens.length === 0) return []
    const { urgent, time, leaseMs } = this.#dependencies
    const { rows } = await urgent.withRetries(() =>
      urgent.pool.query({ ...RENEW, values: [tokens, time.virtualNow, leaseMs] }),
    )
    const active = new Set(rows.map((row) => Number(row['token'])))
    return tokens.filter((token) => !active.has(token))
  }

  async requeueThread(crawlId: string, threadId: string): Promise<void> {
    const { db, time, workNotifier } = this.#dependencies
    const holder = this.#dependencies.holderOf(threadId)
    const caller = `${crawlId} ${holder}`
    await this.#lastCalls.get(caller)?.catch(() => undefined)
    await this.#inOrder(caller, async () => {
      const { id } = await this.#crawl(crawlId)
      await db.withRetries(async () => requeueThread(db, id, { holder, now: await time.now(db.pool) }))
    })
    workNotifier.wake()
  }

  waitForWork(timeoutMs: number, wakeCount: number): Promise<void> {
    return this.#dependencies.workNotifier.wait(timeoutMs, wakeCount)
  }

  /** Runs after the earlier calls of the same caller. If one of them fails, so does this one. */
  async #inOrder<T>(caller: string, call: () => Promise<T>): Promise<T> {
    const before = this.#lastCalls.get(caller)
    const done = before === undefined ? call() : before.then(call)
    this.#lastCalls.set(caller, done)
    try {
      return await done
    } finally {
      if (this.#lastCalls.get(caller) === done) this.#lastCalls.delete(caller)
    }
  }

  async #lease(request: LeaseRequest, holder: string): Promise<LeaseGrant> {
    const crawl = await this.#crawl(request.crawlId)
    const hostsFor = (urls: number) => Math.ceil(urls / this.#urlsPerHost)
    const { wakeCount } = this.#dependencies.workNotifier
    const grant = await leaseUrls(this.#dependencies, { crawl, holder, request, hostsFor })
    const urls = grant.leases.reduce((sum, lease) => sum + lease.urls.length, 0)
    if (urls > 0) this.#urlsPerHost = Math.max(1, this.#urlsPerHost * 0.8 + (urls / grant.leases.length) * 0.2)
    return { ...grant, wakeCount }
  }

  async #commit(batch: CommitBatch, holder: string): Promise<CommitResult> {
    const { db, workNotifier, crawls } = this.#dependencies
    const crawl = await this.#crawl(batch.crawlId)
    const number = (this.#commitNumbers.get(holder) ?? 0) + 1
    this.#commitNumbers.set(holder, number)
    const { crawlState, ...result } = await commitBatch(this.#dependencies, { crawl, holder, number, batch })
    if (crawlState.version !== crawl.version) await db.withRetries(() => crawls.reload(crawl.uuid))
    if (!crawlState.hasShorterPaths) {
      workNotifier.wake()
      return result
    }
    await applyShorterPaths(this.#dependencies, crawl, holder)
    workNotifier.wake()
    const { status, closing } = await db.withRetries(() => readCrawlState(db.pool, crawl.id))
    return { ...result, status, closing: closing !== null }
  }

  #crawl(uuid: string) {
    const { db, crawls } = this.#dependencies
    return db.withRetries(() => crawls.get(uuid))
  }
}
