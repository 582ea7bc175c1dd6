// Compares the results of two crawls. The compared columns of the first are held in memory while the second is streamed;
// only the differences are kept.

import { type CellValue, COLUMNS, COMPARED_COLUMNS, type ColumnName } from '../../engine/export/columns.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'

export interface UrlDifference {
  url: string
  change: 'added' | 'removed' | 'changed'
  fields: ColumnName[]
  /** Null if the crawl does not know the URL. */
  before: Record<string, CellValue> | null
  after: Record<string, CellValue> | null
}

export interface CrawlComparison {
  differences: UrlDifference[]
  added: number
  removed: number
  changed: number
  same: number
}

const COMPARED_CELLS = COLUMNS.filter(({ name }) => COMPARED_COLUMNS.some((compared) => compared === name))

export async function compareCrawls(a: string, b: string, urls: Pick<Urls, 'rows'>): Promise<CrawlComparison> {
  const left = new Map<string, string>()
  for await (const row of urls.rows(a)) left.set(row.url, JSON.stringify(comparedCells(row)))
  const result: CrawlComparison = { differences: [], added: 0, removed: 0, changed: 0, same: 0 }
  for await (const row of urls.rows(b)) {
    const known = left.get(row.url)
    left.delete(row.url)
    const after = comparedCells(row)
    if (known === undefined) {
      result.added += 1
      result.differences.push({ url: row.url, change: 'added', fields: [], before: null, after: toNamedCells(after) })
    } else if (known === JSON.stringify(after)) result.same += 1
    else {
      const before = JSON.parse(known) as CellValue[]
      const fields = COMPARED_CELLS.flatMap(({ name }, i) => (before[i] === after[i] ? [] : [name]))
      const cells = { before: toNamedCells(before), after: toNamedCells(after) }
      const change = changeOf(cells)
      result[change] += 1
      result.differences.push({ url: row.url, change, fields, ...cells })
    }
  }
  for (const [url, cells] of left) {
    result.removed += 1
    const before = toNamedCells(JSON.parse(cells) as CellValue[])
    result.differences.push({ url, change: 'removed', fields: [], before, after: null })
  }
  result.differences.sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0))
  return result
}

/** A page that is gone is removed, even if its URL is still known. */
function changeOf({ before, after }: Record<'before' | 'after', Record<string, CellValue>>): UrlDifference['change'] {
  if (before['state'] === 'visited' && isGone(after)) return 'removed'
  return isGone(before) && after['state'] === 'visited' ? 'added' : 'changed'
}

function isGone({ state, reason }: Record<string, CellValue>): boolean {
  return state === 'not_found' || reason === 'http_410'
}

function comparedCells(row: UrlRow): CellValue[] {
  return COMPARED_CELLS.map(({ value }) => value(row))
}

function toNamedCells(cells: readonly CellValue[]): Record<string, CellValue> {
  return Object.fromEntries(COMPARED_CELLS.map(({ name }, i) => [name, cells[i] ?? null]))
}
