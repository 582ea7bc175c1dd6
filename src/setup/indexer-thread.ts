// The entry point of the indexer thread.

import { constants, setPriority } from 'node:os'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import { serveOnThread } from '../lib/service-thread.ts'
import type { IndexFeed } from '../ports/search.ts'
import { openIndexer } from './search-index.ts'

export interface IndexerService {
  lag(): ReturnType<IndexFeed['lag']>
}

serveOnThread<Config>(async (config) => {
  // On Linux this affects only the calling thread.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const { indexer, feed, stop, close } = await openIndexer(config, log)
  const running = indexer.run()
  const service: IndexerService = { lag: () => feed.lag() }
  return {
    services: { indexer: service },
    async close() {
      stop()
      await running
      await close()
    },
  }
})
