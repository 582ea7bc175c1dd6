// Opens the embedded store. `openStore` owns the directory; `openReader` only reads it.

import { systemClock } from '../../lib/clock.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import { openBrowse } from '../browse/sqlite.ts'
import { SqliteChanges } from '../changes/sqlite.ts'
import { SqliteCrawlReader } from '../crawls/sqlite.ts'
import { SqliteDiagnostics } from '../diagnostics/sqlite.ts'
import { SqlitePages } from '../pages/sqlite.ts'
import { makePolicyReader } from '../policies/sqlite.ts'
import { makeRobotsReader } from '../robots/sqlite.ts'
import { SqliteUrls } from '../urls/sqlite.ts'
import { listWorkers } from '../workers/sqlite.ts'
import { buildStore, type StoreOptions } from './build-store.ts'
import { isDirectoryLocked } from './directory-lock.ts'
import { ErrorTranslator } from './error-translator.ts'
import { openDatabase, openForReading, storeError } from './open.ts'
import { Transactions } from './transactions.ts'

export function openStore(dir: string, options: StoreOptions): Store {
  const { db, close } = openDatabase(dir, { create: options.create, readOnly: false })
  const transactions = new Transactions(db, (error) => storeError(error, dir))
  const browse = openBrowse(db, options.clock.now.bind(options.clock))
  return { ...buildStore(db, transactions, options), browse, close: async () => close() }
}

/** `cacheBytes` is the page cache. */
export function openReader(dir: string, cacheBytes?: number): StoreReader {
  const { db, close } = openForReading(dir, cacheBytes)
  const errorTranslator = new ErrorTranslator(dir)
  const read = <T extends object>(open: () => T): T => errorTranslator.wrapService(errorTranslator.run(open))
  return {
    crawls: read(() => new SqliteCrawlReader(db, null, () => isDirectoryLocked(dir))),
    urls: read(() => new SqliteUrls(db)),
    diagnostics: read(() => new SqliteDiagnostics(db)),
    pages: read(() => new SqlitePages(db)),
    workers: read(() => ({ list: async () => listWorkers(db), listArchiveNodes: async () => [] })),
    browse: read(() => openBrowse(db, systemClock.now)),
    policies: read(() => makePolicyReader(db)),
    robots: read(() => makeRobotsReader(db)),
    changes: read(() => new SqliteChanges(db)),
    damage: () => errorTranslator.damage(),
    close: async () => close(),
  }
}
