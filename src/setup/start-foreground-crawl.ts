// Runs a crawl in the foreground. On a database, other workers may work on it too, so the process joins the fleet.

import { hostname } from 'node:os'
import type { CrawlHandle } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { type Log, openLog } from '../lib/log.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { ChangeFeed } from '../ports/changes.ts'
import type { Crawl } from '../ports/crawls.ts'
import { isRecrawled } from '../ports/revisits.ts'
import { startForegroundWorker } from '../worker/fleet/foreground-worker.ts'
import { FreshnessLoop } from '../worker/fleet/freshness-loop.ts'
import type { HeartbeatSettings } from '../worker/fleet/heartbeat.ts'
import { type CrawlHooks, connectHooks } from '../worker/hooks/serve-hooks.ts'
import { ForegroundCrawl } from '../worker/threads/foreground-crawl.ts'
import type { CrawlRuntime } from './crawl-runtime.ts'
import { HEARTBEAT_INTERVAL_MS, storeRetryMs, toRoleCrawl } from './worker-process.ts'

export interface ForegroundCrawlDependencies {
  runtime: CrawlRuntime
  config: Config
  version: string
  /** Hooks of the program that runs the crawl. */
  hooks?: CrawlHooks | null
}

/** Examines changes in this thread: a crawl that a person watches has few. */
async function followChanges(config: Config, store: ServiceThread, log: Log): Promise<{ stop(): Promise<void> }> {
  const [{ ChangeFollower }, { openReadSession }] = await Promise.all([
    import('../changes/follow/change-follower.ts'),
    import('./read-session.ts'),
  ])
  const reader = await openReadSession(config)
  const feed = store.client.service<ChangeFeed>('changeFeed')
  const follower = new ChangeFollower({ feed, reading: reader, clock: systemClock, log })
  const running = follower.run()
  return {
    async stop() {
      follower.stop()
      await running
      await reader.close()
    },
  }
}

export async function startForegroundCrawl(
  crawl: Crawl,
  { runtime, config, version, hooks = null }: ForegroundCrawlDependencies,
): Promise<CrawlHandle> {
  const log = openLog(process.stderr, systemClock.now, { format: 'auto', level: 'warn' })
  await runtime.shareStore([], log)
  const logProblem = (url: string, hook: string, error: unknown) =>
    log.warn('a hook failed', { url, hook, error: error instanceof Error ? error.message : String(error) })
  const options = {
    connectHooks: hooks === null ? null : () => connectHooks(hooks, logProblem),
    isForeground: true,
  }
  // Started first, so that a crawl on a full disk sends no requests.
  await runtime.diskHold.start()
  runtime.memoryHold.start(null)
  runtime.uploadHold.setLog(log)
  const foregroundCrawl = await ForegroundCrawl.begin(crawl, (current) => runtime.startCrawl(current, options))
  const { failure } = runtime.diskHold
  const handle = { stop: () => foregroundCrawl.stop(), stats: () => foregroundCrawl.stats() }
  const freshness = new FreshnessLoop({ revisits: runtime.revisits, clock: systemClock, log })
  const runWithRevisits = async (problem: Promise<never>) => {
    freshness.start()
    const followed = isRecrawled(crawl.settings) ? await followChanges(config, runtime.store, log) : null
    try {
      return await foregroundCrawl.run(problem)
    } finally {
      freshness.stop()
      await followed?.stop()
    }
  }
  if (config.store === null) return { ...handle, run: () => runWithRevisits(failure) }
  const identity = { id: runtime.id, name: `${hostname()}:${process.pid}`, version }
  const settings: HeartbeatSettings = { ...identity, beatMs: HEARTBEAT_INTERVAL_MS, patienceMs: storeRetryMs(config) }
  const dependencies = { workers: runtime.workers, holds: runtime.holds, clock: systemClock, log }
  const foregroundWorker = startForegroundWorker(
    {
      crawlId: crawl.id,
      run: toRoleCrawl(foregroundCrawl, failure),
      applySettings: (current) => foregroundCrawl.applySettings(current),
    },
    settings,
    dependencies,
  )
  return {
    ...handle,
    async run() {
      try {
        return await runWithRevisits(Promise.race([failure, foregroundWorker.failure]))
      } finally {
        await foregroundWorker.leave()
      }
    },
  }
}
