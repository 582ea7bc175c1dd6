// The secret and documents of external crawlers.

import { AppError } from '../../lib/errors.ts'
import { DOCUMENT_RETENTION_MS, type ExternalCrawlers } from '../../ports/external.ts'
import { type Row, type Statement, toPostgresText } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'

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
  }
}
