// Pages to reindex when no new ones are waiting: a later version of their URL was removed, or new anchor texts lead to
// them.

import type { DatabaseSync } from 'node:sqlite'
import type { Pages, PageToIndex } from '../../../ports/pages.ts'

const TOKEN = 'again '

export class ReindexQueue {
  readonly #pages: Pick<Pages, 'listAfter' | 'history'>
  readonly #first
  readonly #add
  readonly #addHashed
  readonly #delete

  constructor(db: DatabaseSync, pages: Pick<Pages, 'listAfter' | 'history'>) {
    this.#pages = pages
    this.#first = db.prepare('select page_id from again order by page_id limit ?')
    this.#add = db.prepare('insert or ignore into again (page_id) values (?)')
    this.#addHashed = db.prepare(
      'insert or ignore into again (page_id) select page_id from documents where url_hash = ?',
    )
    this.#delete = db.prepare('delete from again where page_id = ?')
  }

  /**
   * Pages that still exist and are the latest version of their URL; an earlier version must not come back, whatever
   * happened to the later one. The token also covers the other pages. Null if the queue is empty.
   */
  async take(limit: number): Promise<{ token: string; pages: PageToIndex[] } | null> {
    const ids = this.#first.all(limit).map((row) => Number(row['page_id']))
    if (ids.length === 0) return null
    const pages: PageToIndex[] = []
    for (const id of ids) {
      const [page] = await this.#pages.listAfter(id - 1, 1)
      if (page?.version.id !== id) continue
      const [last] = await this.latestRemaining([page.version.url])
      if (last === id) pages.push(page)
    }
    return { token: TOKEN + ids.join(' '), pages }
  }

  /** Call within a transaction. Returns whether the token belongs to this queue. */
  finish(token: string): boolean {
    if (!token.startsWith(TOKEN)) return false
    for (const id of token.slice(TOKEN.length).split(' ')) this.#delete.run(Number(id))
    return true
  }

  add(pageId: number): void {
    this.#add.run(pageId)
  }

  /** Queues the document of a URL. Another URL with the same hash is queued as well, which does no harm. */
  addByUrlHash(urlHash: number): void {
    this.#addHashed.run(urlHash)
  }

  /** The replacements of removed documents: the highest remaining version of each URL. */
  async latestRemaining(urls: readonly string[]): Promise<number[]> {
    const left: number[] = []
    for (const url of urls) {
      const last = (await this.#pages.history(url)).at(-1)
      if (last !== undefined) left.push(last.id)
    }
    return left
  }
}
