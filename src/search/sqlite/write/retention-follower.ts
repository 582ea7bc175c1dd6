// Removes documents of pages that retention has deleted, and takes over changed expiry times. Each call checks the next
// documents, and starts over after the last.

import type { DatabaseSync } from 'node:sqlite'
import type { Pages } from '../../../ports/pages.ts'
import { type DocumentWriter, toDocumentRef } from './document-writer.ts'
import type { ReindexQueue } from './reindex-queue.ts'

export interface RetentionFollowerDependencies {
  db: DatabaseSync
  pages: Pick<Pages, 'retentionOf'>
  writer: DocumentWriter
  reindexQueue: ReindexQueue
  transact: (write: () => unknown) => void
}

export class RetentionFollower {
  readonly #dependencies: RetentionFollowerDependencies
  readonly #nextDocuments
  readonly #setExpiry
  #lastCheckedId = 0

  constructor(dependencies: RetentionFollowerDependencies) {
    this.#dependencies = dependencies
    this.#setExpiry = dependencies.db.prepare('update documents set expires_at = ? where page_id = ?')
    this.#nextDocuments = dependencies.db.prepare(
      'select page_id, title, url, expires_at from documents where page_id > ? order by page_id limit ?',
    )
  }

  async checkNext(limit: number): Promise<{ examined: number; dropped: number }> {
    const { pages, writer, reindexQueue, transact } = this.#dependencies
    const rows = this.#nextDocuments.all(this.#lastCheckedId, limit)
    const ids = rows.map((row) => Number(row['page_id']))
    this.#lastCheckedId = rows.length < limit ? 0 : (ids.at(-1) ?? 0)
    const retention = await pages.retentionOf(ids)
    const stale = rows.filter((_, i) => retention[i] === null)
    const changed = retention.flatMap((kept, i) => {
      const row = rows[i]
      return kept === null || row === undefined || row['expires_at'] === kept.expiresAt ? [] : [{ row, ...kept }]
    })
    const remainingIds = await reindexQueue.latestRemaining(stale.map((row) => String(row['url'])))
    if (stale.length + changed.length > 0) {
      transact(() => {
        for (const { row, expiresAt } of changed) this.#setExpiry.run(expiresAt, Number(row['page_id']))
        for (const row of stale) writer.remove(toDocumentRef(row))
        for (const id of remainingIds) reindexQueue.add(id)
      })
    }
    return { examined: rows.length, dropped: stale.length }
  }

  startOver(): void {
    this.#lastCheckedId = 0
  }
}
