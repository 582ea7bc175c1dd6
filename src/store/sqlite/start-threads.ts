// Starts the store thread, and the one that only looks.

import { type ServiceThread, startServiceThread } from '../../lib/service-thread.ts'
import type { ReaderThreadSettings } from './reader-thread.ts'
import type { StoreThreadSettings } from './thread.ts'

export function startStoreThread(settings: StoreThreadSettings): Promise<ServiceThread> {
  return startServiceThread('store', new URL('./thread.ts', import.meta.url), settings)
}

/** The directory must be there, and open for work if anybody works in it. */
export function startReaderThread(settings: ReaderThreadSettings): Promise<ServiceThread> {
  return startServiceThread('reader', new URL('./reader-thread.ts', import.meta.url), settings)
}
