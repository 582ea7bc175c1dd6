// A database opened read-only. Errors are thrown at once, without retries.

import { systemClock } from '../../lib/clock.ts'
import type { StoreReader } from '../../ports/store.ts'
import { openBrowse } from '../browse/postgres.ts'
import { PostgresChanges } from '../changes/postgres.ts'
import { PostgresCrawlReader } from '../crawls/postgres-crawl-reader.ts'
import { PostgresDiagnostics } from '../diagnostics/postgres.ts'
import { PostgresPages } from '../pages/postgres.ts'
import { makePolicyReader } from '../policies/postgres.ts'
import { PostgresRobots } from '../robots/postgres.ts'
import { PostgresUrls } from '../urls/postgres.ts'
import { listArchiveNodes, listWorkers } from '../workers/postgres.ts'
import { openPool } from './connect.ts'
import { openReadOnly } from './connections.ts'
import { isStoreInUse } from './presence.ts'
import { StoreClock } from './store-clock.ts'

const CONNECTIONS = 2

export async function openReader(url: string, connections = CONNECTIONS): Promise<StoreReader> {
  const pool = openPool(url, { max: connections, name: 'orbweaver reader', isWriting: false, statementMs: 0 })
  const db = await openReadOnly(pool, url)
  const storeClock = new StoreClock(systemClock, false)
  return {
    crawls: new PostgresCrawlReader(db, () => isStoreInUse(db)),
    urls: new PostgresUrls(db),
    diagnostics: new PostgresDiagnostics(db),
    pages: new PostgresPages(db),
    browse: openBrowse(db, systemClock.now),
    changes: new PostgresChanges(db),
    workers: { list: () => listWorkers(db, storeClock), listArchiveNodes: () => listArchiveNodes(db, storeClock) },
    policies: makePolicyReader(db),
    robots: new PostgresRobots(db, storeClock),
    damage: async () => null,
    close: () => pool.end(),
  }
}
