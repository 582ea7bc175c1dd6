// The frontier on Postgres, shared by any number of processes. Everything is in the tables; a process remembers only ids
// that never change.

import type { CommitBatch, CommitResult, Frontier, LeaseGrant, LeaseRequest } from '../../ports/frontier.ts'
import { type CommitParts, commitBatch } from './commit.ts'
import type { CrawlRows } from './crawl-rows.ts'
import type { Database } from './database.ts'
import { passOn } from './detours.ts'
import { type LeaseParts, leaseUrls } from './lease.ts'
import { standingOf } from './standing.ts'
import { takeBackWorker } from './take-back.ts'
import type { Wake } from './wake.ts'

export interface FrontierParts extends CommitParts, LeaseParts {
  crawls: CrawlRows
  /** Connections that no commit or lease can take. */
  urgent: Database
  wake: Wake
  /** Names workers apart from those of other processes. */
  nameOf: (workerId: string) => string
}

const RENEW = {
  name: 'frontier_renew',
  text: `with t as materialized (select now_ms($2) as now), held as (
      select token from leases, t where token = any($1::bigint[]) and expires_at > t.now and not is_fenced order by token for no key update of leases
    )
    update leases l set renewed_at = t.now, expires_at = t.now + $3::bigint from held, t where l.token = held.token returning l.token`,
}

/** Urls per host in recent grants, to begin with. */
const FIRST_YIELD = 8

export class PostgresFrontier implements Frontier {
  readonly #parts: FrontierParts
  /** The last call of each worker in each crawl, while it is under way: crawls on one thread know nothing of each other. */
  readonly #last = new Map<string, Promise<unknown>>()
  readonly #numbers = new Map<string, number>()
  #yield = FIRST_YIELD

  constructor(parts: FrontierParts) {
    this.#parts = parts
  }

  lease(request: LeaseRequest): Promise<LeaseGrant> {
    const worker = this.#parts.nameOf(request.workerId)
    return this.#inOrder(`${request.crawlId} ${worker}`, () => this.#lease(request, worker))
  }

  commit(batch: CommitBatch): Promise<CommitResult> {
    const worker = this.#parts.nameOf(batch.workerId)
    return this.#inOrder(`${batch.crawlId} ${worker}`, () => this.#commit(batch, worker))
  }

  async renew(tokens: number[]): Promise<number[]> {
    if (tokens.length === 0) return []
    const { urgent, time, leaseMs } = this.#parts
    const { rows } = await urgent.persist(() => urgent.pool.query({ ...RENEW, values: [tokens, time.given, leaseMs] }))
    const held = new Set(rows.map((row) => Number(row['token'])))
    return tokens.filter((token) => !held.has(token))
  }

  async takeBack(crawlId: string, workerId: string): Promise<void> {
    const { db, time, wake } = this.#parts
    const worker = this.#parts.nameOf(workerId)
    const caller = `${crawlId} ${worker}`
    await this.#last.get(caller)?.catch(() => undefined)
    await this.#inOrder(caller, async () => {
      const { id } = await this.#crawl(crawlId)
      await db.persist(async () => takeBackWorker(db, id, { worker, now: await time.now(db.pool) }))
    })
    wake.wake()
  }

  waitForWork(timeoutMs: number, heard: number): Promise<void> {
    return this.#parts.wake.wait(timeoutMs, heard)
  }

  /** After the calls that were made before by the same caller; when one of those fails, so does this one. */
  async #inOrder<T>(caller: string, call: () => Promise<T>): Promise<T> {
    const before = this.#last.get(caller)
    const done = before === undefined ? call() : before.then(call)
    this.#last.set(caller, done)
    try {
      return await done
    } finally {
      if (this.#last.get(caller) === done) this.#last.delete(caller)
    }
  }

  async #lease(request: LeaseRequest, worker: string): Promise<LeaseGrant> {
    const crawl = await this.#crawl(request.crawlId)
    const hostsFor = (urls: number) => Math.ceil(urls / this.#yield)
    const { heard } = this.#parts.wake
    const grant = await leaseUrls(this.#parts, { crawl, worker, request, hostsFor })
    const urls = grant.leases.reduce((sum, lease) => sum + lease.urls.length, 0)
    if (urls > 0) this.#yield = Math.max(1, this.#yield * 0.8 + (urls / grant.leases.length) * 0.2)
    return { ...grant, heard }
  }

  async #commit(batch: CommitBatch, worker: string): Promise<CommitResult> {
    const { db, wake, crawls } = this.#parts
    const crawl = await this.#crawl(batch.crawlId)
    const number = (this.#numbers.get(worker) ?? 0) + 1
    this.#numbers.set(worker, number)
    const { standing, ...result } = await commitBatch(this.#parts, { crawl, worker, number, batch })
    if (standing.version !== crawl.version) await db.persist(() => crawls.reload(crawl.uuid))
    if (!standing.hasDetours) {
      wake.wake()
      return result
    }
    await passOn(this.#parts, crawl, worker)
    wake.wake()
    const { status, closing } = await db.persist(() => standingOf(db.pool, crawl.id))
    return { ...result, status, closing: closing !== null }
  }

  #crawl(uuid: string) {
    const { db, crawls } = this.#parts
    return db.persist(() => crawls.get(uuid))
  }
}
