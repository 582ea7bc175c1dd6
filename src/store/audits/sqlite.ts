// Audits of crawls.

import type { DatabaseSync } from 'node:sqlite'
import type { Audits } from '../../ports/audits.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { AUDIT_COLUMNS, chunksOf, cutFindings, endColumns, FIRST_PROGRESS, toLatest } from './audit-rows.ts'

export function makeAudits(db: DatabaseSync, transactions: Transactions): Audits {
  const findCrawl = db.prepare(`select id from crawls where uuid = ? and closing is not '${REMOVING}'`)
  const cancel = db.prepare(
    `update audits set state = 'cancelled', updated_at = :at, finished_at = :at
     where crawl = :crawl and state = 'running'`,
  )
  const insert = db.prepare(
    `insert into audits (crawl, state, started_at, updated_at, progress)
     values (:crawl, 'running', :at, :at, '${FIRST_PROGRESS}') returning id`,
  )
  const report = db.prepare(`update audits set progress = ?, updated_at = ? where id = ? and state = 'running'`)
  const add = db.prepare(
    `insert into audit_findings (crawl, audit, rule, chunk, findings)
     select crawl, id, :rule, :chunk, :findings from audits where id = :audit and state = 'running'
     on conflict (audit, rule, chunk) do update set findings = excluded.findings`,
  )
  const end = db.prepare(
    `update audits set state = :state, summary = :summary, problem = :problem, updated_at = :at, finished_at = :at
     where id = :id and state = 'running' returning crawl`,
  )
  // Selects all audits but the last one and the last finished one.
  const outdated = db.prepare(
    `select id from audits where crawl = :crawl and id < (select max(id) from audits where crawl = :crawl)
       and id is not (select max(id) from audits where crawl = :crawl and state = 'finished')`,
  )
  const removeFindings = db.prepare('delete from audit_findings where audit = ?')
  const removeAudit = db.prepare('delete from audits where id = ?')
  const latest = db.prepare(
    `select ${AUDIT_COLUMNS} from audits a join crawls c on c.id = a.crawl where c.uuid = ? order by a.id desc`,
  )
  const findings = db.prepare(
    'select findings from audit_findings where audit = ? and rule = ? and chunk between ? and ? order by chunk',
  )
  const removeOutdated = (crawl: number) => {
    for (const { id } of outdated.all({ crawl })) {
      removeFindings.run(Number(id))
      removeAudit.run(Number(id))
    }
  }
  return {
    async begin(crawlId, at) {
      return transactions.run(() => {
        const crawl = findCrawl.get(crawlId)
        if (crawl === undefined) return null
        const row = { crawl: Number(crawl['id']), at }
        cancel.run(row)
        const id = Number(insert.get(row)?.['id'])
        removeOutdated(row.crawl)
        return id
      })
    },
    async report(auditId, progress, at) {
      return transactions.run(() => report.run(JSON.stringify(progress), at, auditId).changes === 1)
    },
    async add(audit, rule, chunk, found) {
      return transactions.run(() => add.run({ audit, rule, chunk, findings: JSON.stringify(found) }).changes === 1)
    },
    async end(id, auditEnd, at) {
      transactions.run(() => {
        const ended = end.get({ id, state: auditEnd.state, ...endColumns(auditEnd), at })
        if (ended !== undefined) removeOutdated(Number(ended['crawl']))
      })
    },
    async cancel(crawlId, at) {
      return transactions.run(() => {
        const crawl = findCrawl.get(crawlId)
        return crawl !== undefined && cancel.run({ crawl: Number(crawl['id']), at }).changes > 0
      })
    },
    latest: async (crawlId) => toLatest(latest.all(crawlId)),
    async findings(auditId, rule, skip, limit) {
      const { first, last } = chunksOf(skip, limit)
      return cutFindings(findings.all(auditId, rule, first, last), skip, limit)
    },
  }
}
