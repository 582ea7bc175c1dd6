// The thread that owns the store, and the only one that touches the file. Other threads reach it through message ports.

import { systemClock } from '../../lib/clock.ts'
import { serveOnThread } from '../../lib/service-thread.ts'
import { openDatabase } from './open.ts'
import { openRecoveringServices } from './recovering-services.ts'

export interface StoreThreadSettings {
  dir: string
  create: boolean
  leaseMs: number
  cacheBytes?: number
}

serveOnThread<StoreThreadSettings>((settings) => {
  const { dir, create, cacheBytes } = settings
  const file = openDatabase(dir, { create, readOnly: false, ...(cacheBytes === undefined ? {} : { cacheBytes }) })
  return {
    services: openRecoveringServices(file.db, { ...settings, clock: systemClock, random: Math.random }),
    close: file.close,
  }
})
