// Numbers and tables for people.

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

/** The middle, the 95th percentile and the worst, in milliseconds. */
export function formatQuantiles(times: number[]): [p50: string, p95: string, worst: string] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) =>
    formatFixed(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null, 1)
  return [at(0.5), at(0.95), at(1)]
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
