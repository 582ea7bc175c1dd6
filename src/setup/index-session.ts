// Opens the search index for the index command, which ends when the index is up to date.

import type { IndexSession } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import type { Revisits } from '../ports/revisits.ts'
import { makeMonitorExaminer } from './monitor-examiner.ts'
import { openIndexer } from './search-index.ts'
import { openStore } from './store.ts'

/** Locks the store: on a data directory, only one process may write the index. */
export async function openIndexSession(config: Config): Promise<IndexSession> {
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const store = await openStore(config, false)
  try {
    const consumers = [makeMonitorExaminer(store.client, log)]
    const revisits = store.client.service<Revisits>('revisits')
    const { indexer, feed, stop, close } = await openIndexer(config, { log, consumers, revisits })
    return {
      startRebuild: () => feed.startRebuild(),
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
