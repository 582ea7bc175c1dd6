// The secret and documents of external crawlers.

import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'
import { DOCUMENT_RETENTION_MS, type ExternalCrawlers } from '../../ports/external.ts'
import type { Transactions } from '../sqlite/transactions.ts'

export function makeExternalCrawlers(db: DatabaseSync, transactions: Transactions): ExternalCrawlers {
  const offer = db.prepare('insert into outside_secret (id, secret) values (1, ?) on conflict (id) do nothing')
  const secret = db.prepare('select secret from outside_secret')
  const keep = db.prepare(
    `insert into outside_documents (crawl, url_id, attempts, document, at) values (?, ?, ?, ?, ?)
     on conflict (crawl, url_id, attempts) do update set document = excluded.document, at = excluded.at`,
  )
  const find = db.prepare('select document from outside_documents where crawl = ? and url_id = ? and attempts = ?')
  const forget = db.prepare('delete from outside_documents where at < ?')
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
  }
}
