// Handlers for audits of crawls.

import type { AuditRunner } from '../../audit/audit-runner.ts'
import { findingsToCsv } from '../../audit/findings-csv.ts'
import { RULES } from '../../audit/rules.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Audit, Audits } from '../../ports/audits.ts'
import type { Crawls } from '../../ports/crawls.ts'
import type { HandlersFor } from '../handlers.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { auditJson, findingJson } from '../views/audit-json.ts'

export interface AuditHandlerDependencies {
  crawls: Pick<Crawls, 'progress'>
  audits: Pick<Audits, 'latest' | 'cancel' | 'findings'>
  auditRunner: Pick<AuditRunner, 'start' | 'isWaiting' | 'cancelWaiting'>
  clock: Clock
}

type AuditRoute = 'getAudit' | 'startAudit' | 'cancelAudit' | 'listAuditFindings' | 'exportAudit'

export function auditHandlers({
  crawls,
  audits,
  auditRunner,
  clock,
}: AuditHandlerDependencies): HandlersFor<AuditRoute> {
  const view = async (crawlId: string) => {
    const latest = await audits.latest(crawlId)
    return auditJson(crawlId, { ...latest, isWaiting: auditRunner.isWaiting(crawlId), now: clock.now() })
  }
  const findFinished = async (crawlId: string): Promise<Audit> => {
    const { finished } = await audits.latest((await findCrawl(crawls, crawlId)).id)
    if (finished === null)
      throw new AppError('AUDIT_NOT_FOUND', `Crawl ${crawlId} has no finished audit. Start one first.`)
    return finished
  }
  return {
    async getAudit({ params }) {
      return view((await findCrawl(crawls, params.crawl_id)).id)
    },
    async startAudit({ params }) {
      const { id } = await findCrawl(crawls, params.crawl_id)
      await auditRunner.start(id)
      return view(id)
    },
    async cancelAudit({ params }) {
      const { id } = await findCrawl(crawls, params.crawl_id)
      if (!auditRunner.cancelWaiting(id)) await audits.cancel(id, clock.now())
      return view(id)
    },
    async listAuditFindings({ params, query: { rule, limit, cursor } }) {
      const { id, summary } = await findFinished(params.crawl_id)
      const [audit = id, skip = 0] = cursor === undefined ? [] : readCursor(cursor, ['number', 'number'])
      // A newer audit has other findings: the list starts over there.
      const start = audit === id ? Number(skip) : 0
      const items = await audits.findings(id, rule, start, limit)
      const next = items.length < limit ? null : writeCursor(id, start + limit)
      return { items: items.map(findingJson), next_cursor: next, total: summary?.counts[rule] ?? 0 }
    },
    async exportAudit({ params, query }) {
      const { id } = await findFinished(params.crawl_id)
      const rules = RULES.filter(({ name }) => query.rule === undefined || query.rule === name)
      const name = query.rule === undefined ? 'audit' : query.rule.replace(/[^a-z0-9-]/g, '')
      return {
        type: 'text/csv; charset=utf-8',
        filename: `${params.crawl_id}-${name}.csv`,
        body: findingsToCsv(rules, (rule, skip, limit) => audits.findings(id, rule, skip, limit)),
      }
    },
  }
}
