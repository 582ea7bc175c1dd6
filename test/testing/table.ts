// Prints tables and formats numbers for the terminal.

import { quantile } from './statistics.ts'

export function printTable(title: string, columns: string[], rows: string[][]): void {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  console.log(`\n${title}\n${line(columns)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  for (const row of rows) console.log(line(row))
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

export function formatFixed(value: number | null, digits: number): string {
  return value === null || !Number.isFinite(value) ? '-' : value.toFixed(digits)
}

export function formatMegabytes(bytes: number | null): string {
  return bytes === null ? '-' : `${(bytes / 1e6).toFixed(0)} MB`
}

/** The median, the 95th percentile and the maximum, in milliseconds. */
export function formatQuantiles(times: number[]): [p50: string, p95: string, worst: string] {
  const at = (share: number) => formatFixed(quantile(times, share), 1)
  return [at(0.5), at(0.95), at(1)]
}
