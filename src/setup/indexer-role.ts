// The indexer role of a process: the indexer thread, and the check that holds crawls if the index is too far behind.

import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Metric } from '../lib/metrics.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Workers } from '../ports/workers.ts'
import { lagMetrics } from '../search/indexer/metrics.ts'
import type { Holds } from '../worker/holds/holds.ts'
import { IndexLagHold } from '../worker/holds/index-lag-hold.ts'
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
  const indexLagHold = new IndexLagHold(config.maxIndexLag, {
    lag: () => indexer.lag(),
    holds,
    holdAll: (forMs) => workers.hold('index_lag', id, forMs),
    clock: systemClock,
    log,
  })
  await indexLagHold.start()
  log('indexer started', { waiting: indexLagHold.lastLag.waiting })
  return {
    metrics: () => lagMetrics(indexLagHold.lastLag),
    async stop() {
      await indexLagHold.stop()
      await thread.close()
    },
  }
}
