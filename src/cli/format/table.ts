// Formats a text table. If it is too wide, short values are used, then columns are dropped, then the flexible columns are
// truncated to the same width; a line never wraps.

import type { WriteStream } from 'node:tty'
import { displayWidth, sanitizeText, truncate, truncateUrl } from './units.ts'

export interface TableColumn<Row> {
  title: string
  align: 'left' | 'right'
  value: (row: Row) => string
  /** Used instead of `value` if the table is too wide. */
  short?: (row: Row) => string
  /** May be dropped if the table is too wide; the lowest number goes first. */
  dropAs?: number
  /** Truncated to the width that the other columns leave; `url` in the middle. */
  isFlexible?: boolean | 'url'
}

const GAP = 2
/** Other columns are dropped before a flexible column gets narrower than this. */
const MIN_FLEXIBLE_WIDTH = 20

/** Unlimited for pipes and files. */
export function outputWidth(stream: Pick<WriteStream, 'isTTY' | 'columns'>): number {
  return stream.isTTY && stream.columns > 0 ? stream.columns : Number.POSITIVE_INFINITY
}

export function tableLines<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], width: number): string[] {
  const full = columns.map((column) => layOutColumn(column, rows, column.value))
  if (totalWidth(full) <= width) return toLines(full)
  let shown = columns.map((column) => layOutColumn(column, rows, column.short ?? column.value))
  while (totalWidth(shown, MIN_FLEXIBLE_WIDTH) > width) {
    const droppable = shown.filter(({ dropAs }) => dropAs !== null)
    const [first] = droppable.toSorted((a, b) => (a.dropAs ?? 0) - (b.dropAs ?? 0))
    if (first === undefined) break
    shown = shown.filter((column) => column !== first)
  }
  const flexible = shown.filter(({ isFlexible }) => isFlexible !== false)
  let widest = Math.max(1, ...flexible.map((column) => column.width))
  while (widest > 1 && totalWidth(shown, widest) > width) widest -= 1
  for (const column of flexible) column.width = Math.min(column.width, widest)
  return toLines(shown).map((line) => truncate(line, width))
}

interface ColumnLayout {
  align: 'left' | 'right'
  /** The title, then the values. */
  cells: string[]
  width: number
  dropAs: number | null
  isFlexible: boolean | 'url'
}

function layOutColumn<Row>(column: TableColumn<Row>, rows: readonly Row[], value: (row: Row) => string): ColumnLayout {
  const cells = [column.title, ...rows.map((row) => sanitizeText(value(row)))]
  const { align, dropAs = null, isFlexible = false } = column
  const width = cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), 0)
  return { align, cells, width, dropAs, isFlexible }
}

function totalWidth(columns: readonly ColumnLayout[], flexibleAtMost = Number.POSITIVE_INFINITY): number {
  const widths = columns.map(({ width, isFlexible }) =>
    isFlexible === false ? width : Math.min(width, flexibleAtMost),
  )
  return widths.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1)
}

function toLines(columns: readonly ColumnLayout[]): string[] {
  const height = columns[0]?.cells.length ?? 0
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((column) => toCell(column, row))
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

function toCell({ align, cells, width, isFlexible }: ColumnLayout, row: number): string {
  const cell = cells[row] ?? ''
  const text = isFlexible === 'url' ? truncateUrl(cell, width) : truncate(cell, width)
  const blank = ' '.repeat(width - displayWidth(text))
  return align === 'right' ? blank + text : text + blank
}
