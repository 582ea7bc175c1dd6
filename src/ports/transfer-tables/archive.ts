// Tables of the archive and its page versions. `page_ids` holds the highest page id ever used.

import { RECORD_COLUMNS, type TableColumns, URL_COLUMNS } from './columns.ts'

export const ARCHIVE_TABLES = {
  segments: { id: 'number', name: 'text', dead_bytes: 'number', is_forgotten: 'flag' },
  contents: {
    digest: 'bytes',
    ...RECORD_COLUMNS,
    ...URL_COLUMNS,
    fetched_at: 'number',
    unused_since: 'number',
    is_alone: 'flag',
    is_damaged: 'flag',
    url: 'text',
  },
  pages: {
    id: 'number',
    ...URL_COLUMNS,
    attempt: 'number',
    version: 'number',
    changes: 'number',
    first_seen_at: 'number',
    url_hash: 'wide',
    visited_at: 'number',
    expires_at: 'number',
    wire_bytes: 'number',
    fingerprint: 'wide',
    resembles: 'number',
    ...RECORD_COLUMNS,
    words: 'number',
    // The digest of its payload.
    content: 'bytes',
    charset: 'text',
    lang: 'text',
    description: 'text',
    keywords: 'text',
    note: 'text',
    data: 'text',
  },
  fingerprints: { quarter: 'number', fingerprint: 'wide', page: 'number' },
  page_ids: { last: 'number' },
  last_expiry: { at: 'number' },
} as const satisfies Record<string, TableColumns>
