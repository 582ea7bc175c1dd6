// The thread of a process that talks to the database. Other threads reach it through message ports. While the database
// is unavailable, calls wait, and the log says why.

import { systemClock } from '../../lib/clock.ts'
import { type LogLevel, type LogSettings, openLog } from '../../lib/log.ts'
import { serveOnThread } from '../../lib/service-thread.ts'
import { STATEMENT_MS } from './connect.ts'
import { openStore } from './store.ts'

export interface StoreThreadSettings {
  url: string
  leaseMs: number
  connections: number
  /** Create the tables in an empty database. */
  create: boolean
  log: LogSettings
}

serveOnThread<StoreThreadSettings>(async ({ url, leaseMs, connections, create, log: logSettings }) => {
  const log = openLog(process.stderr, systemClock.now, logSettings)
  const { close, access, ...services } = await openStore(url, {
    clock: systemClock,
    isClockVirtual: false,
    random: Math.random,
    leaseMs,
    connections,
    statementMs: STATEMENT_MS,
    create,
    onOutage(problem) {
      if (problem === null) log('store is back')
      else log.warn('store is away', { why: problem })
    },
    onServerChange({ server, clockAheadMs, mayLackCommits }) {
      log.warn('store is on another server', { server, clock_ahead_ms: clockAheadMs })
      if (mayLackCommits) log.error('commits may be lost: restart all processes', { server })
    },
  })
  return { services: { ...services, ...access, log: { setLevel: (level: LogLevel) => log.setLevel(level) } }, close }
})
