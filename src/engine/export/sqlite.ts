// A crawl as a SQLite file: its URLs, its links and, if it extracts data, the data of the newest version of each page.

import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractRule } from '../../config/values/extract-rules.ts'
import type { StructuredData } from '../../ports/pages.ts'
import type { TableDefinition, TableRow, WriteTables } from '../../ports/tables.ts'
import type { Edge } from '../../ports/urls.ts'
import { COLUMNS, type ExportRow, fieldCell } from './columns.ts'

export interface SqliteExportDependencies {
  rules: readonly ExtractRule[]
  structuredData: boolean
  /** Rows have data: by rules, as structured data, or by hooks alone. */
  hasData: boolean
  scratchFolder: string
  writeTables: WriteTables
}

const TYPES = { string: 'text', int: 'integer', long: 'integer', double: 'real' } as const
const PARTS = [
  'json_ld',
  'microdata',
  'rdfa',
  'open_graph',
  'twitter',
  'feeds',
  'tables',
] as const satisfies (keyof StructuredData)[]

/** Names of rules begin with a letter, so these cannot be names of fields. */
const PAGE_KEY = [
  { name: '_url_id', type: 'integer' },
  { name: '_url', type: 'text' },
] as const

/** Hooks may return any names, also more than a table can have columns. */
const HOOK_FIELD = [
  { name: 'name', type: 'text' },
  { name: 'value', type: 'text' },
] as const

export async function* toSqlite(
  rows: AsyncIterable<ExportRow>,
  edges: AsyncIterable<Edge>,
  dependencies: SqliteExportDependencies,
): AsyncGenerator<Buffer> {
  const file = join(dependencies.scratchFolder, `orbweaver-${randomUUID()}.sqlite`)
  try {
    await dependencies.writeTables(file, tablesOf(dependencies), tableRows(rows, edges, dependencies))
    for await (const chunk of createReadStream(file)) yield chunk as Buffer
  } finally {
    await rm(file, { force: true })
  }
}

function tablesOf({ rules, structuredData, hasData }: SqliteExportDependencies): TableDefinition[] {
  const urls = COLUMNS.map(({ name, type }) => ({ name, type: TYPES[type] }))
  const fields = rules.map(({ name, type, many }) => ({
    name,
    type: type === 'number' && many !== true ? ('real' as const) : ('text' as const),
  }))
  const parts = PARTS.map((name) => ({ name, type: 'text' as const }))
  const tables: TableDefinition[] = [
    { name: 'urls', columns: urls, key: 'id' },
    {
      name: 'links',
      columns: [
        { name: 'from_id', type: 'integer' },
        { name: 'to_id', type: 'integer' },
      ],
      key: null,
    },
  ]
  if (rules.length > 0) tables.push({ name: 'fields', columns: [...PAGE_KEY, ...fields], key: '_url_id' })
  if (hasData) tables.push({ name: 'hook_fields', columns: [...PAGE_KEY, ...HOOK_FIELD], key: null })
  if (structuredData) tables.push({ name: 'structured_data', columns: [...PAGE_KEY, ...parts], key: '_url_id' })
  return tables
}

async function* tableRows(
  rows: AsyncIterable<ExportRow>,
  edges: AsyncIterable<Edge>,
  { rules }: SqliteExportDependencies,
): AsyncGenerator<TableRow> {
  const ruleNames = new Set(rules.map(({ name }) => name))
  for await (const row of rows) {
    yield { table: 'urls', values: COLUMNS.map(({ value }) => value(row)) }
    const { fields = null, structured_data: structured = null } = row.data ?? {}
    if (fields !== null && rules.length > 0) {
      const values = rules.map(({ name }) => fieldCell(fields[name] ?? null))
      yield { table: 'fields', values: [row.id, row.url, ...values] }
    }
    for (const [name, value] of Object.entries(fields ?? {}))
      if (!ruleNames.has(name)) yield { table: 'hook_fields', values: [row.id, row.url, name, fieldCell(value)] }
    if (structured !== null) {
      const values = PARTS.map((part) => JSON.stringify(structured[part]))
      yield { table: 'structured_data', values: [row.id, row.url, ...values] }
    }
  }
  for await (const { from, to } of edges) yield { table: 'links', values: [from, to] }
}
