// Wakes workers that wait for URLs: workers of this process at once, others by a database notification. The
// listening connection also holds the presence lock (presence.ts). While it is lost, workers ask again at their
// timeout; when it is back, all of them ask, since notifications were missed.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from '../../lib/clock.ts'
import { holdPresenceLock } from './presence.ts'
import type { Queryable, Statement } from './query.ts'

const CHANNEL = 'orbweaver'
const NOTIFY = { name: 'notify', text: `select pg_notify('${CHANNEL}', $1::text)` }
const RECONNECT_MS = 1000
/** A dead connection does not close in an orderly way. */
const CLOSE_MS = 2000
/** Nothing else is queried on this connection, so a dead one would go unnoticed. */
const PROBE_EVERY_MS = 10_000
const PROBE_MS = 5_000

/** Inside a transaction: sent when it commits. Notifications serialize commits, so none is sent without need. */
export async function notifyWork(tx: Queryable, crawl: number): Promise<void> {
  await tx.query({ ...NOTIFY, values: [String(crawl)] })
}

export interface WorkNotifierConnections {
  connect(): Promise<pg.Client>
  /** Throws if the connection is dead. */
  probe(connection: Queryable): Promise<void>
}

export class WorkNotifier {
  readonly #connections: WorkNotifierConnections
  readonly #clock: Clock
  readonly #waiters = new Set<() => void>()
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  /** Counts the wake-ups. */
  #wakeCount = 0

  constructor(connections: WorkNotifierConnections, clock: Clock) {
    this.#connections = connections
    this.#clock = clock
  }

  /** `join` takes the presence lock on the new connection. */
  async listen(join: (connection: Queryable) => Promise<void> = holdPresenceLock): Promise<void> {
    const client = await this.#connections.connect()
    client.on('end', () => this.#lost(client))
    client.on('notification', () => this.wake())
    try {
      await join(client)
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    if (this.#isClosed) return client.end()
    this.#client = client
    this.#probeLater(client)
  }

  get wakeCount(): number {
    return this.#wakeCount
  }

  wake(): void {
    this.#wakeCount += 1
    for (const waiter of [...this.#waiters]) waiter()
  }

  /** Returns at once if there was a wake-up since `since`. */
  wait(timeoutMs: number, since: number): Promise<void> {
    if (since !== this.#wakeCount) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        cancel()
        this.#waiters.delete(finish)
        resolve()
      }
      const cancel = this.#clock.after(timeoutMs, finish)
      this.#waiters.add(finish)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const client = this.#client
    this.#client = null
    await Promise.race([client?.end(), sleep(CLOSE_MS, undefined, { ref: false })])
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    this.#listenAgain()
  }

  #listenAgain(): void {
    this.#later(RECONNECT_MS, () => {
      this.listen().then(
        () => this.wake(),
        () => this.#listenAgain(),
      )
    })
  }

  #probeLater(client: pg.Client): void {
    this.#later(PROBE_EVERY_MS, () => {
      const query = (statement: Statement) => {
        const timed: Statement = { ...statement, query_timeout: PROBE_MS }
        return client.query(timed)
      }
      this.#connections.probe({ query }).then(
        () => {
          if (this.#client === client) this.#probeLater(client)
        },
        () => client.connection.stream.destroy(),
      )
    })
  }

  /** The single timer: probes while connected, connects otherwise. */
  #later(ms: number, work: () => void): void {
    if (this.#isClosed) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(work, ms).unref()
  }
}
