// Tables that decide about links and requests, and tables of what was rejected.

import type { TableColumns } from './columns.ts'

export const ADMISSION_TABLES = {
  patterns: { crawl: 'number', pattern: 'text', state: 'text', visits: 'number', fruitless: 'number' },
  pattern_lines: { crawl: 'number', pattern: 'text', line: 'number' },
  pattern_trials: {
    crawl: 'number',
    pattern: 'text',
    phase: 'text',
    endless_paths: 'number',
    visits_before: 'number',
    fruitless_before: 'number',
    admitted: 'number',
    base: 'number',
    latest: 'number',
    fruitful: 'number',
    endless: 'number',
    fruitless_pages: 'number',
  },
  render_patterns: { crawl: 'number', pattern: 'text', checked_to: 'number' },
  rejections: { crawl: 'number', reason: 'text', count: 'number' },
  host_requests: { crawl: 'number', host: 'text', sent: 'number', rendered: 'number' },
  cookies: {
    crawl: 'number',
    domain: 'text',
    path: 'text',
    name: 'text',
    value: 'text',
    is_host_only: 'flag',
    is_secure: 'flag',
    expires_at: 'number',
    created_at: 'number',
    version: 'number',
  },
  rejection_samples: { crawl: 'number', reason: 'text', sample: 'text', url_id: 'number' },
  robots: {
    origin: 'text',
    asked_at: 'number',
    expires_at: 'number',
    status: 'number',
    problem: 'text',
    body: 'bytes',
    good_at: 'number',
  },
} as const satisfies Record<string, TableColumns>
