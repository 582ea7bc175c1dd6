// Columns for people: headings, a text column to the left, numbers to the right.

import { clean } from '../live/units.ts'

export interface TableColumn<Row> {
  title: string
  align: 'left' | 'right'
  value: (row: Row) => string
}

export function tableLines<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string[] {
  const cells = rows.map((row) => columns.map((column) => clean(column.value(row))))
  const widths = columns.map((column, i) => Math.max(column.title.length, ...cells.map((line) => line[i]?.length ?? 0)))
  const toLine = (line: readonly string[]) =>
    line
      .map((text, i) => (columns[i]?.align === 'right' ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [toLine(columns.map((column) => column.title)), ...cells.map(toLine)]
}
