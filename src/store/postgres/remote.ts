// Starts the thread that talks to the database.

import { type ServiceThread, startServiceThread } from '../../lib/service-thread.ts'
import type { ThreadSettings } from './thread.ts'

export function startDatabaseThread(settings: ThreadSettings): Promise<ServiceThread> {
  return startServiceThread(new URL('./thread.ts', import.meta.url), settings)
}
