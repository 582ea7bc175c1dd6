// Tables of operators, and of programs that use the API.

import type { TableColumns } from './columns.ts'

export const OPERATIONS_TABLES = {
  blocked_hosts: { crawl: 'number', host: 'number' },
  crawl_samples: {
    crawl: 'number',
    at: 'number',
    pages_per_second: 'real',
    bytes_per_second: 'real',
    in_flight: 'number',
    states: 'text',
  },
  domain_policies: {
    host: 'text',
    weight: 'real',
    delay_ms: 'number',
    per_host: 'number',
    rate: 'real',
    burst: 'number',
    max_pages: 'number',
    recrawl_min_ms: 'number',
    recrawl_max_ms: 'number',
    updated_at: 'number',
  },
  indexer_reports: {
    crawl: 'text',
    indexer: 'text',
    status: 'text',
    processed_pages: 'number',
    reported_at: 'number',
  },
  task_errors: { crawl: 'text', reported_at: 'number', url: 'text', crawler: 'text', errors: 'text' },
  tokens: {
    id: 'text',
    name: 'text',
    scope: 'text',
    hash: 'text',
    created_at: 'number',
    last_used_at: 'number',
    expires_at: 'number',
  },
  webhooks: {
    id: 'text',
    url: 'text',
    events: 'text',
    secret: 'text',
    created_at: 'number',
    delivered_at: 'number',
    delivered_status: 'number',
    delivered_problem: 'text',
    allows_private: 'flag',
    changes_cursor: 'number',
  },
} as const satisfies Record<string, TableColumns>
