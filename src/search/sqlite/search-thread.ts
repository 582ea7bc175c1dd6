// The thread that serves searches on its own connection, so that neither the crawl nor the indexer waits for it.

import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { serveOnThread } from '../../lib/service-thread.ts'
import { openForReading } from './open.ts'
import { SqliteIndex } from './read/sqlite-index.ts'

export interface SearchThreadSettings {
  dir: string
  cacheBytes: number
}

/** The progress of the indexer. */
export interface IndexPosition {
  position(): Promise<number>
}

serveOnThread<SearchThreadSettings>(({ dir, cacheBytes }) => {
  const db = openForReading(dir, cacheBytes)
  if (db === null) throw new AppError('INDEX_OFF', `There is no search index in ${dir}. Run: orbweaver index run`)
  const index = new SqliteIndex(db, () => systemClock.now())
  const select = db.prepare('select page_id from progress')
  const progress: IndexPosition = { position: async () => Number(select.get()?.['page_id']) }
  return { services: { index, progress }, close: () => db.close() }
})
