// The indexer role of a process: the indexer thread, and the watch that holds crawls if the index is too far behind.

import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Metric } from '../lib/metrics.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Workers } from '../ports/workers.ts'
import { lagMetrics } from '../search/indexer/metrics.ts'
import type { Holds } from '../worker/watch/holds.ts'
import { IndexWatch } from '../worker/watch/index-watch.ts'
import type { IndexerService } from './indexer-thread.ts'
import { startIndexerThread } from './search-index.ts'

export interface IndexerRole {
  metrics(): Metric[]
  stop(): Promise<void>
}

export interface IndexerRoleDependencies {
  store: Pick<ServiceThread, 'connect'>
  holds: Holds
  workers: Pick<Workers, 'hold'>
  /** The id of this process. */
  id: string
  log: Log
}

export async function startIndexerRole(
  config: Config,
  { store, holds, workers, id, log }: IndexerRoleDependencies,
): Promise<IndexerRole> {
  const thread = await startIndexerThread(config, store)
  const indexer = thread.client.service<IndexerService>('indexer')
  const watch = new IndexWatch(config.maxIndexLag, {
    lag: () => indexer.lag(),
    holds,
    holdAll: (forMs) => workers.hold('index_lag', id, forMs),
    clock: systemClock,
    log,
  })
  await watch.start()
  log('indexer started', { waiting: watch.lastLag.waiting })
  return {
    metrics: () => lagMetrics(watch.lastLag),
    async stop() {
      await watch.stop()
      await thread.close()
    },
  }
}
