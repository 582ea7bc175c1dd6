// Audits a crawl from a program.

import type { Severity } from '../audit/rule.ts'
import type { Config } from '../config/schema.ts'
import type { SkipReason, AuditFinding as StoredFinding } from '../ports/audits.ts'
import { openers } from '../setup/openers.ts'

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

export interface AuditOptions {
  /** Findings that are read per rule, up to 1,000; by default 100. */
  maxFindings?: number
}

/** Stores the result as the last audit of the crawl. */
export async function auditCrawl(
  id: string,
  { maxFindings = 100 }: AuditOptions = {},
  config: Config,
): Promise<AuditReport> {
  const [{ withLocalAuditClient }, { awaitAudit }] = await Promise.all([
    import('../cli/audits/audit-client.ts'),
    import('../cli/audits/await-audit.ts'),
  ])
  return withLocalAuditClient(config, openers, async (client) => {
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
