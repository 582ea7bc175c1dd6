// What two crawls found differently. Of the first, each url with its compared columns is held in memory; the second
// streams past it. Only differences stay.

import { type CellValue, COLUMNS, COMPARED_COLUMNS, type ColumnName } from '../../engine/export/columns.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'

export interface Difference {
  url: string
  change: 'added' | 'removed' | 'changed'
  fields: ColumnName[]
  before: Record<string, CellValue> | null
  after: Record<string, CellValue> | null
}

export interface Comparison {
  differences: Difference[]
  added: number
  removed: number
  changed: number
  same: number
}

const COMPARED = COLUMNS.filter(({ name }) => COMPARED_COLUMNS.some((compared) => compared === name))

export async function compareCrawls(a: string, b: string, urls: Pick<Urls, 'rows'>): Promise<Comparison> {
  const left = new Map<string, string>()
  for await (const row of urls.rows(a)) left.set(row.url, JSON.stringify(cellsOf(row)))
  const result: Comparison = { differences: [], added: 0, removed: 0, changed: 0, same: 0 }
  for await (const row of urls.rows(b)) {
    const known = left.get(row.url)
    left.delete(row.url)
    const after = cellsOf(row)
    if (known === undefined) {
      result.added += 1
      result.differences.push({ url: row.url, change: 'added', fields: [], before: null, after: named(after) })
    } else if (known === JSON.stringify(after)) result.same += 1
    else {
      result.changed += 1
      const before = JSON.parse(known) as CellValue[]
      const fields = COMPARED.flatMap(({ name }, i) => (before[i] === after[i] ? [] : [name]))
      result.differences.push({ url: row.url, change: 'changed', fields, before: named(before), after: named(after) })
    }
  }
  for (const [url, cells] of left) {
    result.removed += 1
    const before = named(JSON.parse(cells) as CellValue[])
    result.differences.push({ url, change: 'removed', fields: [], before, after: null })
  }
  result.differences.sort((one, other) => (one.url < other.url ? -1 : one.url > other.url ? 1 : 0))
  return result
}

function cellsOf(row: UrlRow): CellValue[] {
  return COMPARED.map(({ value }) => value(row))
}

function named(cells: readonly CellValue[]): Record<string, CellValue> {
  return Object.fromEntries(COMPARED.map(({ name }, i) => [name, cells[i] ?? null]))
}
