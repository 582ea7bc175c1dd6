// Compares two JSONL exports without sorting them. Only the URLs of the first, each with a hash of the compared columns,
// are held in memory (about 200 bytes per URL); the second is streamed. The example rows are read again at the end.

import { hash } from 'node:crypto'
import { COLUMN_NAMES, COMPARED_COLUMNS, type ColumnName } from '../../engine/export/columns.ts'
import { AppError } from '../../lib/errors.ts'
import { readLines } from './read-lines.ts'

export interface CompareOptions {
  columns?: readonly ColumnName[]
  /** Maximum number of example URLs per kind of difference. */
  examples?: number
}

export interface ColumnDifference {
  column: ColumnName
  a: unknown
  b: unknown
}

export interface ExportComparison {
  totalA: number
  totalB: number
  onlyA: { count: number; examples: string[] }
  onlyB: { count: number; examples: string[] }
  changed: { count: number; examples: { url: string; differences: ColumnDifference[] }[] }
}

type Row = Record<string, unknown> & { url: string }

// Replaces the hash of a URL once it is found in the second file.
const SEEN = ''

export async function compareExports(
  pathA: string,
  pathB: string,
  options: CompareOptions = {},
): Promise<ExportComparison> {
  const columns = options.columns ?? COMPARED_COLUMNS
  const limit = options.examples ?? 10
  const unknown = columns.filter((column) => !COLUMN_NAMES.includes(column))
  if (unknown.length > 0) throw new AppError('USAGE', `Exports have no column ${unknown.join(', ')}.`)
  const hashes = new Map<string, string>()
  for await (const { row, place } of parseRows(pathA)) {
    if (hashes.has(row.url)) throw malformedError(place, 'repeats a URL of an earlier line')
    hashes.set(row.url, hashRow(row, columns))
  }
  const result: ExportComparison = {
    totalA: hashes.size,
    totalB: 0,
    onlyA: { count: 0, examples: [] },
    onlyB: { count: 0, examples: [] },
    changed: { count: 0, examples: [] },
  }
  const shown = new Map<string, Row>()
  for await (const { row, place } of parseRows(pathB)) {
    const known = hashes.get(row.url)
    if (known === SEEN) throw malformedError(place, 'repeats a URL of an earlier line')
    hashes.set(row.url, SEEN)
    result.totalB += 1
    if (known === undefined) addExample(result.onlyB, row.url, limit)
    else if (known !== hashRow(row, columns)) {
      result.changed.count += 1
      if (shown.size < limit) shown.set(row.url, row)
    }
  }
  for (const [url, rowHash] of hashes) if (rowHash !== SEEN) addExample(result.onlyA, url, limit)
  result.changed.examples = await readChangedExamples(pathA, shown, columns)
  return result
}

function addExample(kind: { count: number; examples: string[] }, url: string, limit: number): void {
  kind.count += 1
  if (kind.examples.length < limit) kind.examples.push(url)
}

async function readChangedExamples(pathA: string, shown: Map<string, Row>, columns: readonly ColumnName[]) {
  const examples: ExportComparison['changed']['examples'] = []
  if (shown.size === 0) return examples
  for await (const { row: a } of parseRows(pathA)) {
    const b = shown.get(a.url)
    if (b === undefined) continue
    const all = columns.map((column) => ({ column, a: a[column] ?? null, b: b[column] ?? null }))
    const differences = all.filter((pair) => JSON.stringify(pair.a) !== JSON.stringify(pair.b))
    examples.push({ url: a.url, differences })
    if (examples.length === shown.size) break
  }
  return examples
}

function hashRow(row: Row, columns: readonly ColumnName[]): string {
  return hash('sha256', JSON.stringify(columns.map((column) => row[column] ?? null)), 'binary')
}

async function* parseRows(path: string): AsyncGenerator<{ row: Row; place: string }, void, undefined> {
  let number = 0
  for await (const line of readLines(path)) {
    number += 1
    if (line.trim() === '') continue
    const place = `${path}, line ${number}`
    yield { row: parseRow(line, place), place }
  }
}

function parseRow(line: string, place: string): Row {
  try {
    const value: unknown = JSON.parse(line)
    if (isRow(value)) return value
  } catch (cause) {
    throw malformedError(place, 'is not JSON', cause)
  }
  throw malformedError(place, 'is not an object with a `url` field')
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string'
}

function malformedError(place: string, what: string, cause?: unknown): AppError {
  return new AppError('FILE_UNREADABLE', `${place} ${what}.`, { cause })
}
