// Moves a whole store into another one as plain rows, table by table, in an order in which they can be written. Ids and
// keys stay the same. Leases are not moved: URLs in flight become queued.

import type { FailedCheck } from './urls.ts'

/**
 * Column types: `wide` numbers use all 64 bits and are sent as decimal text, `flag` is 0 or 1, `real` is any number,
 * `number` an integer below 2^53.
 */
export type TransferColumnType = 'number' | 'wide' | 'real' | 'flag' | 'text' | 'bytes'

const COUNTERS = {
  open: 'number',
  open_revisits: 'number',
  known_pages: 'number',
  visited: 'number',
  redirected: 'number',
  forbidden: 'number',
  not_found: 'number',
  http_error: 'number',
  failed: 'number',
  excluded: 'number',
  bytes: 'number',
  sitemaps: 'number',
  sitemaps_found: 'number',
  requisites: 'number',
  late_reports: 'number',
} as const

const URL = { crawl: 'number', host: 'number', url_id: 'number' } as const
const PLACE = { segment: 'number', offset: 'number', length: 'number' } as const

/** `counters` is the ledger of a crawl; `page_ids` holds the highest page id ever used. */
export const TRANSFER_TABLES = {
  crawls: {
    id: 'number',
    uuid: 'text',
    status: 'text',
    closing: 'text',
    reason: 'text',
    root_url: 'text',
    requested_url: 'text',
    seeds: 'text',
    settings: 'text',
    key_seed: 'wide',
    created_at: 'number',
    finished_at: 'number',
    active_ms: 'number',
  },
  counters: { crawl: 'number', ...COUNTERS },
  hosts: {
    id: 'number',
    name: 'text',
    next_at: 'number',
    response_ms: 'number',
    gap_ms: 'number',
    strikes: 'number',
    concurrency_limit: 'real',
  },
  urls: {
    id: 'number',
    crawl: 'number',
    key: 'wide',
    host: 'number',
    state: 'number',
    rank: 'number',
    depth: 'number',
    hops: 'number',
    due_at: 'number',
    attempts: 'number',
    parent: 'number',
    first_seen_at: 'number',
    kind: 'number',
    url: 'text',
    reason: 'text',
  },
  visits: {
    ...URL,
    attempt: 'number',
    state: 'number',
    reason: 'text',
    http_status: 'number',
    content_length: 'number',
    fetch_ms: 'number',
    visited_at: 'number',
    content_hash: 'bytes',
    content_type: 'text',
    ip: 'text',
    title: 'text',
    redirect_to: 'text',
    canonical: 'text',
    noindex: 'flag',
    cname: 'text',
    thread: 'text',
    processing_ms: 'number',
    plain_look: 'number',
  },
  links: { ...URL, targets: 'bytes' },
  beyond: { ...URL, found: 'text' },
  held_links: { ...URL, pattern: 'text', found: 'text' },
  ancestry: { ...URL, skeletons: 'bytes', trial: 'text' },
  detours: { ...URL, targets: 'bytes' },
  listings: { ...URL, lastmod: 'number', changefreq: 'text', priority: 'real' },
  script_urls: { ...URL },
  revisits: {
    ...URL,
    due_at: 'number',
    interval_ms: 'number',
    state: 'number',
    reason: 'text',
    attempts: 'number',
    visited_at: 'number',
    changed_at: 'number',
    visits: 'number',
    changes: 'real',
    observed_ms: 'real',
    seen_hash: 'bytes',
    etag: 'text',
    last_modified: 'text',
    expires_at: 'number',
    importance: 'real',
    link_rank: 'real',
    rate_group: 'text',
    sitemap_signal: 'number',
    feed_signal: 'number',
  },
  revisit_hosts: {
    crawl: 'number',
    host: 'number',
    tests: 'number',
    honest: 'number',
    lied: 'number',
    observations: 'real',
    weight: 'real',
    log_rates: 'real',
    squared_log_rates: 'real',
    sitemap_right: 'real',
    sitemap_wrong: 'real',
    sitemap_missed: 'real',
    feed_right: 'real',
    feed_wrong: 'real',
    feed_missed: 'real',
  },
  revisit_groups: {
    crawl: 'number',
    host: 'number',
    name: 'text',
    observations: 'real',
    weight: 'real',
    log_rates: 'real',
    squared_log_rates: 'real',
  },
  recrawls: {
    crawl: 'number',
    planned_to: 'number',
    threshold: 'real',
    tokens: 'real',
    updated_at: 'number',
    round_ms: 'real',
    first_round_at: 'number',
  },
  changes: {
    id: 'number',
    ...URL,
    url_hash: 'wide',
    kind: 'text',
    at: 'number',
    expires_at: 'number',
    page: 'number',
    previous_page: 'number',
    facts: 'text',
    is_repeated: 'flag',
    due_at: 'number',
    tries: 'number',
    cursor: 'number',
    published_at: 'number',
    words_added: 'number',
    words_removed: 'number',
    summary: 'text',
  },
  change_cursor: { last: 'number' },
  change_hosts: { crawl: 'number', host: 'number', noise: 'text' },
  patterns: { crawl: 'number', pattern: 'text', state: 'text', visits: 'number', fruitless: 'number' },
  pattern_lines: { crawl: 'number', pattern: 'text', line: 'number' },
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
  segments: { id: 'number', name: 'text', dead_bytes: 'number', is_forgotten: 'flag' },
  contents: {
    digest: 'bytes',
    ...PLACE,
    ...URL,
    fetched_at: 'number',
    unused_since: 'number',
    is_alone: 'flag',
    is_damaged: 'flag',
    url: 'text',
  },
  pages: {
    id: 'number',
    ...URL,
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
    ...PLACE,
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
  monitors: {
    id: 'text',
    name: 'text',
    rule: 'text',
    crawls: 'text',
    include: 'text',
    exclude: 'text',
    is_muted: 'flag',
    created_at: 'number',
    deleted_hits: 'number',
    dropped_hits: 'number',
  },
  monitor_documents: {
    id: 'text',
    monitor: 'text',
    title: 'text',
    url: 'text',
    words: 'number',
    added_at: 'number',
    text: 'text',
  },
  monitor_mutes: { monitor: 'text', url: 'text' },
  monitor_states: {
    monitor: 'text',
    url: 'text',
    crawl: 'number',
    page: 'number',
    visited_at: 'number',
    state: 'text',
  },
  monitor_hits: {
    id: 'number',
    monitor: 'text',
    crawl: 'number',
    page: 'number',
    url: 'text',
    version: 'number',
    title: 'text',
    visited_at: 'number',
    at: 'number',
    evidence: 'text',
    is_muted: 'flag',
    is_announced: 'flag',
    acknowledged_at: 'number',
  },
  monitor_revision: { revision: 'number' },
  audits: {
    id: 'number',
    crawl: 'number',
    state: 'text',
    started_at: 'number',
    updated_at: 'number',
    finished_at: 'number',
    progress: 'text',
    summary: 'text',
    problem: 'text',
  },
  audit_findings: { crawl: 'number', audit: 'number', rule: 'text', chunk: 'number', findings: 'text' },
} as const satisfies Record<string, Record<string, TransferColumnType>>

export type TransferTable = keyof typeof TRANSFER_TABLES

export const TRANSFER_TABLE_NAMES = Object.keys(TRANSFER_TABLES) as TransferTable[]

export type TransferValue = string | number | Uint8Array | null
export type TransferRow = Record<string, TransferValue>

export function transferColumns(table: TransferTable): [name: string, kind: TransferColumnType][] {
  return Object.entries(TRANSFER_TABLES[table])
}

/** A store that no process uses until this is closed. Read only. */
export interface TransferSource {
  /** Its location, for display. */
  place: string
  /** In batches that fit into memory. */
  read(table: TransferTable): AsyncIterable<TransferRow[]>
  /** Names of the segments that it refers to. */
  segments(): Promise<string[]>
  /** Number of page versions with a record in one of these segments. */
  countPagesIn(segments: string[]): Promise<number>
  close(): Promise<void>
}

export interface CrawlFailedCheck extends FailedCheck {
  crawlId: string
}

/** An empty store. Nobody else can open it until it is finished. */
export interface TransferTarget {
  place: string
  /** Tables in order, each in one go. */
  write(table: TransferTable, rows: TransferRow[]): Promise<void>
  /**
   * Builds what is not in the rows, then verifies every crawl. Without findings the store is released for use. `now`
   * replaces the clock of the store in tests.
   */
  finish(now: number | null): Promise<CrawlFailedCheck[]>
  close(): Promise<void>
}
