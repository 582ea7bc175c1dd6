// Opens the store for the thread that owns it, which is the only one that touches the file. Other threads reach it
// through message ports.

import { systemClock } from '../../lib/clock.ts'
import type { ThreadServices } from '../../lib/service-thread.ts'
import { openDatabase } from './open.ts'
import { openRecoveringServices } from './recovering-services.ts'

export interface StoreThreadSettings {
  dir: string
  create: boolean
  leaseMs: number
  cacheBytes?: number
}

export function openStoreServices(settings: StoreThreadSettings): ThreadServices {
  const { dir, create, cacheBytes } = settings
  const file = openDatabase(dir, { create, readOnly: false, ...(cacheBytes === undefined ? {} : { cacheBytes }) })
  return {
    services: openRecoveringServices(file.db, { ...settings, clock: systemClock, random: Math.random }),
    close: file.close,
  }
}
