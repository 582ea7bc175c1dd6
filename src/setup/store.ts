// Which store a command works on: the file in the data directory, or the database that --store names. The driver of the
// database is loaded only by those who use it.

import type { Config } from '../config/schema.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { StoreReader } from '../ports/store.ts'
import { startStoreThread } from '../store/sqlite/remote.ts'
import { openReader } from '../store/sqlite/store.ts'

export async function openStore(config: Config, create: boolean): Promise<ServiceThread> {
  if (config.store === null) return startStoreThread({ dir: config.data, create, leaseMs: config.lease })
  const { startDatabaseThread } = await import('../store/postgres/remote.ts')
  return startDatabaseThread({ url: config.store, create, leaseMs: config.lease })
}

export async function openStoreReader(config: Config): Promise<StoreReader> {
  if (config.store === null) return openReader(config.data)
  const { openReader: openDatabaseReader } = await import('../store/postgres/reader.ts')
  return openDatabaseReader(config.store)
}
