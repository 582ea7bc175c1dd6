// Assembles the Postgres store. Any number of processes may open the same database.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../ports/store.ts'
import { makeAccess } from '../access/postgres.ts'
import { makeAudits } from '../audits/postgres.ts'
import { openBrowse } from '../browse/postgres.ts'
import { PostgresChanges } from '../changes/postgres.ts'
import { PostgresChangeFeed } from '../changes/postgres-feed.ts'
import { makeCookies } from '../cookies/postgres.ts'
import { PostgresCrawls } from '../crawls/postgres.ts'
import { PostgresCrawlControl } from '../crawls/postgres-control.ts'
import { PostgresCrawlReader } from '../crawls/postgres-crawl-reader.ts'
import { PostgresDiagnostics } from '../diagnostics/postgres.ts'
import { CrawlCache } from '../frontier/postgres/crawl-state/crawl-cache.ts'
import { PatternUpdates } from '../frontier/postgres/discovery/patterns.ts'
import { PostgresFrontier } from '../frontier/postgres/frontier.ts'
import { HostIds } from '../frontier/postgres/hosts.ts'
import { PostgresRevisits } from '../frontier/postgres/recrawl/revisits.ts'
import { PostgresHistory } from '../history/postgres.ts'
import { makeMonitors, makeProtectedDocuments } from '../monitors/postgres.ts'
import { makeMonitorHits } from '../monitors/postgres-hits.ts'
import { PostgresPages } from '../pages/postgres.ts'
import { PostgresContents } from '../pages/postgres-contents.ts'
import { SegmentIds } from '../pages/postgres-segments.ts'
import { PolicyCache, PostgresPolicies } from '../policies/postgres.ts'
import { PostgresRetention } from '../retention/postgres.ts'
import { PostgresRobots } from '../robots/postgres.ts'
import { PostgresUrls } from '../urls/postgres.ts'
import { PostgresWorkers } from '../workers/postgres.ts'
import { connectClient, openPool } from './connect.ts'
import { wrapWithRetries } from './connections.ts'
import { Database, mergeOutageReports } from './database.ts'
import { IdBlocks } from './id-blocks.ts'
import { joinStore, leaveStore, type StoreMembership } from './join-store.ts'
import { migrate } from './migrate.ts'
import type { Queryable } from './query.ts'
import { type ServerChange, Servers } from './servers.ts'
import { StoreClock } from './store-clock.ts'
import { storeError } from './store-errors.ts'
import { WorkNotifier } from './work-notifier.ts'

export interface StoreOptions {
  clock: Clock
  /** The given clock replaces the clock of the database, for tests. */
  isClockVirtual: boolean
  random: () => number
  leaseMs: number
  /** Connections for commits and leases. A few more are reserved for urgent statements. */
  connections: number
  /** Statement timeout on the server; a little later the connection is dropped. */
  statementMs: number
  /** Create the tables in an empty database. */
  create: boolean
  /** Called with a message when the store becomes unavailable, and with null when it is back. */
  onOutage: (problem: string | null) => void
  onServerChange?: (change: ServerChange) => void
}

const NAME = 'orbweaver'
/**
 * Connections for heartbeats, renewals and the leases of lost workers: short statements that must not wait until a
 * lease expires.
 */
const URGENT_CONNECTIONS = 2
const URGENT_MS = 6_000
const LEAVE_MS = 2_000

export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  const { clock, random, leaseMs, statementMs } = options
  const settings = { name: NAME, isWriting: true }
  const servers = new Servers(url, options.onServerChange)
  const pool = openPool(servers, { ...settings, statementMs, max: options.connections })
  const urgentMs = Math.min(statementMs, URGENT_MS)
  const urgentPool = openPool(servers, { ...settings, statementMs: urgentMs, max: URGENT_CONNECTIONS })
  const connections = {
    connect: () => connectClient(servers, { ...settings, statementMs: 0 }),
    probe: (connection: Queryable) => servers.refreshState(connection),
  }
  const workNotifier = new WorkNotifier(connections, clock)
  const voice = mergeOutageReports(options.onOutage)
  const db = new Database(pool, { url, random, onOutage: voice() })
  const urgent = new Database(urgentPool, { url, random, onOutage: voice() })
  const close = async () => {
    await Promise.all([workNotifier.close(), db.close(), urgent.close()])
  }
  try {
    await prepare(db, options.create)
    const storeClock = new StoreClock(clock, options.isClockVirtual)
    const idBlocks = new IdBlocks(pool)
    // The ids of external crawlers are not unique: several API processes can serve the same crawler. With the
    // process number, the leases of a dead process can be requeued.
    const processNumber = (await idBlocks.reserve('process', 1)).next()
    const holderOf = (threadId: string) => `${processNumber}/${threadId}`
    const holder = holderOf('')
    const presence = { db, time: storeClock, processNumber, holder }
    await workNotifier.listen((connection) => joinStore(connection, presence))
    const crawls = new CrawlCache(pool)
    const policies = new PolicyCache(pool)
    const shared = {
      db,
      policies,
      urgent,
      time: storeClock,
      blocks: idBlocks,
      hostIds: new HostIds(pool, idBlocks),
      processNumber,
    }
    const patterns = new PatternUpdates()
    const reading = wrapWithRetries(db, url)
    return {
      frontier: new PostgresFrontier({
        ...shared,
        crawls,
        workNotifier,
        holderOf,
        random,
        leaseMs,
        patterns,
        segments: new SegmentIds(),
      }),
      crawls: new PostgresCrawls({
        ...shared,
        holder,
        crawls,
        reader: new PostgresCrawlReader(reading, async () => true),
      }),
      workers: new PostgresWorkers({ ...shared, holder }),
      robots: new PostgresRobots(reading, storeClock),
      cookies: makeCookies(db),
      contents: new PostgresContents(reading),
      pages: new PostgresPages(reading),
      retention: new PostgresRetention(shared),
      revisits: new PostgresRevisits({ ...shared, holder, workNotifier }),
      diagnostics: new PostgresDiagnostics(reading),
      urls: new PostgresUrls(reading),
      browse: openBrowse(reading, clock.now.bind(clock)),
      control: new PostgresCrawlControl({
        ...shared,
        holder,
        crawls,
        workNotifier,
        reader: new PostgresCrawlReader(reading, async () => true),
      }),
      access: makeAccess(shared),
      history: new PostgresHistory(reading),
      policies: new PostgresPolicies(shared),
      changes: new PostgresChanges(reading),
      changeFeed: new PostgresChangeFeed(shared),
      monitors: makeMonitors(db),
      protectedDocuments: makeProtectedDocuments(db),
      monitorHits: makeMonitorHits(db),
      audits: makeAudits(db),
      async close() {
        await leaveWithTimeout(presence)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw storeError(error, url)
  }
}

/** If the store is unavailable, the leases expire on their own. */
function leaveWithTimeout(storeMembership: StoreMembership): Promise<void> {
  const left = leaveStore(storeMembership).catch(() => undefined)
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
