// The secret, documents and reports of external crawlers and indexers.

import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'
import { DOCUMENT_RETENTION_MS, type ExternalCrawlers, MAX_TASK_ERRORS } from '../../ports/external.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toIndexerReport, toTaskErrors } from './external-rows.ts'

export function makeExternalCrawlers(db: DatabaseSync, transactions: Transactions): ExternalCrawlers {
  const offer = db.prepare('insert into outside_secret (id, secret) values (1, ?) on conflict (id) do nothing')
  const secret = db.prepare('select secret from outside_secret')
  const keep = db.prepare(
    `insert into outside_documents (crawl, url_id, attempts, document, at) values (?, ?, ?, ?, ?)
     on conflict (crawl, url_id, attempts) do update set document = excluded.document, at = excluded.at`,
  )
  const find = db.prepare('select document from outside_documents where crawl = ? and url_id = ? and attempts = ?')
  const forget = db.prepare('delete from outside_documents where at < ?')
  const saveReport = db.prepare(
    `insert into indexer_reports (crawl, indexer, status, processed_pages, reported_at) values (?, ?, ?, ?, ?)
     on conflict (crawl, indexer) do update set status = excluded.status,
       processed_pages = excluded.processed_pages, reported_at = excluded.reported_at`,
  )
  const reports = db.prepare('select * from indexer_reports where crawl = ? order by indexer')
  const addErrors = db.prepare(
    `insert into task_errors (crawl, url, crawler, errors, reported_at) values (?, ?, ?, ?, ?)
     on conflict do update set crawler = excluded.crawler, errors = excluded.errors`,
  )
  const deleteOldErrors = db.prepare(
    `delete from task_errors where crawl = ?1
     and reported_at < (select reported_at from task_errors where crawl = ?1 order by reported_at desc
       limit 1 offset ${MAX_TASK_ERRORS - 1})`,
  )
  const errors = db.prepare(
    `select * from task_errors where crawl = ? order by reported_at desc, url limit ${MAX_TASK_ERRORS}`,
  )
  return {
    async getOrCreateSecret(offered) {
      if (secret.get() === undefined) transactions.run(() => offer.run(offered))
      const made = secret.get()
      if (made === undefined) throw new AppError('STORE_FAILED', 'The store has no secret for signing tasks.')
      return String(made['secret'])
    },
    async saveDocument({ crawlId, urlId, attempts }, document, at) {
      transactions.run(() => {
        forget.run(at - DOCUMENT_RETENTION_MS)
        keep.run(crawlId, urlId, attempts, document, at)
      })
    },
    async findDocument({ crawlId, urlId, attempts }) {
      const row = find.get(crawlId, urlId, attempts)
      return row === undefined ? null : String(row['document'])
    },
    async saveIndexerReport({ crawlId, indexerId, status, processedPages, reportedAt }) {
      transactions.run(() => saveReport.run(crawlId, indexerId, status, processedPages, reportedAt))
    },
    async listIndexerReports(crawlId) {
      return reports.all(crawlId).map(toIndexerReport)
    },
    async addTaskErrors(taskErrors) {
      const { crawlId, url, crawlerId, reportedAt } = taskErrors
      transactions.run(() => {
        addErrors.run(crawlId, url, crawlerId, taskErrors.errors, reportedAt)
        deleteOldErrors.run(crawlId)
      })
    },
    async listTaskErrors(crawlId) {
      return errors.all(crawlId).map(toTaskErrors)
    },
  }
}
