// Starts the store thread.

import { type ServiceThread, startServiceThread } from '../../lib/service-thread.ts'
import type { ThreadSettings } from './thread.ts'

export function startStoreThread(settings: ThreadSettings): Promise<ServiceThread> {
  return startServiceThread(new URL('./thread.ts', import.meta.url), settings)
}
