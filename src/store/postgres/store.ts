// Puts the parts of the Postgres store together. Any number of processes may open the same database.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../ports/store.ts'
import { accessIn } from './access.ts'
import { Blocks } from './blocks.ts'
import { openBrowse } from './browse.ts'
import { clientSettings, openPool, storeError } from './connect.ts'
import { lasting } from './connections.ts'
import { PostgresContents } from './contents.ts'
import { PostgresCrawlReader } from './crawl-reader.ts'
import { CrawlRows } from './crawl-rows.ts'
import { PostgresCrawls } from './crawls.ts'
import { Database, oneVoice } from './database.ts'
import { PostgresFrontier } from './frontier.ts'
import { PostgresHistories } from './history.ts'
import { HostIds } from './hosts.ts'
import { PostgresManners } from './manners.ts'
import { migrate } from './migrate.ts'
import { PostgresPages } from './pages.ts'
import { PatternBoard } from './patterns.ts'
import { joinWork, leaveWork, type Presence } from './restart.ts'
import { PostgresRetention } from './retention.ts'
import { PostgresRobots } from './robots.ts'
import { Segments } from './segments.ts'
import { PostgresSteering } from './steering.ts'
import { Time } from './time.ts'
import { PostgresUrls } from './urls.ts'
import { Wake } from './wake.ts'
import { PostgresWorkers } from './workers.ts'

export interface StoreOptions {
  clock: Clock
  /** The clock counts in place of the database's: for tests that move it. */
  isClockVirtual: boolean
  random: () => number
  leaseMs: number
  /** Connections at a time for commits and leases; a few more are for what must not wait for those. */
  connections: number
  /** After which the server gives up a statement, and a little later we the server. */
  statementMs: number
  /** Make the tables in an empty database. */
  create: boolean
  /** Told when the store goes away, with a sentence, and with null when it is back. */
  onAway: (problem: string | null) => void
}

const NAME = 'orbweaver'
/** For beats, renewals and what lost workers held: short statements, for which a lease must not run out. */
const URGENT_CONNECTIONS = 2
const URGENT_MS = 6_000
const LEAVE_MS = 2_000

export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  const { clock, random, leaseMs, statementMs } = options
  const settings = { name: NAME, isWriting: true }
  const pool = openPool(url, { ...settings, statementMs, max: options.connections })
  const urgentMs = Math.min(statementMs, URGENT_MS)
  const urgentPool = openPool(url, { ...settings, statementMs: urgentMs, max: URGENT_CONNECTIONS })
  const wake = new Wake(clientSettings(url, { ...settings, statementMs: 0 }), clock)
  const voice = oneVoice(options.onAway)
  const db = new Database(pool, { url, random, onAway: voice() })
  const urgent = new Database(urgentPool, { url, random, onAway: voice() })
  const close = async () => {
    await Promise.all([wake.close(), db.close(), urgent.close()])
  }
  try {
    await prepare(db, options.create)
    const time = new Time(clock, options.isClockVirtual)
    const blocks = new Blocks(pool)
    // Worker ids are only unique within a process.
    const number = (await blocks.take('process', 1)).next()
    const nameOf = (workerId: string) => `${number}/${workerId}`
    const worker = nameOf('')
    const presence = { db, time, process: number, worker }
    await wake.listen((connection) => joinWork(connection, presence))
    const crawls = new CrawlRows(pool)
    const parts = { db, urgent, time, blocks, hostIds: new HostIds(pool, blocks), process: number }
    const patterns = new PatternBoard()
    const reading = lasting(db, url)
    return {
      frontier: new PostgresFrontier({
        ...{ ...parts, crawls, wake, nameOf, random, leaseMs, patterns },
        segments: new Segments(),
      }),
      crawls: new PostgresCrawls({
        ...{ ...parts, worker, rows: crawls },
        reader: new PostgresCrawlReader(reading, async () => true),
      }),
      workers: new PostgresWorkers({ ...parts, worker }),
      robots: new PostgresRobots(reading, time),
      contents: new PostgresContents(reading),
      pages: new PostgresPages(reading),
      retention: new PostgresRetention(parts),
      manners: new PostgresManners(reading),
      urls: new PostgresUrls(reading),
      browse: openBrowse(reading, clock.now.bind(clock)),
      steering: new PostgresSteering({
        ...{ ...parts, worker, rows: crawls, wake },
        reader: new PostgresCrawlReader(reading, async () => true),
      }),
      access: accessIn(parts),
      history: new PostgresHistories(reading),
      async close() {
        await leaveSoon(presence)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw storeError(error, url)
  }
}

/** If the store is away nobody can be told, and the leases lapse. */
function leaveSoon(presence: Presence): Promise<void> {
  const left = leaveWork(presence).catch(() => undefined)
  return Promise.race([left, sleep(LEAVE_MS, undefined, { ref: false })])
}

async function prepare({ pool }: Database, create: boolean): Promise<void> {
  const connection = await pool.connect()
  try {
    await migrate(connection, { create, isForMove: false })
  } finally {
    connection.release()
  }
}
