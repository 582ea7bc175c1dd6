// Every column of every table is moved unchanged by both stores, also at the limits of its range.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { TRANSFER_TABLE_NAMES, type TransferRow, type TransferTable, transferColumns } from '../ports/transfer.ts'
import { testPool } from '../store/testing/test-pool.ts'
import { readRows as readPostgres } from '../store/transfer/postgres-source.ts'
import { EMPTIED_TABLES, writeRows } from '../store/transfer/postgres-target.ts'
import { openMovingFile } from '../store/transfer/sqlite-moving-file.ts'
import { readRows as readSqlite } from '../store/transfer/sqlite-source.ts'
import { makeRowWriter } from '../store/transfer/sqlite-target.ts'

const MIN_BIGINT = '-9223372036854775808'
const MAX_BIGINT = '9223372036854775807'
const TEXT = 'ü \u2028 "quoted", {braces} \\ NULL 🕸'
const BYTES = new Uint8Array([0, 255, 92, 34, 0])
const TIME = 1_800_000_000_123
const SMALL: Record<string, number> = { state: 10, rank: 10, hops: 10, kind: 1, page: 4_294_967_295, quarter: 65_535 }

const SINGLE_ROWS: TransferTable[] = ['page_ids', 'change_cursor', 'monitor_revision']

/** A row with all columns filled, and a row with all optional columns null. */
function rowsOf(table: TransferTable): TransferRow[] {
  const rows = [fullRow(table), { ...fullRow(table), ...MINIMAL[table], ...OTHER_KEY[table] }]
  return SINGLE_ROWS.includes(table) ? rows.slice(1) : rows
}

function fullRow(table: TransferTable): TransferRow {
  return Object.fromEntries(
    transferColumns(table).map(([name, kind]) => {
      if (name.endsWith('_at') || name === 'unused_since' || name === 'lastmod') return [name, TIME]
      // Rows of URLs refer to their crawl and host by it.
      if (kind === 'number' && ['id', 'crawl', 'host', 'url_id'].includes(name)) return [name, 1]
      const values = { number: SMALL[name] ?? 7, wide: MIN_BIGINT, real: 0.3, flag: 1, text: TEXT, bytes: BYTES }
      return [name, name === 'fingerprint' ? '72057594037927935' : values[kind]]
    }),
  )
}

const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))

const MINIMAL: Partial<Record<TransferTable, TransferRow>> = {
  crawls: nulls('requested_url', 'closing', 'reason', 'finished_at'),
  urls: { ...nulls('parent', 'reason', 'trials'), key: MAX_BIGINT },
  visits: {
    ...nulls('reason', 'http_status', 'content_length', 'fetch_ms', 'content_hash', 'content_type', 'ip', 'title'),
    ...nulls('redirect_to', 'canonical', 'cname', 'proxy'),
    noindex: 0,
  },
  ancestry: nulls('skeletons'),
  trial_visits: nulls('lines'),
  listings: nulls('lastmod', 'changefreq', 'priority'),
  revisits: nulls(
    'due_at',
    'reason',
    'seen_hash',
    'etag',
    'last_modified',
    'expires_at',
    'sitemap_signal',
    'feed_signal',
  ),
  recrawls: nulls('planned_to', 'threshold', 'tokens', 'updated_at', 'round_ms', 'first_round_at'),
  changes: {
    ...nulls('expires_at', 'page', 'previous_page', 'due_at', 'cursor', 'published_at', 'words_added', 'words_removed'),
    ...nulls('summary', 'is_repeated'),
  },
  cookies: nulls('expires_at'),
  robots: nulls('status', 'problem', 'body', 'good_at'),
  contents: nulls('unused_since', 'url'),
  domain_policies: {
    ...nulls('weight', 'delay_ms', 'per_host', 'rate', 'burst', 'max_pages', 'recrawl_min_ms', 'recrawl_max_ms'),
  },
  tokens: nulls('last_used_at'),
  monitor_documents: nulls('url'),
  monitor_hits: nulls('title', 'acknowledged_at'),
  audits: nulls('finished_at', 'summary', 'problem'),
  webhooks: nulls('delivered_at', 'delivered_status', 'delivered_problem'),
  pages: {
    ...nulls('expires_at', 'fingerprint', 'resembles', 'segment', 'offset', 'length', 'words', 'content', 'charset'),
    ...nulls('lang', 'description', 'keywords', 'note'),
  },
}

const OTHER_KEY: Partial<Record<TransferTable, TransferRow>> = {
  crawls: { id: 2, uuid: 'other' },
  counters: { crawl: 2 },
  hosts: { id: 2, name: 'other' },
  urls: { id: 2 },
  visits: { attempt: 8 },
  links: { url_id: 2 },
  detours: { url_id: 2, targets: null },
  beyond: { url_id: 2 },
  held_urls: { key: MAX_BIGINT, url_id: 2 },
  trial_visits: { url_id: 2 },
  ancestry: { url_id: 2 },
  pattern_lines: { line: 8 },
  pattern_trials: { pattern: 'other' },
  listings: { url_id: 2 },
  script_urls: { url_id: 2 },
  revisits: { url_id: 2 },
  revisit_hosts: { host: 2 },
  revisit_groups: { name: 'other' },
  recrawls: { crawl: 2 },
  changes: { id: 2 },
  change_hosts: { host: 2 },
  patterns: { pattern: 'other' },
  render_patterns: { pattern: 'other' },
  rejections: { reason: 'other' },
  host_requests: { host: 'other' },
  cookies: { name: 'other', version: 8 },
  rejection_samples: { sample: 'other' },
  robots: { origin: 'other' },
  segments: { id: 2, name: 'other' },
  contents: { digest: new Uint8Array([1]) },
  pages: { id: 2 },
  fingerprints: { fingerprint: '1', page: 8 },
  page_ids: { last: 1_000_000_000_000 },
  blocked_hosts: { host: 2 },
  crawl_samples: { at: 2 },
  domain_policies: { host: 'other' },
  indexer_reports: { indexer: 'other' },
  task_errors: { url: 'other' },
  tokens: { id: 'other' },
  webhooks: { id: 'other' },
  monitors: { id: 'other' },
  monitor_documents: { id: 'other' },
  monitor_mutes: { monitor: 'other' },
  monitor_states: { monitor: 'other' },
  monitor_hits: { id: 2, monitor: 'other' },
  audits: { id: 2 },
  audit_findings: { chunk: 8 },
}

/** Embedded stores apply shorter paths immediately, so they have no such table. */
const TABLES = TRANSFER_TABLE_NAMES.filter((table) => table !== 'detours')

it('an embedded store reads rows as they were written', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-rows-'))
  const file = openMovingFile(join(folder, 'data'))
  t.after(() => {
    file.close()
    rmSync(folder, { recursive: true })
  })
  for (const table of TABLES) rowsOf(table).forEach(makeRowWriter(file.db, table))
  for (const table of TABLES)
    assert.deepEqual(sortedRows([...readSqlite(file.db, table)]), sortedRows(rowsOf(table)), table)
})

it('a database reads rows as they were written', async (t) => {
  const connection = await (await testPool(t)).connect()
  const db = { query: connection.query.bind(connection), connect: async () => connection }
  try {
    for (const table of TRANSFER_TABLE_NAMES) await writeRows(connection, table, rowsOf(table))
    await connection.query('begin')
    for (const table of TRANSFER_TABLE_NAMES) {
      const rows = await Array.fromAsync(readPostgres(db, table))
      assert.deepEqual(sortedRows(rows), sortedRows(rowsOf(table)), table)
    }
  } finally {
    connection.release(true)
  }
})

/** Rows as text, so that all kinds of byte arrays compare equal. */
function sortedRows(rows: TransferRow[]): string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).map(([name, value]) => [name, plain(value)]))).sort()
}

function plain(value: TransferRow[string] | undefined): unknown {
  return value instanceof Uint8Array ? [...value] : value
}

it('restarting a move empties every table of a database', async (t) => {
  const pool = await testPool(t)
  const { rows } = await pool.query(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const tables = rows.map((row) => String(row['relname']))
  // Ids and versions continue from their last values.
  assert.deepEqual([...EMPTIED_TABLES, 'blocks', 'policy_version', 'store_version'].sort(), tables.sort())
})
