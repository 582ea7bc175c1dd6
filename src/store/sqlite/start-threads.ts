// Starts the store thread and the reader thread.

import { type ServiceThread, startServiceThread } from '../../lib/service-thread.ts'
import type { ReaderThreadSettings } from './reader-thread.ts'
import type { StoreThreadSettings } from './thread.ts'

export function startStoreThread(settings: StoreThreadSettings): Promise<ServiceThread> {
  return startServiceThread('store', new URL('./thread.ts', import.meta.url), settings)
}

/** The directory must exist. If a process works in it, it must be open already. */
export function startReaderThread(settings: ReaderThreadSettings): Promise<ServiceThread> {
  return startServiceThread('reader', new URL('./reader-thread.ts', import.meta.url), settings)
}
