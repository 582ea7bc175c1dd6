import type { UrlState } from '../api.ts'
import { formatNumber, plural } from '../format.ts'
import { STATE_ORDER, STATES } from '../states.ts'

/**
 * The ledger as one bar. Widths come from the counts themselves, so the parts always make up the whole; a part that
 * would be thinner than two pixels keeps two, so that a single failure among millions is seen.
 */
export function LedgerBar({
  states,
  height = 'h-2',
}: {
  states: Record<UrlState, number>
  height?: 'h-1.5' | 'h-2' | 'h-3'
}) {
  const parts = STATE_ORDER.filter((state) => states[state] > 0)
  return (
    <div
      role="img"
      aria-label={ledgerText(states)}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-sunken ${height}`}
    >
      {parts.map((state) => (
        <span
          key={state}
          title={`${STATES[state].label}: ${formatNumber(states[state])}`}
          className="h-full min-w-[2px]"
          style={{ background: STATES[state].colour, flex: `${states[state]} 1 0` }}
        />
      ))}
    </div>
  )
}

export function ledgerText(states: Record<UrlState, number>): string {
  const parts = STATE_ORDER.filter((state) => states[state] > 0)
  const total = parts.reduce((sum, state) => sum + states[state], 0)
  if (total === 0) return 'No urls yet'
  return `${plural(total, 'url')}: ${parts.map((state) => `${formatNumber(states[state])} ${STATES[state].label.toLowerCase()}`).join(', ')}`
}
