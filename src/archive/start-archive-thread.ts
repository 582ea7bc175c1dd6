// Starts the archive thread.

import { type ServiceThread, startServiceThread } from '../lib/service-thread.ts'
import type { ArchiveThreadSettings } from './archive-thread.ts'

export function startArchiveThread(settings: ArchiveThreadSettings): Promise<ServiceThread> {
  return startServiceThread('archive', new URL('./archive-thread.ts', import.meta.url), settings)
}
