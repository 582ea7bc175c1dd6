// Audits of crawls. A report locks the row of its audit, and the removal of a crawl deletes audits before findings, so
// nothing is added to an audit that is gone.

import type { Audits } from '../../ports/audits.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, type Row, type Statement, toPostgresText, toPostgresTextOrNull } from '../postgres/query.ts'
import { AUDIT_COLUMNS, chunksOf, cutFindings, endColumns, FIRST_PROGRESS, toLatest } from './audit-rows.ts'

/** The lock makes a removal wait, or is not granted once the crawl is marked. */
const FIND_CRAWL = `select id from crawls where uuid = $1 and closing is distinct from '${REMOVING}' for no key update`
const CANCEL = `update audits set state = 'cancelled', updated_at = $2::bigint, finished_at = $2::bigint
  where crawl = $1 and state = 'running'`
const INSERT = `insert into audits (crawl, state, started_at, updated_at, progress)
  values ($1, 'running', $2::bigint, $2::bigint, '${FIRST_PROGRESS}') returning id`
const REPORT = `update audits set progress = $2, updated_at = $3 where id = $1 and state = 'running'`
const ADD = `insert into audit_findings (crawl, audit, rule, chunk, findings)
  select a.crawl, a.id, $2::text, $3::integer, $4::text
  from (select crawl, id from audits where id = $1 and state = 'running' for update) a
  on conflict (audit, rule, chunk) do update set findings = excluded.findings`
const END = `update audits set state = $2, summary = $3, problem = $4, updated_at = $5::bigint,
    finished_at = $5::bigint where id = $1 and state = 'running' returning crawl`
/** Deletes all audits but the last one and the last finished one. */
const REMOVE_OUTDATED = `with outdated as (
    delete from audits where crawl = $1 and id < (select max(id) from audits where crawl = $1)
      and id is distinct from (select max(id) from audits where crawl = $1 and state = 'finished') returning id
  ) delete from audit_findings where audit in (select id from outdated)`
const LATEST = {
  name: 'audits_latest',
  text: `select ${AUDIT_COLUMNS} from audits a join crawls c on c.id = a.crawl where c.uuid = $1 order by a.id desc`,
}
const FINDINGS = {
  name: 'audit_findings',
  text: `select findings from audit_findings
    where audit = $1 and rule = $2 and chunk between $3 and $4 order by chunk`,
}

export function makeAudits(db: Database): Audits {
  const run = (statement: Statement) => db.withRetries(() => db.pool.query(statement))
  const inOne = <T>(work: (tx: Queryable) => Promise<T>) => db.withRetries(() => db.transaction(work))
  const findCrawl = async (tx: Queryable, crawlId: string): Promise<Row | undefined> =>
    (await tx.query({ text: FIND_CRAWL, values: [crawlId] })).rows[0]
  return {
    begin(crawlId, at) {
      return inOne(async (tx) => {
        const crawl = await findCrawl(tx, crawlId)
        if (crawl === undefined) return null
        const values = [crawl['id'], at]
        await tx.query({ text: CANCEL, values })
        const { rows } = await tx.query({ text: INSERT, values })
        await tx.query({ text: REMOVE_OUTDATED, values: [crawl['id']] })
        return Number(rows[0]?.['id'])
      })
    },
    async report(auditId, progress, at) {
      return (await run({ text: REPORT, values: [auditId, JSON.stringify(progress), at] })).rowCount === 1
    },
    async add(auditId, rule, chunk, found) {
      const values = [auditId, rule, chunk, toPostgresText(JSON.stringify(found))]
      return (await run({ text: ADD, values })).rowCount === 1
    },
    end(auditId, auditEnd, at) {
      return inOne(async (tx) => {
        const { summary, problem } = endColumns(auditEnd)
        const values = [auditId, auditEnd.state, summary, toPostgresTextOrNull(problem), at]
        const [row] = (await tx.query({ text: END, values })).rows
        if (row !== undefined) await tx.query({ text: REMOVE_OUTDATED, values: [row['crawl']] })
      })
    },
    cancel(crawlId, at) {
      return inOne(async (tx) => {
        const crawl = await findCrawl(tx, crawlId)
        if (crawl === undefined) return false
        return ((await tx.query({ text: CANCEL, values: [crawl['id'], at] })).rowCount ?? 0) > 0
      })
    },
    latest: async (crawlId) => toLatest((await run({ ...LATEST, values: [crawlId] })).rows),
    async findings(auditId, rule, skip, limit) {
      const { first, last } = chunksOf(skip, limit)
      return cutFindings((await run({ ...FINDINGS, values: [auditId, rule, first, last] })).rows, skip, limit)
    },
  }
}
