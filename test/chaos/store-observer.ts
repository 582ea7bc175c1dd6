// Queries the database directly, past all proxies, for the current holders of URLs: how long it takes until a broken
// worker is seen as lost, and until others have reclaimed its URLs.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { waitUntil } from '../testing/wait-until.ts'

const POLL_MS = 100

export interface HeldUrl {
  crawl: number
  id: string
  host: number
  token: string
  url: string
}

const HELD_SQL = `select u.crawl, u.id::text as id, u.host, u.lease::text as token, u.url from workers w
  join leases l on starts_with(l.worker, w.process || '/' || w.id || '-')
  join urls u on u.crawl = l.crawl and u.host = l.host and u.lease = l.token and u.state = 3
  where w.id = any($1::text[])`
const EXPIRING_SQL = `select u.url from leases l join urls u on u.crawl = l.crawl and u.host = l.host and u.lease = l.token and u.state = 3
  where l.expires_at <= now_ms(null) + $1`
/** Requeued and not yet leased again, or not even requeued. */
const STILL_HELD_SQL = `select h.token || ' ' || h.id as name from unnest($1::int[], $2::bigint[], $3::int[], $4::bigint[]) as h (crawl, id, host, token)
  join urls u on u.crawl = h.crawl and u.id = h.id and u.host = h.host where u.state = 2 or (u.state = 3 and u.lease = h.token)`

export class StoreObserver {
  readonly #pool: pg.Pool

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: 5000 })
    this.#pool.on('error', () => undefined)
  }

  async listHeldUrls(workerIds: string[]): Promise<HeldUrl[]> {
    const rows = workerIds.length === 0 ? [] : await this.#query(HELD_SQL, [workerIds])
    return rows.map((row) => ({
      crawl: Number(row['crawl']),
      id: String(row['id']),
      host: Number(row['host']),
      token: String(row['token']),
      url: String(row['url']),
    }))
  }

  /** URLs whose lease expires within this time unless it is renewed. */
  async listUrlsExpiringWithin(ms: number): Promise<string[]> {
    return (await this.#query(EXPIRING_SQL, [ms])).map((row) => String(row['url']))
  }

  /** Resolves when the worker has this state. */
  async waitForWorkerState(workerId: string, state: 'lost' | 'working', signal: AbortSignal): Promise<void> {
    const isReached = async () => {
      const [row] = await this.#query('select state from workers where id = $1', [workerId])
      return row?.['state'] === state
    }
    await waitUntil(isReached, { pollMs: POLL_MS, signal })
  }

  /** Resolves when each of these URLs has been claimed under another lease; some may be queued again by then. */
  async waitUntilReclaimed(held: HeldUrl[], signal: AbortSignal): Promise<void> {
    let left = held
    const isReached = async () => {
      const column = (name: keyof HeldUrl) => left.map((url) => url[name])
      const rows = await this.#query(STILL_HELD_SQL, [column('crawl'), column('id'), column('host'), column('token')])
      const still = new Set(rows.map((row) => row['name']))
      left = left.filter(({ token, id }) => still.has(`${token} ${id}`))
      return left.length === 0
    }
    await waitUntil(isReached, { pollMs: POLL_MS, signal })
  }

  async countLateReports(): Promise<number> {
    const [row] = await this.#query('select coalesce(sum(late_reports), 0)::int as late from counters', [])
    return Number(row?.['late'])
  }

  async areCrawlsFinished(): Promise<boolean> {
    return (await this.#query(`select 1 from crawls where status = 'running'`, [])).length === 0
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** Retries while Postgres is down. */
  async #query(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    for (;;) {
      try {
        return (await this.#pool.query(text, values)).rows
      } catch (error) {
        const isOurs = error instanceof pg.DatabaseError && !/^(57P|53300)/.test(error.code ?? '')
        if (isOurs) throw error
        await sleep(POLL_MS)
      }
    }
  }
}
