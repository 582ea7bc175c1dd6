// A process that crawls one crawl in the foreground, as a worker of the fleet: others see it, requests a second are
// shared with it, and what is ordered elsewhere reaches it. It does nothing else for the fleet.

import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Workers } from '../ports/workers.ts'
import { Heartbeat, type HeartbeatSettings } from './heartbeat.ts'
import type { Holds } from './holds.ts'
import type { RoleShift } from './role.ts'

export interface AttendanceParts {
  workers: Pick<Workers, 'beat' | 'leave'>
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
}

export interface Attendance {
  /** Rejects when the store can no longer be used. */
  trouble: Promise<never>
  /** The shift is over. */
  leave(): Promise<void>
}

export interface AttendedWork {
  crawlId: string
  shift: Pick<RoleShift, 'stop' | 'shareWith' | 'counts'>
  /** Goes by the settings as they are now. */
  heed(crawl: Crawl): void
}

export function attend(
  { crawlId, shift, heed }: AttendedWork,
  settings: HeartbeatSettings,
  parts: AttendanceParts,
): Attendance {
  const heartbeat = new Heartbeat(settings, {
    ...parts,
    counts() {
      const { phases, requests, failures, bytes, inFlight, held, tallies } = shift.counts()
      const counts = { requests, failures, bytes, inFlight, held, tallies }
      return { counts, crawls: [{ crawlId, inFlight, phases }] }
    },
    obey(orders) {
      const crawl = orders.mayWork ? orders.crawls.find(({ id }) => id === crawlId) : undefined
      if (crawl === undefined) return shift.stop()
      shift.shareWith(orders.workers)
      heed(crawl)
    },
  })
  const trouble = new Promise<never>((_resolve, reject) => {
    heartbeat.run().catch(reject)
  })
  // Told to whoever waits for it, whenever that is.
  trouble.catch(() => undefined)
  return { trouble, leave: () => heartbeat.leave() }
}
