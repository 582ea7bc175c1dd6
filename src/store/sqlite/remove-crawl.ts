// A crawl that goes with everything it has. It is marked first, so that it is finished and nobody works on it; then its
// rows go, a piece at a time and each piece with its part of the ledger; the row of the crawl goes last. If the process
// dies midway the mark is there, and whoever asks for the next piece goes on.

import type { DatabaseSync } from 'node:sqlite'
import { REMOVING, stateOf } from '../rows/codes.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import { DropPages } from './drop-pages.ts'
import type { Likeness } from './likeness.ts'
import type { Transactions } from './transaction.ts'

export interface RemoveParts {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  likeness: Likeness
}

/** Urls per transaction, with all that hangs on them. */
const CHUNK = 500

const BY_URL = ['visits', 'links', 'listings', 'beyond', 'held_links', 'ancestry']
const BY_CRAWL = ['patterns', 'pattern_lines', 'rejections', 'rejection_samples', 'blocked_hosts', 'crawl_samples']

export interface RemoveSteps {
  /** Id of a crawl that is marked; null when there is none. */
  next(): string | null
  mark(crawl: ActiveCrawl, now: number): void
  /** False when no urls are left. */
  removeSome(crawl: ActiveCrawl, now: number): boolean
  /** What is left when all its urls are gone. */
  finish(crawl: ActiveCrawl): void
}

export function removingIn({ db, transactions, active, likeness }: RemoveParts): RemoveSteps {
  const pages = new DropPages(db, likeness)
  const some = db.prepare(`select id, url, state from urls indexed by urls_key where crawl = ? limit ${CHUNK}`)
  const byUrl = BY_URL.map((table) => db.prepare(`delete from ${table} where url_id = ?`))
  const deleteUrl = db.prepare('delete from urls where id = ?')
  const byCrawl = [
    ...BY_CRAWL.map((table) => db.prepare(`delete from ${table} where crawl = ?`)),
    db.prepare('delete from outside_documents where crawl = (select uuid from crawls where id = ?)'),
    db.prepare('delete from crawls where id = ?'),
  ]
  const next = db.prepare('select uuid from crawls where closing = ? order by id limit 1')
  return {
    next() {
      const row = next.get(REMOVING)
      return row === undefined ? null : String(row['uuid'])
    },
    mark(crawl, now) {
      transactions.run(() => {
        crawl.status = 'cancelled'
        crawl.closing = REMOVING
        active.save(crawl, now)
      })
    },
    removeSome(crawl, now) {
      return transactions.run(() => {
        const urls = some.all(crawl.rowId).map((row) => {
          return { id: Number(row['id']), url: String(row['url']), state: stateOf(Number(row['state'])) }
        })
        pages.ofUrls(urls, now)
        for (const { id, state } of urls) {
          for (const statement of byUrl) statement.run(id)
          deleteUrl.run(id)
          if (state === 'queued' || state === 'in_progress') crawl.open -= 1
          else crawl.ended[state] -= 1
        }
        active.save(crawl, now)
        return urls.length === CHUNK
      })
    },
    finish(crawl) {
      transactions.run(() => {
        for (const statement of byCrawl) statement.run(crawl.rowId)
      })
      active.forget(crawl)
    },
  }
}
