import { z } from 'zod'
import { SEVERITIES } from '../../audit/rule.ts'
import { CRAWL_STATUSES } from '../../lib/states.ts'
import { AUDIT_STAGES, SKIP_REASONS } from '../../ports/audits.ts'
import { crawlParams } from './crawls.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'

const count = z.int().min(0)
const rule = z.string().max(64)

export const AuditRun = z.object({
  state: z
    .enum(['waiting', 'running', 'failed', 'cancelled', 'interrupted'])
    .describe('waiting: for an audit of another crawl; interrupted: its process is gone.'),
  started_at: z.iso.datetime().nullable(),
  stage: z.enum(AUDIT_STAGES).nullable(),
  done: count,
  total: count.describe('URLs or pages of the stage.'),
  problem: z.string().nullable().describe('Why it failed.'),
})

export const AuditRule = z.object({
  rule,
  title: z.string(),
  severity: z.enum(SEVERITIES),
  why: z.string(),
  fix: z.string(),
  needs: z.enum(['archive', 'sitemap', 'earlier_crawl']).nullable(),
  count: count.nullable().describe('Findings; null without an audit, or if the rule was skipped.'),
  listed: count.describe('Findings that are listed, at most 10,000.'),
  skipped: z.enum(SKIP_REASONS).nullable().describe('Why the rule was not applied.'),
})

export const Audit = z.object({
  crawl_id: z.string(),
  run: AuditRun.nullable().describe('The running audit, or the last one if it did not finish.'),
  finished_at: z.iso.datetime().nullable().describe('Of the last finished audit; null if there is none.'),
  urls: count,
  pages: count.describe('Archived pages that were examined.'),
  unread_pages: count.describe('Archived pages that could not be read.'),
  open_urls: count.describe('URLs that the crawl had not visited yet when it was audited.'),
  crawl_status: z.enum(CRAWL_STATUSES).nullable().describe('Of the crawl when it was audited.'),
  earlier_crawl_id: z.string().nullable().describe('The crawl that statuses were compared with.'),
  rules: z.array(AuditRule),
})

export const AuditFinding = z.object({
  url_id: z.int(),
  url: z.string(),
  other_url_id: z.int().nullable(),
  other_url: z.string().nullable().describe('The URL that it links to, redirects to or equals.'),
  text: z.string().nullable().describe('Text from the page, such as anchor text or a title.'),
  detail: z.string(),
})

export const auditRoutes = {
  getAudit: route({
    summary: 'Get the last audit of a crawl: findings by rule, and the progress of a running audit',
    scope: 'read',
    params: crawlParams,
    response: Audit,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  startAudit: route({
    summary: 'Audit a crawl; if an audit of it is already running, nothing is started',
    scope: 'crawl',
    params: crawlParams,
    response: Audit,
    status: 202,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  cancelAudit: route({
    summary: 'Cancel the running or waiting audit of a crawl',
    scope: 'crawl',
    params: crawlParams,
    response: Audit,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  listAuditFindings: route({
    summary: 'List the findings of a rule in the last finished audit',
    scope: 'read',
    params: crawlParams,
    query: paginationQuery.extend({ rule }),
    response: paginated(AuditFinding),
    errors: ['CRAWL_NOT_FOUND', 'AUDIT_NOT_FOUND', 'BAD_CURSOR'],
  }),
  exportAudit: route({
    summary: 'Export the findings of the last finished audit as CSV',
    scope: 'read',
    params: crawlParams,
    query: z.object({ rule: rule.optional().describe('Only this rule.') }),
    response: { stream: ['text/csv; charset=utf-8'] },
    errors: ['CRAWL_NOT_FOUND', 'AUDIT_NOT_FOUND'],
  }),
}
