// Starts the archive, in its own thread or in this one.

import { type ServiceThread, serveHere, startServiceThread } from '../lib/service-thread.ts'
import type { ArchiveSettings } from './open-archive.ts'

export function startArchiveThread(settings: ArchiveSettings): Promise<ServiceThread> {
  return startServiceThread('archive', new URL('./archive-thread.ts', import.meta.url), settings)
}

/**
 * Opens the archive in this thread. For a command, whose main thread is idle while it crawls: a thread costs as much
 * CPU as a start of Node, and 15 MB. Not for a program that uses the library, which may block its thread.
 */
export async function openArchiveHere(settings: ArchiveSettings): Promise<ServiceThread> {
  const { openArchive } = await import('./open-archive.ts')
  return serveHere(await openArchive(settings))
}
