import { IconButton } from '../../../components/controls/Button.tsx'
import { formatNumber } from '../../../text/format.ts'

/** The visible rows, and a way through the list besides scrolling. */
export function TablePager({
  first,
  pageRows,
  rows,
  total,
  onGo,
}: {
  /** Index of the first visible row. */
  first: number
  /** Rows that are visible at a time. */
  pageRows: number
  /** Rows that can be scrolled to so far. */
  rows: number
  /** Null if unknown. */
  total: number | null
  onGo: (index: number) => void
}) {
  const last = Math.min(first + pageRows, rows)
  return (
    <nav
      aria-label="Rows"
      className="flex h-9 shrink-0 items-center justify-end gap-2 border-t border-line bg-surface px-4 text-xs text-muted md:px-6"
    >
      <span className="tabular-nums">
        {formatNumber(first + 1)} to {formatNumber(last)}
        {total === null ? '' : ` of ${formatNumber(total)}`}
      </span>
      <IconButton
        label="Previous rows"
        icon="up"
        tip="top"
        className="h-7! w-7!"
        disabled={first === 0}
        onClick={() => onGo(Math.max(0, first - pageRows))}
      />
      <IconButton
        label="Next rows"
        icon="down"
        tip="left"
        className="h-7! w-7!"
        disabled={last >= rows}
        onClick={() => onGo(Math.min(rows - 1, first + pageRows))}
      />
    </nav>
  )
}
