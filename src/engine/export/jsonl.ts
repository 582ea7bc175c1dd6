import type { PageData } from '../../ports/pages.ts'
import { COLUMNS, type ExportedRow, type ExportRow } from './columns.ts'
import { encodeInChunks } from './encode-in-chunks.ts'

/** One JSON object per line. */
export function toJsonl(rows: AsyncIterable<ExportRow>): AsyncGenerator<string, void, undefined> {
  return encodeInChunks(rows, (row) => `${rowJson(row)}\n`, { head: '', tail: '' })
}

export function rowJson(row: ExportRow): string {
  const record: Partial<ExportedRow> & Partial<Pick<PageData, 'fields' | 'structured_data'>> = {}
  for (const { name, value } of COLUMNS) record[name] = value(row)
  if (row.data !== undefined) {
    record.fields = row.data?.fields ?? null
    record.structured_data = row.data?.structured_data ?? null
  }
  return escapeInvisible(JSON.stringify(record))
}

/** Any value as one line of JSON. */
export function jsonLine(value: object): string {
  return `${escapeInvisible(JSON.stringify(value))}\n`
}

// JSON itself escapes only C0. Escaping DEL, C1, invisible and line-breaking characters as well loses nothing, protects
// terminals, and helps readers that split at U+2028.
const INVISIBLE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE, (char) => {
    const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}
