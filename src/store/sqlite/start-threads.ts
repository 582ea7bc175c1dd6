// Starts the store, in its own thread or in this one, and the reader thread.

import { type ServiceThread, serveHere, startServiceThread } from '../../lib/service-thread.ts'
import type { StoreThreadSettings } from './open-services.ts'
import type { ReaderThreadSettings } from './reader-thread.ts'

export function startStoreThread(settings: StoreThreadSettings): Promise<ServiceThread> {
  return startServiceThread('store', new URL('./thread.ts', import.meta.url), settings)
}

/**
 * Opens the store in this thread. For a command, whose main thread is idle while it crawls: a thread costs memory,
 * and as much CPU as a start of Node. Not for a server or a program that uses the library, whose main thread has
 * other work.
 */
export async function openStoreHere(settings: StoreThreadSettings): Promise<ServiceThread> {
  const { openStoreServices } = await import('./open-services.ts')
  return serveHere(openStoreServices(settings))
}

/** The directory must exist. If a process works in it, it must be open already. */
export function startReaderThread(settings: ReaderThreadSettings): Promise<ServiceThread> {
  return startServiceThread('reader', new URL('./reader-thread.ts', import.meta.url), settings)
}
