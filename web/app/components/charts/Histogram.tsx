import type { ReactNode } from 'react'
import { formatNumber, formatShare } from '../../text/format.ts'

export interface HistogramRow {
  key: string
  label: ReactNode
  count: number
  colour?: string
}

/** One bar per row, relative to the largest row. */
export function Histogram({
  label,
  rows,
  format = formatNumber,
}: {
  label: string
  rows: readonly HistogramRow[]
  format?: (count: number) => string
}) {
  const largest = Math.max(Number.EPSILON, ...rows.map((row) => row.count))
  const total = rows.reduce((sum, row) => sum + row.count, 0)
  return (
    <ul aria-label={label} className="flex flex-col gap-1">
      {rows.map((row) => (
        <li key={row.key} className="grid grid-cols-[minmax(4rem,8.5rem)_1fr_4.5rem] items-center gap-2">
          <span className="truncate">{row.label}</span>
          <span className="h-2 overflow-hidden rounded-sm bg-sunken">
            <span
              className="block h-full rounded-sm"
              style={{ width: `${(row.count / largest) * 100}%`, background: row.colour ?? 'var(--accent)' }}
            />
          </span>
          <span className="text-right" title={total === 0 ? undefined : formatShare(row.count / total)}>
            {format(row.count)}
          </span>
        </li>
      ))}
    </ul>
  )
}
