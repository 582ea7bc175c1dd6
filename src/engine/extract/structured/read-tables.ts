// Tables with data: rows of the same columns. Tables for layout are left out.

import type { StructuredData } from '../../../ports/pages.ts'
import { attributeOf, childElements, findElement, type TreeElement, type TreeParent } from '../../content/tree-nodes.ts'
import type { Budget } from './budget.ts'
import { textOf, walk } from './element-values.ts'

type DataTable = StructuredData['tables'][number]

const MAX_TABLES = 50
const MAX_ROWS = 1000
const MAX_COLUMNS = 100
const LAYOUT_ROLES: ReadonlySet<string> = new Set(['presentation', 'none'])

export function readTables(document: TreeParent, budget: Budget): DataTable[] {
  const elements: TreeElement[] = []
  walk(document, budget, (element) => {
    if (element.tagName === 'table' && elements.length < MAX_TABLES) elements.push(element)
    return true
  })
  return elements.flatMap((element) => readTable(element, budget) ?? [])
}

interface Cell {
  text: string
  isHeader: boolean
}

/** Null if the table is used for layout: a role says so, it contains a table, or it has a single row or column. */
function readTable(table: TreeElement, budget: Budget): DataTable | null {
  if (LAYOUT_ROLES.has(attributeOf(table, 'role') ?? '')) return null
  if (findElement(table, ({ tagName }) => tagName === 'table') !== null) return null
  const rows = toGrid(rowsOf(table), budget)
  const [first] = rows
  if (first === undefined || rows.length < 2 || Math.max(...rows.map((row) => row.length)) < 2) return null
  const hasHeaders = first.every(({ isHeader }) => isHeader)
  const caption = childElements(table).find(({ tagName }) => tagName === 'caption')
  const texts = (hasHeaders ? rows.slice(1) : rows).map((row) => row.map(({ text }) => text))
  return {
    caption: (caption === undefined ? null : budget.value(textOf(caption, budget))) || null,
    headers: hasHeaders ? first.map(({ text }) => text) : [],
    rows: texts,
  }
}

function rowsOf(table: TreeElement): TreeElement[] {
  const sections = childElements(table).filter(({ tagName }) => /^t(?:head|body|foot)$/.test(tagName))
  return sections
    .flatMap(childElements)
    .filter(({ tagName }) => tagName === 'tr')
    .slice(0, MAX_ROWS)
}

/** Cells that span rows or columns are repeated, so that every row has its columns. */
function toGrid(rows: readonly TreeElement[], budget: Budget): Cell[][] {
  /** For each column: the cell of a row above, and the number of rows in which it is still to be repeated. */
  const spans = new Map<number, { cell: Cell; rows: number }>()
  const grid: Cell[][] = []
  for (const row of rows) {
    const cells: Cell[] = []
    const fill = () => {
      for (let span = spans.get(cells.length); span !== undefined; span = spans.get(cells.length)) {
        if (span.rows === 1) spans.delete(cells.length)
        span.rows -= 1
        // Includes the quotes and the comma.
        if (!budget.take(span.cell.text.length + 3)) return
        cells.push(span.cell)
      }
    }
    for (const element of childElements(row)) {
      fill()
      if ((element.tagName !== 'td' && element.tagName !== 'th') || cells.length >= MAX_COLUMNS) continue
      const cell = { text: textOf(element, budget), isHeader: element.tagName === 'th' }
      const columns = spanOf(element, 'colspan', MAX_COLUMNS - cells.length)
      const rowspan = spanOf(element, 'rowspan', MAX_ROWS)
      for (let i = 0; i < columns; i++) {
        const text = budget.value(cell.text)
        if (text === null) return grid
        if (rowspan > 1) spans.set(cells.length, { cell: { ...cell, text }, rows: rowspan - 1 })
        cells.push({ ...cell, text })
      }
    }
    fill()
    if (cells.length > 0) grid.push(cells)
  }
  return grid
}

function spanOf(element: TreeElement, attribute: string, max: number): number {
  const span = Number.parseInt(attributeOf(element, attribute) ?? '1', 10)
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, max)
}
