// Writes a data table. A table that is used for layout is left to the caller, which writes its cells one after
// another.

import { attributeOf, childElements, findElement, type TreeElement, type TreeNode } from '../tree-nodes.ts'
import type { InlineSettings } from './write-inline.ts'

const MAX_COLUMNS = 40
/** Content that does not fit a cell. */
const LARGE: ReadonlySet<string> = new Set(['table', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'blockquote'])
const LINE_BREAK = '<br>'

type WriteCell = (nodes: readonly TreeNode[]) => { lines: string[] }[]

/** Null if it is not a data table. */
export function writeTable(
  table: TreeElement,
  { dropped }: Pick<InlineSettings, 'dropped'>,
  writeCell: WriteCell,
): string[] | null {
  const role = attributeOf(table, 'role')
  if (role === 'presentation' || role === 'none') return null
  const rows = rowsOf(table).filter((row) => !dropped.has(row))
  const cells = rows.map((row) => childElements(row).filter((cell) => isCell(cell) && !dropped.has(cell)))
  if (cells.some((row) => row.some((cell) => findElement(cell, ({ tagName }) => LARGE.has(tagName)) !== null)))
    return null
  const width = cells.reduce((widest, row) => Math.max(widest, widthOf(row)), 0)
  if (width < 2 || width > MAX_COLUMNS) return null
  const texts = cells.map((row) => row.flatMap((cell) => [cellText(cell, writeCell), ...emptyCells(spanOf(cell) - 1)]))
  const kept = texts.filter((row) => row.some((text) => text !== ''))
  if (kept.length === 0) return []
  const hasHeader = cells[0]?.every(({ tagName }) => tagName === 'th') === true || isInHead(rows[0])
  const [header = [], ...body] = hasHeader ? kept : [[], ...kept]
  return [writeRow(header, width), `|${' --- |'.repeat(width)}`, ...body.map((row) => writeRow(row, width))]
}

function widthOf(row: readonly TreeElement[]): number {
  return row.reduce((sum, cell) => sum + spanOf(cell), 0)
}

function writeRow(texts: readonly string[], width: number): string {
  return `| ${[...texts, ...emptyCells(width - texts.length)].join(' | ')} |`
}

function emptyCells(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '')
}

function cellText(cell: TreeElement, writeCell: WriteCell): string {
  return writeCell(cell.childNodes)
    .flatMap(({ lines }) => lines)
    .map((line) => line.replace(/\\$/, '').trim())
    .filter(Boolean)
    .join(LINE_BREAK)
    .replaceAll('|', '\\|')
}

function rowsOf(table: TreeElement): TreeElement[] {
  return childElements(table).flatMap((part) => {
    if (part.tagName === 'tr') return [part]
    return GROUPS.has(part.tagName) ? childElements(part).filter(({ tagName }) => tagName === 'tr') : []
  })
}

const GROUPS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot'])

function isCell({ tagName }: TreeElement): boolean {
  return tagName === 'td' || tagName === 'th'
}

function isInHead(row: TreeElement | undefined): boolean {
  const group = row?.parentNode
  return group !== null && group !== undefined && 'tagName' in group && group.tagName === 'thead'
}

function spanOf(cell: TreeElement): number {
  const span = Number(attributeOf(cell, 'colspan') ?? 1)
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_COLUMNS) : 1
}
