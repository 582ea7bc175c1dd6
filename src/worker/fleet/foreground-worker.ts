// A process that crawls one crawl in the foreground, as a worker of the fleet: others see it, requests a second are
// shared with it, and what is ordered elsewhere reaches it. It does nothing else for the fleet.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Workers } from '../../ports/workers.ts'
import type { Holds } from '../watch/holds.ts'
import { Heartbeat, type HeartbeatSettings } from './heartbeat.ts'
import type { WorkerCrawl } from './worker-role.ts'

export interface ForegroundWorkerDependencies {
  workers: Pick<Workers, 'heartbeat' | 'leave'>
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
}

export interface ForegroundWorker {
  /** Rejects when the store can no longer be used. */
  failure: Promise<never>
  /** The shift is over. */
  leave(): Promise<void>
}

export interface ForegroundWork {
  crawlId: string
  run: Pick<WorkerCrawl, 'stop' | 'setProcessCount' | 'counts'>
  /** Goes by the settings as they are now. */
  applySettings(crawl: Crawl): void
}

export function startForegroundWorker(
  { crawlId, run, applySettings }: ForegroundWork,
  settings: HeartbeatSettings,
  dependencies: ForegroundWorkerDependencies,
): ForegroundWorker {
  const heartbeat = new Heartbeat(settings, {
    ...dependencies,
    counts() {
      const { phases, requests, failures, bytes, inFlight, held, loopCounts } = run.counts()
      const counts = { requests, failures, bytes, inFlight, held, loopCounts: loopCounts }
      return { counts, crawls: [{ crawlId, inFlight, phases }] }
    },
    onReply(heartbeatReply) {
      const crawl = heartbeatReply.mayWork ? heartbeatReply.crawls.find(({ id }) => id === crawlId) : undefined
      if (crawl === undefined) return run.stop()
      run.setProcessCount(heartbeatReply.workers)
      applySettings(crawl)
    },
  })
  const trouble = new Promise<never>((_resolve, reject) => {
    heartbeat.run().catch(reject)
  })
  // Told to whoever waits for it, whenever that is.
  trouble.catch(() => undefined)
  return { failure: trouble, leave: () => heartbeat.leave() }
}
