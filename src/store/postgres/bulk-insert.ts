// Inserts any number of rows with one statement: one array per column, combined by the server with unnest.

import type { Queryable } from './query.ts'

type PostgresType = 'bigint' | 'int' | 'smallint' | 'text' | 'bytea' | 'boolean' | 'double precision'

export interface BulkInsert<Column extends string> {
  run(db: Queryable, rows: Record<Column, unknown>[]): Promise<void>
}

/** `tail` follows the select: an order, and what to do about conflicts. */
export function bulkInsert<Column extends string>(
  table: string,
  columns: Record<Column, PostgresType>,
  tail = '',
): BulkInsert<Column> {
  const names = Object.keys(columns) as Column[]
  const quoted = names.map((name) => `"${name}"`).join(', ')
  const lists = names.map((name, i) => `$${i + 1}::${columns[name]}[]`).join(', ')
  const text = `insert into ${table} (${quoted}) select * from unnest(${lists}) as r (${quoted}) ${tail}`
  return {
    async run(db, rows) {
      if (rows.length === 0) return
      const values = names.map((name) => rows.map((row) => row[name]))
      await db.query({ name: `insert_${table}`, text, values })
    },
  }
}
