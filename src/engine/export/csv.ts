// RFC 4180. People read it, so it names the page that a URL was discovered on by its URL, where other formats have its id.
// Text cells that a spreadsheet would take for a formula get a leading quote (OWASP ASVS 5, 1.2.10).

import { type CellValue, COLUMN_NAMES, COLUMNS, fieldCell } from './columns.ts'
import { encodeInChunks } from './encode-in-chunks.ts'
import type { RowWithParent } from './with-parent-urls.ts'

const FORMULA_STARTS = new Set(['=', '+', '-', '@', '\t', '\r', '\0'])

/** `fields` are the names of the fields that the crawl extracts; each is a column after the others. */
export function toCsv(
  rows: AsyncIterable<RowWithParent>,
  fields: readonly string[] = [],
): AsyncGenerator<string, void, undefined> {
  const names = [...COLUMN_NAMES, ...fields.map((name) => csvCell(`fields.${name}`))]
  return encodeInChunks(rows, (row) => csvRow(row, fields), { head: `${names.join(',')}\r\n`, tail: '' })
}

function csvRow(row: RowWithParent, fields: readonly string[]): string {
  let text = ''
  for (const [index, { name, value }] of COLUMNS.entries()) {
    text += (index > 0 ? ',' : '') + csvCell(name === 'discovered_from' ? row.parentUrl : value(row))
  }
  for (const name of fields) text += `,${csvCell(fieldCell(row.data?.fields?.[name] ?? null))}`
  return `${text}\r\n`
}

export function csvCell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const harmless = FORMULA_STARTS.has(value.charAt(0)) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
