// Which store a command works on: the file in the data directory, or the database that --store names. Each is loaded
// only by those who use it; a crawl leaves the file to a thread.

import { divideMemory } from '../config/memory.ts'
import type { Config } from '../config/schema.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Position } from '../ports/archive.ts'
import type { StoreReader } from '../ports/store.ts'
import { markDamagedIn } from '../store/sqlite/damage.ts'
import type { Condition } from '../store/sqlite/explain.ts'
import { startReaderThread, startStoreThread } from '../store/sqlite/remote.ts'
import { tightenData } from './tighten.ts'

export async function openStore(config: Config, create: boolean): Promise<ServiceThread> {
  const store = await startStore(config, create)
  tightenData(config)
  return store
}

async function startStore(config: Config, create: boolean): Promise<ServiceThread> {
  if (config.store === null) {
    const { storeCacheBytes: cacheBytes } = divideMemory(config)
    return startStoreThread({ dir: config.data, create, leaseMs: config.lease, cacheBytes })
  }
  const { startDatabaseThread } = await import('../store/postgres/remote.ts')
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
export async function damageOf(config: Config, thread: ServiceThread): Promise<string | null> {
  return config.store === null ? thread.client.service<Condition>('condition').damage() : null
}

/** Notes that the record there is damaged, so that its payload is stored anew when it is next seen. */
export async function markDamaged(config: Config, place: Position): Promise<void> {
  if (config.store === null) return void markDamagedIn(config.data, [place])
  const { markDamagedIn: markInDatabase } = await import('../store/postgres/damage.ts')
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
  const { startReaderThread: startDatabaseReader } = await import('../store/postgres/remote.ts')
  return startDatabaseReader({ url: config.store })
}
