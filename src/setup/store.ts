// Opens the store of a command: the SQLite file in the data directory, or the database named by --store. The database
// modules are imported on demand.

import { setTimeout as sleep } from 'node:timers/promises'
import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { RpcClient } from '../lib/rpc.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Position } from '../ports/archive.ts'
import type { Policies } from '../ports/policies.ts'
import type { StoreReader } from '../ports/store.ts'
import { markDamagedInDirectory } from '../store/pages/sqlite-damage.ts'
import type { StoreCondition } from '../store/sqlite/error-translator.ts'
import { connectStore, type StoreOwner } from '../store/sqlite/share-store.ts'
import { openStoreHere, startReaderThread, startStoreThread } from '../store/sqlite/start-threads.ts'
import { restrictDataAccess } from './restrict-data-access.ts'
import { setPoliciesFromFile } from './set-policies.ts'

/** `isHere`: if it is a file, this thread owns it. */
export async function openStore(config: Config, create: boolean, isHere = false): Promise<ServiceThread> {
  const store = await startStoreService(config, create, isHere)
  restrictDataAccess(config)
  return withPolicies(config, store)
}

async function withPolicies<T extends StoreConnection>({ policies }: Config, store: T): Promise<T> {
  if (policies === null) return store
  try {
    await setPoliciesFromFile(policies, store.client.service<Policies>('policies'))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

export interface StoreConnection {
  client: RpcClient
  close(): Promise<void>
}

/** A process that is opening or closing the store does not share it; neither takes long. */
const JOIN_WAIT_MS = 2_000
const JOIN_RETRY_MS = 100

/** Opens the store or, if another process has the data directory, uses the store of that process, the owner. */
export async function openOrJoinStore(
  config: Config,
  create: boolean,
): Promise<StoreConnection & { owner: StoreOwner | null }> {
  for (let waitedMs = 0; ; waitedMs += JOIN_RETRY_MS) {
    const shared = config.store === null ? await connectStore(config.data) : null
    if (shared !== null) return withPolicies(config, shared)
    try {
      return { ...(await openStore(config, create)), owner: null }
    } catch (error) {
      const isInUse = config.store === null && error instanceof AppError && error.code === 'DATA_IN_USE'
      if (!isInUse || waitedMs >= JOIN_WAIT_MS) throw error
    }
    await sleep(JOIN_RETRY_MS)
  }
}

async function startStoreService(config: Config, create: boolean, isHere: boolean): Promise<ServiceThread> {
  if (config.store === null) {
    const { storeCacheBytes: cacheBytes } = divideMemory(config)
    const settings = { dir: config.data, create, leaseMs: config.lease, cacheBytes }
    return isHere ? openStoreHere(settings) : startStoreThread(settings)
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
