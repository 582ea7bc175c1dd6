// The entry point of the indexer thread. It follows commits: pages for the index and for monitors, and changes.

import type { MessagePort } from 'node:worker_threads'
import { ChangeFollower } from '../changes/follow/change-follower.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import { RpcClient } from '../lib/rpc.ts'
import { serveOnThread } from '../lib/service-thread.ts'
import { lowerPriority } from '../lib/threads.ts'
import type { ChangeFeed } from '../ports/changes.ts'
import type { IndexFeed } from '../ports/index-feed.ts'
import type { Revisits } from '../ports/revisits.ts'
import { makeMonitorExaminer } from './monitor-examiner.ts'
import { openIndexer } from './search-index.ts'

export interface IndexerService {
  lag(): ReturnType<IndexFeed['lag']>
}

export interface IndexerThreadSettings {
  config: Config
  /** Serves the store. */
  store: MessagePort
}

/**
 * A third of the CPU time of a crawl thread if both want a core. With 10 (PRIORITY_BELOW_NORMAL) it is a tenth: beside
 * other busy programs the index fell 50,000 pages behind, which holds the crawl (2026-11).
 */
const NICE = 5

serveOnThread<IndexerThreadSettings>(async ({ config, store }) => {
  lowerPriority(NICE)
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const storeClient = new RpcClient(store)
  const consumers = [makeMonitorExaminer(storeClient, log)]
  const revisits = storeClient.service<Revisits>('revisits')
  const { indexer, feed, reader, stop, close } = await openIndexer(config, { log, consumers, revisits })
  const changeFeed = storeClient.service<ChangeFeed>('changeFeed')
  const follower = new ChangeFollower({ feed: changeFeed, reading: reader, clock: systemClock, log })
  const running = Promise.all([indexer.run(), follower.run()])
  const service: IndexerService = { lag: () => feed.lag() }
  return {
    services: { indexer: service },
    async close() {
      follower.stop()
      stop()
      await running
      storeClient.close()
      await close()
    },
  }
})
