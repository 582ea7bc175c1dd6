// The role indexer of a process: its thread, and the watch that holds the crawl when the index is too far behind.

import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Metric } from '../lib/metrics.ts'
import type { Workers } from '../ports/workers.ts'
import { lagMetrics } from '../search/indexer/metrics.ts'
import type { Holds } from '../worker/holds.ts'
import { IndexWatch } from '../worker/index-watch.ts'
import type { IndexerThread } from './indexer-thread.ts'
import { startIndexerThread } from './search.ts'

export interface Indexing {
  metrics(): Metric[]
  stop(): Promise<void>
}

export interface IndexingParts {
  holds: Holds
  workers: Pick<Workers, 'hold'>
  /** Of this process. */
  id: string
  log: Log
}

export async function startIndexing(config: Config, { holds, workers, id, log }: IndexingParts): Promise<Indexing> {
  const thread = await startIndexerThread(config)
  const indexer = thread.client.service<IndexerThread>('indexer')
  const watch = new IndexWatch(config.maxIndexLag, {
    lag: () => indexer.lag(),
    holds,
    holdAll: (forMs) => workers.hold('index_lag', id, forMs),
    clock: systemClock,
    log,
  })
  await watch.start()
  log('indexer at work', { waiting: watch.last.waiting })
  return {
    metrics: () => lagMetrics(watch.last),
    async stop() {
      await watch.stop()
      await thread.close()
    },
  }
}
