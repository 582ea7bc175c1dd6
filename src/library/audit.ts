// Audits a crawl from a program.

import type { Severity } from '../audit/rule.ts'
import type { SkipReason, AuditFinding as StoredFinding } from '../ports/audits.ts'
import { openControlSession } from '../setup/control-session.ts'
import { openReadSession } from '../setup/read-session.ts'
import { type StoreOptions, toStoreConfig } from './options.ts'

export type AuditFinding = Pick<StoredFinding, 'url' | 'otherUrl' | 'text' | 'detail'>

export interface AuditedRule {
  rule: string
  title: string
  severity: Severity
  why: string
  fix: string
  /** Null if the rule was skipped. */
  count: number | null
  skipped: SkipReason | null
  findings: AuditFinding[]
}

export interface AuditReport {
  crawlId: string
  finishedAt: Date
  /** Archived pages that were examined. */
  pages: number
  rules: AuditedRule[]
}

export interface AuditOptions extends StoreOptions {
  /** Findings that are read per rule, up to 1,000; by default 100. */
  maxFindings?: number
}

/** Checks the site of a crawl, by its id or the start of it, and stores the result as its last audit. */
export async function auditCrawl(
  crawlId: string,
  { maxFindings = 100, ...options }: AuditOptions = {},
): Promise<AuditReport> {
  const config = toStoreConfig(options)
  const [{ withLocalAuditClient }, { awaitAudit }] = await Promise.all([
    import('../cli/audits/audit-client.ts'),
    import('../cli/audits/await-audit.ts'),
  ])
  return withLocalAuditClient(config, { openControlSession, openReadSession }, async (client) => {
    const id = await client.findCrawlId(crawlId)
    const quietly = { io: { stderr: process.stderr, onInterrupt: () => () => undefined }, isQuiet: true }
    const report = await awaitAudit(client, id, quietly)
    const rules = (report?.rules ?? []).map(async ({ rule, title, severity, why, fix, count, skipped, listed }) => {
      const query = { rule, limit: maxFindings }
      const found = listed === 0 ? [] : (await client.listAuditFindings({ params: { crawl_id: id }, query })).items
      const findings = found.map(({ url, other_url: otherUrl, text, detail }) => ({ url, otherUrl, text, detail }))
      return { rule, title, severity, why, fix, count, skipped, findings }
    })
    const finishedAt = new Date(report?.finished_at ?? 0)
    return { crawlId: id, finishedAt, pages: report?.pages ?? 0, rules: await Promise.all(rules) }
  })
}
