// Opens the store of a command: the SQLite file in the data directory, or the database named by --store. The database
// modules are imported on demand.

import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Position } from '../ports/archive.ts'
import type { Policies } from '../ports/policies.ts'
import type { StoreReader } from '../ports/store.ts'
import { markDamagedInDirectory } from '../store/pages/sqlite-damage.ts'
import type { StoreCondition } from '../store/sqlite/error-translator.ts'
import { startReaderThread, startStoreThread } from '../store/sqlite/start-threads.ts'
import { restrictDataAccess } from './restrict-data-access.ts'
import { setPoliciesFromFile } from './set-policies.ts'

export async function openStore(config: Config, create: boolean): Promise<ServiceThread> {
  const store = await startStoreService(config, create)
  restrictDataAccess(config)
  if (config.policies === null) return store
  try {
    await setPoliciesFromFile(config.policies, store.client.service<Policies>('policies'))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
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

/** Damage of the SQLite file found by this thread; null if none, and for a database server. */
export async function readDamage(config: Config, thread: ServiceThread): Promise<string | null> {
  return config.store === null ? thread.client.service<StoreCondition>('condition').damage() : null
}

/** Marks a record as damaged, so that its payload is archived again when it is next fetched. */
export async function markDamaged(config: Config, position: Position): Promise<void> {
  if (config.store === null) return void markDamagedInDirectory(config.data, [position])
  const { markDamagedInDatabase } = await import('../store/pages/postgres-damage.ts')
  await markDamagedInDatabase(config.store, [position])
}

/**
 * Starts a read-only thread for slow reads. It serves crawls, urls, diagnostics, pages, workers and browse; methods that
 * return streams cannot be called. The store must already be open in this process.
 */
export async function openReaderThread(config: Config): Promise<ServiceThread> {
  if (config.store === null) {
    return startReaderThread({ dir: config.data, cacheBytes: divideMemory(config).storeCacheBytes })
  }
  const { startReaderThread: startDatabaseReader } = await import('../store/postgres/start-threads.ts')
  return startDatabaseReader({ url: config.store })
}
