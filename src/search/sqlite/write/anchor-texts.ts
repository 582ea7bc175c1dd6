// Anchor texts by target URL. The first texts for a URL stay, in page order: common texts come early.

import type { DatabaseSync } from 'node:sqlite'
import { type AnchorText, MAX_ANCHORS } from '../../../ports/index-feed.ts'
import { HashCache } from '../../hash-cache.ts'
import { textHash } from '../../text-hash.ts'
import type { ReindexQueue } from './reindex-queue.ts'

const CACHED = 1 << 17

export class AnchorTexts {
  readonly #reindexQueue: Pick<ReindexQueue, 'addByUrlHash'>
  readonly #read
  readonly #count
  readonly #add
  /** Hashes of URL and text that are already saved; saving them again would change nothing. */
  readonly #saved = new HashCache(CACHED)

  constructor(db: DatabaseSync, reindexQueue: Pick<ReindexQueue, 'addByUrlHash'>) {
    this.#reindexQueue = reindexQueue
    this.#read = db.prepare('select text from anchors where url_hash = ? order by text')
    // Two statements, because a statement that reads the table it writes to would materialise what it read.
    this.#count = db.prepare('select count(*) as n from anchors where url_hash = ?')
    this.#add = db.prepare('insert or ignore into anchors (url_hash, text) values (?, ?)')
  }

  /** Anchor texts of a URL, sorted. */
  textsOf(urlHash: number): string[] {
    return this.#read.all(urlHash).map((row) => String(row['text']))
  }

  /** Call within a transaction. An indexed page is reindexed when a new text for it is added. */
  save(anchors: AnchorText[]): void {
    const added: { hash: number; text: string }[] = []
    for (const { url, text } of anchors) {
      const hash = textHash(url)
      const key = textHash(text, hash)
      if (this.#saved.has(key)) continue
      this.#saved.add(key)
      added.push({ hash, text })
    }
    // Sorted in table order, so that neighbours are in the same B-tree leaf. The sort is stable within a URL.
    for (const { hash, text } of added.sort((a, b) => a.hash - b.hash)) {
      if (Number(this.#count.get(hash)?.['n']) >= MAX_ANCHORS) continue
      if (this.#add.run(hash, text).changes > 0) this.#reindexQueue.addByUrlHash(hash)
    }
  }

  /** Call after a rollback. */
  rollback(): void {
    this.#saved.clear()
  }
}
