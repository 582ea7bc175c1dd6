// Which store a command works on: the file in the data directory, or the database that --store names. Each is loaded
// only by those who use it; a crawl leaves the file to a thread.

import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Position } from '../ports/archive.ts'
import type { StoreReader } from '../ports/store.ts'
import { markDamagedInDirectory } from '../store/pages/sqlite-damage.ts'
import type { StoreCondition } from '../store/sqlite/error-translator.ts'
import { startReaderThread, startStoreThread } from '../store/sqlite/start-threads.ts'
import { restrictDataAccess } from './restrict-data-access.ts'

export async function openStore(config: Config, create: boolean): Promise<ServiceThread> {
  const store = await startStoreService(config, create)
  restrictDataAccess(config)
  return store
}

async function startStoreService(config: Config, create: boolean): Promise<ServiceThread> {
  if (config.store === null) {
    const { storeCacheBytes: cacheBytes } = divideMemory(config)
    return startStoreThread({ dir: config.data, create, leaseMs: config.lease, cacheBytes })
  }
  const { startDatabaseThread } = await import('../store/postgres/start-threads.ts')
  const log = { format: config.logFormat, level: config.logLevel }
  return startDatabaseThread({
    url: config.store,
    create,
    leaseMs: config.lease,
    connections: config.storeConnections,
    log,
  })
}

export async function openStoreReader(config: Config): Promise<StoreReader> {
  if (config.store === null) {
    const { openReader } = await import('../store/sqlite/store.ts')
    return openReader(config.data, divideMemory(config).storeCacheBytes)
  }
  const { openReader: openDatabaseReader } = await import('../store/postgres/reader.ts')
  return openDatabaseReader(config.store)
}

/** What was found to be damaged in the store by this thread; a database server looks after its own files. */
export async function readDamage(config: Config, thread: ServiceThread): Promise<string | null> {
  return config.store === null ? thread.client.service<StoreCondition>('condition').damage() : null
}

/** Notes that the record there is damaged, so that its payload is stored anew when it is next seen. */
export async function markDamaged(config: Config, place: Position): Promise<void> {
  if (config.store === null) return void markDamagedInDirectory(config.data, [place])
  const { markDamagedInDatabase: markInDatabase } = await import('../store/pages/postgres-damage.ts')
  await markInDatabase(config.store, [place])
}

/**
 * A thread that only looks, for reads that take long: services crawls, urls, manners, pages, workers and browse, of which
 * those methods can be called that answer once. The store must be open for work in this process before.
 */
export async function openReaderThread(config: Config): Promise<ServiceThread> {
  if (config.store === null) {
    return startReaderThread({ dir: config.data, cacheBytes: divideMemory(config).storeCacheBytes })
  }
  const { startReaderThread: startDatabaseReader } = await import('../store/postgres/start-threads.ts')
  return startDatabaseReader({ url: config.store })
}
