// The crew of a crawl in the foreground. On a database others may be at work too, so it joins them.

import { hostname } from 'node:os'
import type { CrawlHandle } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import type { Crawl } from '../ports/crawls.ts'
import { startForegroundWorker } from '../worker/fleet/foreground-worker.ts'
import type { HeartbeatSettings } from '../worker/fleet/heartbeat.ts'
import { ForegroundCrawl } from '../worker/threads/foreground-crawl.ts'
import type { CrawlRuntime } from './crawl-runtime.ts'
import { HEARTBEAT_INTERVAL_MS, storeRetryMs, toRoleCrawl } from './worker-process.ts'

export interface ForegroundCrawlDependencies {
  runtime: CrawlRuntime
  config: Config
  version: string
}

export async function startForegroundCrawl(
  crawl: Crawl,
  { runtime, config, version }: ForegroundCrawlDependencies,
): Promise<CrawlHandle> {
  // First of all, so that a crawl without room asks for nothing.
  await runtime.diskWatch.start()
  runtime.memoryWatch.start(null)
  const shift = await ForegroundCrawl.begin(crawl, (asItIs) => runtime.startCrawl(asItIs))
  const { failure } = runtime.diskWatch
  const seen = { stop: () => shift.stop(), stats: () => shift.stats() }
  if (config.store === null) return { ...seen, run: () => shift.run(failure) }
  const about = { id: runtime.id, name: `${hostname()}:${process.pid}`, version }
  const settings: HeartbeatSettings = { ...about, beatMs: HEARTBEAT_INTERVAL_MS, patienceMs: storeRetryMs(config) }
  const log = openLog(process.stderr, systemClock.now, { format: 'auto', level: 'warn' })
  const parts = { workers: runtime.workers, holds: runtime.holds, clock: systemClock, log }
  const foregroundWorker = startForegroundWorker(
    { crawlId: crawl.id, run: toRoleCrawl(shift, failure), applySettings: (asItIs) => shift.applySettings(asItIs) },
    settings,
    parts,
  )
  return {
    ...seen,
    async run() {
      try {
        return await shift.run(Promise.race([failure, foregroundWorker.failure]))
      } finally {
        await foregroundWorker.leave()
      }
    },
  }
}
