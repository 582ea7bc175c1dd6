// Puts the parts of the Postgres store together. Any number of processes may open the same database.

import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../ports/store.ts'
import { Blocks } from './blocks.ts'
import { clientSettings, openPool, storeError } from './connect.ts'
import { lasting } from './connections.ts'
import { PostgresContents } from './contents.ts'
import { PostgresCrawlReader } from './crawl-reader.ts'
import { CrawlRows } from './crawl-rows.ts'
import { PostgresCrawls } from './crawls.ts'
import { Database } from './database.ts'
import { PostgresFrontier } from './frontier.ts'
import { HostIds } from './hosts.ts'
import { PostgresManners } from './manners.ts'
import { migrate } from './migrate.ts'
import { PostgresPages } from './pages.ts'
import { PatternBoard } from './patterns.ts'
import { joinWork } from './restart.ts'
import { PostgresRetention } from './retention.ts'
import { PostgresRobots } from './robots.ts'
import { Segments } from './segments.ts'
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
  /** Connections at a time; one more listens. */
  connections: number
  /** Told when the store goes away, with a sentence, and with null when it is back. */
  onAway: (problem: string | null) => void
}

const NAME = 'orbweaver'

export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  const { clock, random, leaseMs, onAway } = options
  const settings = { name: NAME, isWriting: true }
  const pool = openPool(url, { ...settings, max: options.connections })
  const wake = new Wake({ ...clientSettings(url, settings), statement_timeout: 0 }, clock)
  const db = new Database(pool, { url, random, onAway })
  const close = async () => {
    await wake.close()
    await db.close()
  }
  try {
    await prepare(db)
    const time = new Time(clock, options.isClockVirtual)
    const blocks = new Blocks(pool)
    // Worker ids are only unique within a process.
    const number = (await blocks.take('process', 1)).next()
    const nameOf = (workerId: string) => `${number}/${workerId}`
    const worker = nameOf('')
    await wake.listen((connection) => joinWork(connection, { db, worker, given: time.given }))
    const crawls = new CrawlRows(pool)
    const parts = { db, time, blocks, hostIds: new HostIds(pool, blocks) }
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
      workers: new PostgresWorkers({ db, time, process: number, worker }),
      robots: new PostgresRobots(reading, time),
      contents: new PostgresContents(reading),
      pages: new PostgresPages(reading),
      retention: new PostgresRetention(parts),
      manners: new PostgresManners(reading),
      urls: new PostgresUrls(reading),
      close,
    }
  } catch (error) {
    await close()
    throw storeError(error, url)
  }
}

async function prepare({ pool }: Database): Promise<void> {
  const connection = await pool.connect()
  try {
    await migrate(connection)
  } finally {
    connection.release()
  }
}
