// The index filled, or made anew, by a command that ends when that is done.

import type { IndexSession } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import { openIndexer } from './search-index.ts'
import { openStore } from './store.ts'

/** Owns the store meanwhile: on a data directory nobody else may fill the index then. */
export async function openIndexSession(config: Config): Promise<IndexSession> {
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const store = await openStore(config, false)
  try {
    const { indexer, feed, stop, close } = await openIndexer(config, log)
    return {
      clear: () => feed.clear(),
      catchUp: () => indexer.catchUp(),
      stop,
      counts: () => indexer.counts,
      lag: () => feed.lag(),
      async close() {
        await close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
