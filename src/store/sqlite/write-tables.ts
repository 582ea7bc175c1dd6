import { DatabaseSync } from 'node:sqlite'
import type { TableDefinition, TableRow } from '../../ports/tables.ts'

/** Rows in a transaction. */
const BATCH_ROWS = 5000

/** Implements WriteTables. A file that was not completed is useless, so nothing is synced. */
export async function writeTables(
  file: string,
  tables: readonly TableDefinition[],
  rows: AsyncIterable<TableRow>,
): Promise<void> {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma journal_mode = off; pragma synchronous = off')
    for (const table of tables) db.exec(createTable(table))
    const inserts = new Map(tables.map((table) => [table.name, db.prepare(insertInto(table))]))
    let count = 0
    db.exec('begin')
    for await (const { table, values } of rows) {
      inserts.get(table)?.run(...values)
      count += 1
      if (count % BATCH_ROWS === 0) db.exec('commit; begin')
    }
    db.exec('commit')
  } finally {
    db.close()
  }
}

function createTable({ name, columns, key }: TableDefinition): string {
  const defined = columns.map(
    (column) => `${quote(column.name)} ${column.type}${column.name === key ? ' primary key' : ''}`,
  )
  return `create table ${quote(name)} (${defined.join(', ')})`
}

function insertInto({ name, columns }: TableDefinition): string {
  return `insert into ${quote(name)} values (${columns.map(() => '?').join(', ')})`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
