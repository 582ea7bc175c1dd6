// A database as the target of a transfer.

import {
  type CrawlFailedCheck,
  TRANSFER_TABLE_NAMES,
  type TransferRow,
  type TransferTable,
  type TransferTarget,
  type TransferValue,
  transferColumns,
} from '../../ports/transfer.ts'
import type { TransferColumnType } from '../../ports/transfer-tables/columns.ts'
import { INDEX_TABLES } from '../postgres/index-tables.ts'
import { migrate } from '../postgres/migrate.ts'
import { type Queryable, toPostgresText } from '../postgres/query.ts'
import { storeLocation } from '../postgres/store-errors.ts'
import { verifyCrawl } from '../urls/postgres-verify.ts'
import { storeNotEmptyError } from './move-errors.ts'
import { assertNotInUse, connectExclusively, type ExclusiveConnection } from './postgres-exclusive-connection.ts'
import { finishTarget } from './postgres-finish.ts'
import { hasUnfinishedMove, markMove, unmarkMove } from './postgres-move-mark.ts'

/** Tables that are derived from others, or belong to processes that are gone. */
const DERIVED_TABLES = [
  'queues',
  'leases',
  'workers',
  'processes',
  'marks',
  'deliveries',
  'known_requests',
  'outside_documents',
  'outside_secret',
  'keepers',
  'fleet_holds',
]
export const EMPTIED_TABLES = [
  ...TRANSFER_TABLE_NAMES.filter((table) => table !== 'page_ids'),
  ...DERIVED_TABLES,
  'index_queue',
  ...INDEX_TABLES,
]

/** Counters and patterns are summed over workers; the transferred rows count as one. Process numbers start at 1. */
const MOVED_BY = { worker: `'0/'` }
/** Columns that only this store has. A transferred pattern is older than anything that workers report. */
const ADDED_COLUMNS: Partial<Record<TransferTable, Record<string, string>>> = {
  counters: MOVED_BY,
  rejections: MOVED_BY,
  host_requests: MOVED_BY,
  patterns: { ...MOVED_BY, changed_at: '1' },
}

const TYPES: Record<TransferColumnType, string> = {
  number: 'bigint',
  wide: 'bigint',
  real: 'double precision',
  flag: 'boolean',
  text: 'text',
  bytes: 'bytea',
}

export async function openTarget(url: string): Promise<TransferTarget> {
  const connection = await connectExclusively(url, true)
  const { db } = connection
  try {
    await migrate(db, { create: true, isForMove: true })
    await assertNotInUse(db, url)
    const hasCrawls = (await db.query({ text: 'select 1 from crawls limit 1' })).rows.length > 0
    if (hasCrawls && !(await hasUnfinishedMove(db))) throw storeNotEmptyError(storeLocation(url))
    await db.query({ text: `truncate ${EMPTIED_TABLES.join(', ')}` })
    await markMove(db)
    return new PostgresTarget(url, connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

class PostgresTarget implements TransferTarget {
  readonly place: string
  readonly #connection: ExclusiveConnection

  constructor(url: string, connection: ExclusiveConnection) {
    this.place = storeLocation(url)
    this.#connection = connection
  }

  write(table: TransferTable, rows: TransferRow[]): Promise<void> {
    return writeRows(this.#connection.db, table, rows)
  }

  async finish(now: number | null): Promise<CrawlFailedCheck[]> {
    const { db } = this.#connection
    await finishTarget(db, EMPTIED_TABLES, now)
    const { rows } = await db.query({ text: 'select id, uuid from crawls order by id' })
    const findings: CrawlFailedCheck[] = []
    for (const row of rows) {
      const found = await verifyCrawl(db, Number(row['id']))
      findings.push(...found.map((failedCheck) => ({ ...failedCheck, crawlId: String(row['uuid']) })))
    }
    if (findings.length === 0) await unmarkMove(db)
    return findings
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

/** Writes rows with one statement, and so in one transaction. */
export async function writeRows(db: Queryable, table: TransferTable, rows: TransferRow[]): Promise<void> {
  if (table === 'page_ids') {
    const text = `update blocks set next = greatest(next, $1::bigint + 1) where name = 'page'`
    for (const { last } of rows) await db.query({ text, values: [last] })
    return
  }
  if (table === 'change_cursor') {
    const text = 'with old as (delete from change_cursor) insert into change_cursor (last) values ($1)'
    for (const { last } of rows) await db.query({ text, values: [last] })
    return
  }
  if (table === 'monitor_revision') {
    const text = 'with old as (delete from monitor_revision) insert into monitor_revision (revision) values ($1)'
    for (const { revision } of rows) await db.query({ text, values: [revision] })
    return
  }
  const columns = transferColumns(table)
  const added = Object.entries(ADDED_COLUMNS[table] ?? {})
  const names = [...columns, ...added].map(([name]) => `"${name}"`).join(', ')
  const lists = columns.map(([, kind], i) => `$${i + 1}::${TYPES[kind]}[]`).join(', ')
  const rest = added.map(([, value]) => `, ${value}`).join('')
  await db.query({
    name: `move_${table}`,
    text: `insert into ${table} (${names}) overriding system value select r.*${rest} from unnest(${lists}) as r`,
    values: columns.map(([name, kind]) => rows.map((row) => toColumnValue(row[name] ?? null, kind))),
  })
}

function toColumnValue(value: TransferValue, kind: TransferColumnType): TransferValue | Buffer {
  if (typeof value === 'string') return toPostgresText(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return typeof value === 'number' && kind === 'number' ? Math.round(value) : value
}
