// Moving a whole store into another one: everything it knows as plain rows, table by table, in an order in which they
// can be written. Ids and keys stay what they are; leases are not moved, so that what was in flight is queued again.

import type { AuditFinding } from './urls.ts'

/**
 * What a column holds: `wide` numbers use all 64 bits and travel as decimal text, `flag` is 0 or 1, `real` is any
 * number, `number` a whole one below 2^53.
 */
export type TransferColumnType = 'number' | 'wide' | 'real' | 'flag' | 'text' | 'bytes'

const COUNTERS = {
  ...({ open: 'number', visited: 'number', redirected: 'number', forbidden: 'number', not_found: 'number' } as const),
  ...({ http_error: 'number', failed: 'number', excluded: 'number', bytes: 'number' } as const),
  ...({ sitemaps: 'number', sitemaps_found: 'number', late_reports: 'number' } as const),
}

const URL = { crawl: 'number', host: 'number', url_id: 'number' } as const
const PLACE = { segment: 'number', offset: 'number', length: 'number' } as const

/** `counters` are the ledger of a crawl, `page_ids` has the highest id that a page ever had. */
export const TRANSFER_TABLES = {
  crawls: {
    ...({ id: 'number', uuid: 'text', status: 'text', closing: 'text', reason: 'text', root_url: 'text' } as const),
    ...({ seeds: 'text', settings: 'text', key_seed: 'wide', created_at: 'number' } as const),
    ...({ finished_at: 'number', active_ms: 'number' } as const),
  },
  counters: { crawl: 'number', ...COUNTERS },
  hosts: {
    ...({ id: 'number', name: 'text', next_at: 'number', response_ms: 'number', gap_ms: 'number' } as const),
    ...({ strikes: 'number', concurrency_limit: 'real' } as const),
  },
  urls: {
    ...({ id: 'number', crawl: 'number', key: 'wide', host: 'number', state: 'number', rank: 'number' } as const),
    ...({ depth: 'number', hops: 'number', due_at: 'number', attempts: 'number', parent: 'number' } as const),
    ...({ first_seen_at: 'number', kind: 'number', url: 'text', reason: 'text' } as const),
  },
  visits: {
    ...URL,
    ...({ attempt: 'number', state: 'number', reason: 'text', http_status: 'number' } as const),
    ...({ content_length: 'number', fetch_ms: 'number', visited_at: 'number', content_hash: 'bytes' } as const),
    ...({ content_type: 'text', ip: 'text', title: 'text', redirect_to: 'text', canonical: 'text' } as const),
    ...({ noindex: 'flag', cname: 'text' } as const),
  },
  links: { ...URL, targets: 'bytes' },
  beyond: { ...URL, found: 'text' },
  held_links: { ...URL, pattern: 'text', found: 'text' },
  ancestry: { ...URL, skeletons: 'bytes', trial: 'text' },
  detours: { ...URL, targets: 'bytes' },
  listings: { ...URL, lastmod: 'number', changefreq: 'text', priority: 'real' },
  patterns: { crawl: 'number', pattern: 'text', state: 'text', visits: 'number', fruitless: 'number' },
  pattern_lines: { crawl: 'number', pattern: 'text', line: 'number' },
  rejections: { crawl: 'number', reason: 'text', count: 'number' },
  rejection_samples: { crawl: 'number', reason: 'text', sample: 'text', url_id: 'number' },
  robots: {
    ...({ origin: 'text', asked_at: 'number', expires_at: 'number', status: 'number', problem: 'text' } as const),
    ...({ body: 'bytes', good_at: 'number' } as const),
  },
  segments: { id: 'number', name: 'text', dead_bytes: 'number', is_forgotten: 'flag' },
  contents: {
    ...({ digest: 'bytes', ...PLACE, ...URL, fetched_at: 'number' } as const),
    ...({ unused_since: 'number', is_alone: 'flag', is_damaged: 'flag', url: 'text' } as const),
  },
  pages: {
    ...({ id: 'number', ...URL, attempt: 'number', version: 'number', changes: 'number' } as const),
    ...({ first_seen_at: 'number', url_hash: 'wide', visited_at: 'number', expires_at: 'number' } as const),
    ...({ wire_bytes: 'number', fingerprint: 'wide', resembles: 'number', ...PLACE, words: 'number' } as const),
    // The digest of its payload.
    ...({ content: 'bytes', charset: 'text', lang: 'text', description: 'text', keywords: 'text' } as const),
    note: 'text',
  },
  fingerprints: { quarter: 'number', fingerprint: 'wide', page: 'number' },
  page_ids: { last: 'number' },
  last_expiry: { at: 'number' },
  blocked_hosts: { crawl: 'number', host: 'number' },
  crawl_samples: {
    ...({ crawl: 'number', at: 'number', pages_per_second: 'real', bytes_per_second: 'real' } as const),
    ...({ in_flight: 'number', states: 'text' } as const),
  },
  tokens: {
    ...({ id: 'text', name: 'text', scope: 'text', hash: 'text', created_at: 'number' } as const),
    last_used_at: 'number',
    expires_at: 'number',
  },
  webhooks: {
    ...({ id: 'text', url: 'text', events: 'text', secret: 'text', created_at: 'number' } as const),
    ...({ delivered_at: 'number', delivered_status: 'number', delivered_problem: 'text' } as const),
    allows_private: 'flag',
  },
} as const satisfies Record<string, Record<string, TransferColumnType>>

export type TransferTable = keyof typeof TRANSFER_TABLES

export const TRANSFER_TABLE_NAMES = Object.keys(TRANSFER_TABLES) as TransferTable[]

export type TransferValue = string | number | Uint8Array | null
export type TransferRow = Record<string, TransferValue>

export function transferColumns(table: TransferTable): [name: string, kind: TransferColumnType][] {
  return Object.entries(TRANSFER_TABLES[table])
}

/** A store that nobody works in, kept so until it is closed. It is only read. */
export interface TransferSource {
  /** Where it is, for people. */
  place: string
  /** In batches that fit into memory. */
  read(table: TransferTable): AsyncIterable<TransferRow[]>
  /** Names of the segments that it points at. */
  segments(): Promise<string[]>
  /** How many page versions need a record in one of these. */
  countPagesIn(segments: string[]): Promise<number>
  close(): Promise<void>
}

export interface CrawlAuditFinding extends AuditFinding {
  crawlId: string
}

/** A store with nothing in it. Nobody else can open it until it is finished. */
export interface TransferTarget {
  place: string
  /** Tables in the order of the list, each once it is complete. */
  write(table: TransferTable, rows: TransferRow[]): Promise<void>
  /**
   * Makes what rows alone do not say, then recounts every crawl; with no findings the store is released. `now` counts
   * in place of the store's own clock, for tests.
   */
  finish(now: number | null): Promise<CrawlAuditFinding[]>
  close(): Promise<void>
}
