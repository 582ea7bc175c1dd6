// A database as the target of a move.

import {
  type CrawlFinding,
  columnsOf,
  TABLE_NAMES,
  type TransferKind,
  type TransferRow,
  type TransferTable,
  type TransferTarget,
  type TransferValue,
} from '../../ports/transfer.ts'
import { notEmpty } from '../rows/move-errors.ts'
import { audit } from './audit.ts'
import { placeOf } from './connect.ts'
import { INDEX_TABLES } from './index-tables.ts'
import { migrate } from './migrate.ts'
import { plainText, type Queryable } from './query.ts'
import { type AloneConnection, connectAlone, refuseIfAtWork } from './transfer-connect.ts'
import { makeReady } from './transfer-finish.ts'
import { isMoving, removeMark, setMark } from './transfer-mark.ts'

/** Tables that follow from the others, or belong to processes that are gone. */
const OTHERS = [
  ...['queues', 'leases', 'workers', 'processes', 'marks', 'deliveries', 'known_requests'],
  ...['outside_documents', 'outside_secret', 'keepers', 'fleet_holds'],
]
export const EMPTIED = [
  ...TABLE_NAMES.filter((table) => table !== 'page_ids'),
  ...OTHERS,
  'index_queue',
  ...INDEX_TABLES,
]

/** Counts and patterns are added up over workers; what was moved stands for one. Processes have numbers from 1. */
const MOVED_BY = { worker: `'0/'` }
/** Columns that only rows of this store have. A pattern was told before anything that workers will say of it. */
const ADDED: Partial<Record<TransferTable, Record<string, string>>> = {
  counters: MOVED_BY,
  rejections: MOVED_BY,
  patterns: { ...MOVED_BY, changed_at: '1' },
}

const TYPES: Record<TransferKind, string> = {
  ...({ number: 'bigint', wide: 'bigint', real: 'double precision', flag: 'boolean', text: 'text' } as const),
  bytes: 'bytea',
}

export async function openTarget(url: string): Promise<TransferTarget> {
  const alone = await connectAlone(url, true)
  const { db } = alone
  try {
    await migrate(db, { create: true, isForMove: true })
    await refuseIfAtWork(db, url)
    const hasCrawls = (await db.query({ text: 'select 1 from crawls limit 1' })).rows.length > 0
    if (hasCrawls && !(await isMoving(db))) throw notEmpty(placeOf(url))
    await db.query({ text: `truncate ${EMPTIED.join(', ')}` })
    await setMark(db)
    return new PostgresTarget(url, alone)
  } catch (error) {
    await alone.close()
    throw error
  }
}

class PostgresTarget implements TransferTarget {
  readonly place: string
  readonly #alone: AloneConnection

  constructor(url: string, alone: AloneConnection) {
    this.place = placeOf(url)
    this.#alone = alone
  }

  write(table: TransferTable, rows: TransferRow[]): Promise<void> {
    return writeRows(this.#alone.db, table, rows)
  }

  async finish(now: number | null): Promise<CrawlFinding[]> {
    const { db } = this.#alone
    await makeReady(db, EMPTIED, now)
    const { rows } = await db.query({ text: 'select id, uuid from crawls order by id' })
    const findings: CrawlFinding[] = []
    for (const row of rows) {
      const found = await audit(db, Number(row['id']))
      findings.push(...found.map((finding) => ({ ...finding, crawlId: String(row['uuid']) })))
    }
    if (findings.length === 0) await removeMark(db)
    return findings
  }

  close(): Promise<void> {
    return this.#alone.close()
  }
}

/** One statement, and so one transaction. */
export async function writeRows(db: Queryable, table: TransferTable, rows: TransferRow[]): Promise<void> {
  if (table === 'page_ids') {
    const text = `update blocks set next = greatest(next, $1::bigint + 1) where name = 'page'`
    for (const { last } of rows) await db.query({ text, values: [last] })
    return
  }
  const columns = columnsOf(table)
  const added = Object.entries(ADDED[table] ?? {})
  const names = [...columns, ...added].map(([name]) => `"${name}"`).join(', ')
  const lists = columns.map(([, kind], i) => `$${i + 1}::${TYPES[kind]}[]`).join(', ')
  const rest = added.map(([, value]) => `, ${value}`).join('')
  await db.query({
    name: `move_${table}`,
    text: `insert into ${table} (${names}) overriding system value select r.*${rest} from unnest(${lists}) as r`,
    values: columns.map(([name, kind]) => rows.map((row) => asKind(row[name] ?? null, kind))),
  })
}

function asKind(value: TransferValue, kind: TransferKind): TransferValue | Buffer {
  if (typeof value === 'string') return plainText(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return typeof value === 'number' && kind === 'number' ? Math.round(value) : value
}
