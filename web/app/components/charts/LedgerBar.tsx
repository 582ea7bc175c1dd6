import type { Stats } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { ledgerParts, type StateCounts } from '../../text/ledger.ts'
import { lowerFirst } from '../../text/words.ts'

/**
 * The ledger as one bar. Widths are proportional to the counts, but at least two pixels, so that a single failure
 * among millions is visible.
 */
export function LedgerBar({
  states,
  reasons = [],
  height = 'h-2',
}: {
  states: StateCounts
  reasons?: Stats['reasons']
  height?: BarHeight
}) {
  const parts = ledgerParts(states, reasons).filter(({ count }) => count > 0)
  return (
    <div
      role="img"
      aria-label={describeLedger(states, reasons)}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-sunken ${height}`}
    >
      {parts.map(({ key, label, colour, count }) => (
        <span
          key={key}
          title={`${label}: ${formatNumber(count)}`}
          className="h-full min-w-[2px]"
          style={{ background: colour, flex: `${count} 1 0` }}
        />
      ))}
    </div>
  )
}

export type BarHeight = 'h-1.5' | 'h-2' | 'h-3'

function describeLedger(states: StateCounts, reasons: Stats['reasons'] = []): string {
  const parts = ledgerParts(states, reasons).filter(({ count }) => count > 0)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 'No URLs yet'
  const counts = parts.map(({ label, count }) => `${formatNumber(count)} ${lowerFirst(label)}`)
  return `${plural(total, 'URL')}: ${counts.join(', ')}`
}
