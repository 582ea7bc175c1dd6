// The thread that owns the store: the only one that touches the file. Others reach it through ports they are given.

import { systemClock } from '../../lib/clock.ts'
import { serveOnThread } from '../../lib/service-thread.ts'
import { openStore } from './store.ts'

export interface ThreadSettings {
  dir: string
  create: boolean
  leaseMs: number
}

serveOnThread<ThreadSettings>((settings) => {
  const options = { ...settings, clock: systemClock, random: Math.random }
  const { close, access, ...services } = openStore(settings.dir, options)
  return { services: { ...services, ...access }, close }
})
