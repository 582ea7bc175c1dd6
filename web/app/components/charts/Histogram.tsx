import type { ReactNode } from 'react'
import { formatNumber, formatShare } from '../../text/format.ts'

export interface HistogramRow {
  key: string
  label: ReactNode
  count: number
  colour?: string
}

/** One bar per row. A full bar is 100%, so that the lengths of two histograms can be compared. */
export function Histogram({
  label,
  rows,
  total = rows.reduce((sum, row) => sum + row.count, 0),
  format = formatNumber,
}: {
  label: string
  rows: readonly HistogramRow[]
  /** The sum of all rows, if not all are shown. */
  total?: number
  format?: (count: number) => string
}) {
  return (
    <ul aria-label={label} className="flex flex-col gap-1">
      {rows.map((row) => (
        <li key={row.key} className="grid grid-cols-[minmax(4rem,3fr)_2fr_4rem] items-center gap-2">
          <span className="truncate" title={typeof row.label === 'string' ? row.label : undefined}>
            {row.label}
          </span>
          <span className="h-2 overflow-hidden rounded-sm bg-sunken">
            <span
              className="block h-full rounded-sm"
              style={{
                width: `${total === 0 ? 0 : (row.count / total) * 100}%`,
                background: row.colour ?? 'var(--accent)',
              }}
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
