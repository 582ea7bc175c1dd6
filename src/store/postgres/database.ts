// Runs work on the database across outages: transient failures are retried for as long as the store is open. Nothing
// is done twice: a failed transaction had no effect, and if its result is unknown, the caller looks it up
// (commit-batch.ts).

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { Connection, Queryable } from './query.ts'
import { isReadOnly, isTransient, isUnavailable, storeError } from './store-errors.ts'

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 5000
const CLOSE_MS = 2000
/** The server caches the plan of a statement at its sixth execution on a connection. */
export const FIRST_REPLAN = 8

export interface DatabaseOptions {
  url: string
  random: () => number
  /** Called with a message when the store becomes unavailable, and with null when it is back. */
  onOutage: (problem: string | null) => void
}

export class Database {
  readonly pool: pg.Pool
  readonly #options: DatabaseOptions
  readonly #closing = new AbortController()
  readonly #transactions = new WeakMap<pg.PoolClient, number>()
  #isUnavailable = false

  constructor(pool: pg.Pool, options: DatabaseOptions) {
    this.pool = pool
    this.#options = options
  }

  /** Retries until it succeeds. `attempt` gets the number of earlier tries. */
  async withRetries<T>(attempt: (tries: number) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const result = await attempt(tries)
        this.#report(null)
        return result
      } catch (error) {
        if (!isTransient(error)) throw storeError(error, this.#options.url)
        this.#report(isUnavailable(error) ? error : null)
        await this.#wait(tries)
      }
    }
  }

  /** Runs the work in one transaction. */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const connection = await this.pool.connect()
    let isBroken = true
    try {
      const begun = connection.query({ text: this.#mustReplan(connection) ? 'discard plans; begin' : 'begin' })
      const result = await awaitBoth(begun, work(connection as Connection))
      await connection.query({ text: 'commit' })
      isBroken = false
      return result
    } catch (error) {
      // A server that became read-only is left for the promoted one.
      isBroken = (await isRollbackFailed(connection)) || isReadOnly(error)
      throw error
    } finally {
      connection.release(isBroken)
    }
  }

  /**
   * Whenever a connection has made twice as many transactions. A plan that was cached while a table was small may read
   * all of its rows, and the server keeps it until the table is next analyzed, which takes a minute or more.
   */
  #mustReplan(connection: pg.PoolClient): boolean {
    const count = (this.#transactions.get(connection) ?? 0) + 1
    this.#transactions.set(connection, count)
    return count >= FIRST_REPLAN && (count & (count - 1)) === 0
  }

  /** Does not wait long: a pending response may never come. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.race([this.pool.end(), sleep(CLOSE_MS, undefined, { ref: false })])
  }

  async #wait(tries: number): Promise<void> {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 16))
    const { signal } = this.#closing
    // Random, so that two transactions in a deadlock do not retry at the same time.
    await sleep(longest * (0.5 + this.#options.random() / 2), undefined, { signal }).catch(() => {
      throw new AppError('STORE_AWAY', 'The store was closed while Postgres could not be reached.')
    })
  }

  #report(error: unknown): void {
    if (error === null) {
      if (this.#isUnavailable) this.#options.onOutage(null)
      this.#isUnavailable = false
    } else if (!this.#isUnavailable) {
      this.#isUnavailable = true
      this.#options.onOutage(asAppError(storeError(error, this.#options.url)).message)
    }
  }
}

/** Merges several outage reports: reports while any of them is unavailable, and null when the last one is back. */
export function mergeOutageReports(report: (problem: string | null) => void): () => (problem: string | null) => void {
  const away = new Set<object>()
  return () => {
    const one = {}
    return (problem) => {
      const before = away.size
      if (problem === null) away.delete(one)
      else away.add(one)
      if ((before === 0) !== (away.size === 0)) report(problem)
    }
  }
}

/** Throws the first failure, but waits for both, so that nothing keeps running. */
async function awaitBoth<T>(begun: Promise<unknown>, work: Promise<T>): Promise<T> {
  const [first, second] = await Promise.allSettled([begun, work])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return second.value
}

async function isRollbackFailed(connection: Queryable): Promise<boolean> {
  try {
    await connection.query({ text: 'rollback' })
    return false
  } catch {
    return true
  }
}

/** Sends statements that do not depend on each other at once. The first failure, in their order, is reported. */
export async function runPipelined<T extends readonly Promise<unknown>[]>(
  ...statements: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(statements)
  for (const one of settled) if (one.status === 'rejected') throw one.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>
  }
}
