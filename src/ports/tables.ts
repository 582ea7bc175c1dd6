// Tables for a file that other programs read.

export interface TableDefinition {
  name: string
  columns: { name: string; type: 'text' | 'integer' | 'real' }[]
  /** The column with unique values; null if there is none. */
  key: string | null
}

export interface TableRow {
  table: string
  /** Values in the order of the columns. */
  values: (string | number | null)[]
}

/** Creates a database file with these tables. Fails if the file exists. */
export type WriteTables = (
  file: string,
  tables: readonly TableDefinition[],
  rows: AsyncIterable<TableRow>,
) => Promise<void>
