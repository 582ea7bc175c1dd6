// Removes a crawl and everything that belongs to it. First it is marked, which finishes it, so that no process works
// on it. Then its rows are deleted in batches, each with its part of the ledger; the row of the crawl goes last. If
// the process dies midway, the mark remains and the next call continues.

import type { DatabaseSync } from 'node:sqlite'
import { REMOVING, stateFromCode } from '../encoding/state-codes.ts'
import type { ActiveCrawl, ActiveCrawls } from '../frontier/sqlite/crawl-state/active-crawls.ts'
import type { NearDuplicates } from '../pages/sqlite-near-duplicates.ts'
import { PageRemover } from '../retention/sqlite-drop-pages.ts'
import type { Transactions } from '../sqlite/transactions.ts'

export interface RemoveCrawlDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  nearDuplicates: NearDuplicates
}

/** URLs per transaction, with everything that belongs to them. */
const CHUNK = 500

const BY_URL = ['visits', 'links', 'listings', 'beyond', 'ancestry', 'revisits', 'script_urls']
/** Tables that refer to the crawl by its UUID. */
const BY_CRAWL_UUID = ['outside_documents', 'indexer_reports', 'task_errors']
const BY_CRAWL = [
  'patterns',
  'pattern_lines',
  'held_urls',
  'pattern_trials',
  'trial_visits',
  'render_patterns',
  'rejections',
  'host_requests',
  'cookies',
  'rejection_samples',
  'blocked_hosts',
  'crawl_samples',
  'recrawls',
  'revisit_hosts',
  'revisit_groups',
  'changes',
  'change_hosts',
  'monitor_states',
  'monitor_hits',
  'audits',
  'audit_findings',
]

export interface CrawlRemoval {
  /** Id of a marked crawl; null if there is none. */
  nextMarked(): string | null
  mark(crawl: ActiveCrawl, now: number): void
  /** False if no URLs are left. */
  removeBatch(crawl: ActiveCrawl, now: number): boolean
  /** Deletes what is left after all URLs are gone. */
  finish(crawl: ActiveCrawl): void
}

export function makeCrawlRemoval({ db, transactions, active, nearDuplicates }: RemoveCrawlDependencies): CrawlRemoval {
  const pages = new PageRemover(db, nearDuplicates)
  const some = db.prepare(`select id, url, state from urls indexed by urls_key where crawl = ? limit ${CHUNK}`)
  const byUrl = BY_URL.map((table) => db.prepare(`delete from ${table} where url_id = ?`))
  const deleteUrl = db.prepare('delete from urls where id = ?')
  const byCrawl = [
    ...BY_CRAWL.map((table) => db.prepare(`delete from ${table} where crawl = ?`)),
    ...BY_CRAWL_UUID.map((table) =>
      db.prepare(`delete from ${table} where crawl = (select uuid from crawls where id = ?)`),
    ),
    db.prepare('delete from crawls where id = ?'),
  ]
  const next = db.prepare('select uuid from crawls where closing = ? order by id limit 1')
  return {
    nextMarked() {
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
    removeBatch(crawl, now) {
      return transactions.run(() => {
        const urls = some.all(crawl.rowId).map((row) => {
          return { id: Number(row['id']), url: String(row['url']), state: stateFromCode(Number(row['state'])) }
        })
        pages.dropOfUrls(urls, now)
        for (const { id, state } of urls) {
          for (const statement of byUrl) statement.run(id)
          deleteUrl.run(id)
          if (state === 'queued' || state === 'in_progress') crawl.openCount -= 1
          else crawl.endedCounts[state] -= 1
        }
        active.save(crawl, now)
        return urls.length === CHUNK
      })
    },
    finish(crawl) {
      transactions.run(() => {
        for (const statement of byCrawl) statement.run(crawl.rowId)
      })
      active.unload(crawl)
    },
  }
}
