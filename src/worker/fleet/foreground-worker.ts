// Registers a process that runs one crawl in the foreground as a worker of the fleet: it is listed with the others, the
// rate limit is shared with it, and changes made elsewhere (pause, new settings) reach it. It runs no other crawl.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Workers } from '../../ports/workers.ts'
import type { Holds } from '../holds/holds.ts'
import { Heartbeat, type HeartbeatSettings } from './heartbeat.ts'
import type { WorkerCrawl } from './worker-role.ts'

export interface ForegroundWorkerDependencies {
  workers: Pick<Workers, 'heartbeat' | 'leave'>
  holds: Pick<Holds, 'take'>
  clock: Clock
  log: Log
}

export interface ForegroundWorker {
  /** Rejects if the store can no longer be used. */
  failure: Promise<never>
  /** Called when the crawl has ended here. */
  leave(): Promise<void>
}

export interface ForegroundWork {
  crawlId: string
  run: Pick<WorkerCrawl, 'stop' | 'setProcessCount' | 'counts'>
  /** Called with the current settings on every heartbeat. */
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
      const counts = { requests, failures, bytes, inFlight, held, loopCounts }
      return { counts, crawls: [{ crawlId, inFlight, phases }] }
    },
    onReply(heartbeatReply) {
      const crawl = heartbeatReply.mayWork ? heartbeatReply.crawls.find(({ id }) => id === crawlId) : undefined
      if (crawl === undefined) return run.stop()
      run.setProcessCount(heartbeatReply.workers)
      applySettings(crawl)
    },
  })
  const failure = new Promise<never>((_resolve, reject) => {
    heartbeat.run().catch(reject)
  })
  // The caller may attach its handler later; this avoids an unhandled rejection until then.
  failure.catch(() => undefined)
  return { failure, leave: () => heartbeat.leave() }
}
