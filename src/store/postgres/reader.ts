// A database open for looking: nothing is written, and what goes wrong is told at once.

import { systemClock } from '../../lib/clock.ts'
import type { StoreReader } from '../../ports/store.ts'
import { openBrowse } from './browse.ts'
import { openPool } from './connect.ts'
import { looking } from './connections.ts'
import { PostgresCrawlReader } from './crawl-reader.ts'
import { PostgresManners } from './manners.ts'
import { PostgresPages } from './pages.ts'
import { isAnyoneAtWork } from './presence.ts'
import { Time } from './time.ts'
import { PostgresUrls } from './urls.ts'
import { listKeepers, listWorkers } from './workers.ts'

const CONNECTIONS = 2

export async function openReader(url: string, connections = CONNECTIONS): Promise<StoreReader> {
  const pool = openPool(url, { max: connections, name: 'orbweaver reader', isWriting: false, statementMs: 0 })
  const db = await looking(pool, url)
  const time = new Time(systemClock, false)
  return {
    crawls: new PostgresCrawlReader(db, () => isAnyoneAtWork(db)),
    urls: new PostgresUrls(db),
    manners: new PostgresManners(db),
    pages: new PostgresPages(db),
    browse: openBrowse(db, systemClock.now),
    workers: { list: () => listWorkers(db, time), keepers: () => listKeepers(db, time) },
    damage: async () => null,
    close: () => pool.end(),
  }
}
