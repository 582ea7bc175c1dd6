// Reads the tables that both stores have in common.

export interface TableQuery {
  /** `t` is the table. */
  from: string
  /** SQL expressions for columns that the table does not have in that form. */
  columns?: Record<string, string>
  order: string
}

export const SHARED_TABLE_QUERIES = {
  crawls: { from: 'crawls t', order: 't.id' },
  revisit_hosts: { from: 'revisit_hosts t', order: 't.crawl, t.host' },
  revisit_groups: { from: 'revisit_groups t', order: 't.crawl, t.host, t.name' },
  recrawls: { from: 'recrawls t', order: 't.crawl' },
  change_cursor: { from: 'change_cursor t', order: 't.last' },
  change_hosts: { from: 'change_hosts t', order: 't.crawl, t.host' },
  pattern_lines: { from: 'pattern_lines t', order: 't.crawl, t.pattern, t.line' },
  pattern_trials: { from: 'pattern_trials t', order: 't.crawl, t.pattern' },
  render_patterns: { from: 'render_patterns t', order: 't.crawl, t.pattern' },
  cookies: { from: 'cookies t', order: 't.crawl, t.version' },
  rejection_samples: { from: 'rejection_samples t', order: 't.crawl, t.reason, t.sample' },
  robots: { from: 'robots t', order: 't.origin' },
  segments: { from: 'segments t', order: 't.id' },
  last_expiry: { from: 'last_expiry t', order: 't.at' },
  blocked_hosts: { from: 'blocked_hosts t', order: 't.crawl, t.host' },
  crawl_samples: { from: 'crawl_samples t', order: 't.crawl, t.at' },
  domain_policies: { from: 'domain_policies t', order: 't.host' },
  indexer_reports: { from: 'indexer_reports t', order: 't.crawl, t.indexer' },
  task_errors: { from: 'task_errors t', order: 't.crawl, t.reported_at, t.url' },
  tokens: { from: 'tokens t', order: 't.id' },
  webhooks: { from: 'webhooks t', order: 't.id' },
  monitors: { from: 'monitors t', order: 't.id' },
  monitor_documents: { from: 'monitor_documents t', order: 't.id' },
  monitor_mutes: { from: 'monitor_mutes t', order: 't.monitor, t.url' },
  monitor_states: { from: 'monitor_states t', order: 't.monitor, t.url' },
  monitor_hits: { from: 'monitor_hits t', order: 't.id' },
  monitor_revision: { from: 'monitor_revision t', order: 't.revision' },
  audits: { from: 'audits t', order: 't.id' },
  audit_findings: { from: 'audit_findings t', order: 't.audit, t.rule, t.chunk' },
} as const satisfies Record<string, TableQuery>
