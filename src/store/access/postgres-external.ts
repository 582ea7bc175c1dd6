// The secret, documents and reports of external crawlers and indexers.

import { AppError } from '../../lib/errors.ts'
import { DOCUMENT_RETENTION_MS, type ExternalCrawlers, MAX_TASK_ERRORS } from '../../ports/external.ts'
import { type Row, type Statement, toPostgresText } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { toIndexerReport, toTaskErrors } from './external-rows.ts'

const OFFER = `insert into outside_secret (id, secret) values (1, $1) on conflict (id) do nothing`
const SECRET = { name: 'outside_secret', text: 'select secret from outside_secret' }
/** $5 and $7 are a time and now by the clock of this process, $6 is now by the clock of the store. */
const SAVE_DOCUMENT = {
  name: 'outside_keep',
  text: `insert into outside_documents (crawl, url_id, attempts, document, at)
    values ($1, $2, $3, $4, $5::bigint + (now_ms($6) - $7::bigint))
    on conflict (crawl, url_id, attempts) do update set document = excluded.document, at = excluded.at`,
}
const FIND = {
  name: 'outside_find',
  text: 'select document from outside_documents where crawl = $1 and url_id = $2 and attempts = $3',
}
const DELETE_OLD = {
  name: 'outside_forget',
  text: `delete from outside_documents where at < now_ms($1) - ${DOCUMENT_RETENTION_MS}`,
}

const SAVE_REPORT = `insert into indexer_reports (crawl, indexer, status, processed_pages, reported_at)
  values ($1, $2, $3, $4, $5)
  on conflict (crawl, indexer) do update set status = excluded.status,
    processed_pages = excluded.processed_pages, reported_at = excluded.reported_at`
const REPORTS = 'select * from indexer_reports where crawl = $1 order by indexer'
const ADD_ERRORS = `insert into task_errors (crawl, url, crawler, errors, reported_at) values ($1, $2, $3, $4, $5)
  on conflict (crawl, reported_at, url) do update set crawler = excluded.crawler, errors = excluded.errors`
const DELETE_OLD_ERRORS = `delete from task_errors where crawl = $1 and reported_at < (
    select reported_at from task_errors where crawl = $1 order by reported_at desc limit 1 offset ${MAX_TASK_ERRORS - 1})`
const ERRORS = `select * from task_errors where crawl = $1 order by reported_at desc, url limit ${MAX_TASK_ERRORS}`

export function makeExternalCrawlers(
  run: (statement: Statement) => Promise<Row[]>,
  storeClock: StoreClock,
): ExternalCrawlers {
  const find = async () => (await run(SECRET))[0]
  return {
    async getOrCreateSecret(offered) {
      const known = await find()
      if (known !== undefined) return String(known['secret'])
      await run({ text: OFFER, values: [offered] })
      const secret = await find()
      if (secret === undefined) throw new AppError('STORE_FAILED', 'The store has no secret for signing tasks.')
      return String(secret['secret'])
    },
    async saveDocument({ crawlId, urlId, attempts }, document, at) {
      await run({ ...DELETE_OLD, values: [storeClock.virtualNow] })
      const values = [
        crawlId,
        urlId,
        attempts,
        toPostgresText(document),
        at,
        storeClock.virtualNow,
        storeClock.workerNow(),
      ]
      await run({ ...SAVE_DOCUMENT, values })
    },
    async findDocument({ crawlId, urlId, attempts }) {
      const [row] = await run({ ...FIND, values: [crawlId, urlId, attempts] })
      return row === undefined ? null : String(row['document'])
    },
    async saveIndexerReport({ crawlId, indexerId, status, processedPages, reportedAt }) {
      const values = [crawlId, toPostgresText(indexerId), status, processedPages, reportedAt]
      await run({ text: SAVE_REPORT, values })
    },
    async listIndexerReports(crawlId) {
      return (await run({ text: REPORTS, values: [crawlId] })).map(toIndexerReport)
    },
    async addTaskErrors({ crawlId, url, crawlerId, errors, reportedAt }) {
      const values = [crawlId, url, toPostgresText(crawlerId), toPostgresText(errors), reportedAt]
      await run({ text: ADD_ERRORS, values })
      await run({ text: DELETE_OLD_ERRORS, values: [crawlId] })
    },
    async listTaskErrors(crawlId) {
      return (await run({ text: ERRORS, values: [crawlId] })).map(toTaskErrors)
    },
  }
}
