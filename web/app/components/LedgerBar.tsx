import type { UrlState } from '../api.ts'
import { formatNumber, plural } from '../format.ts'
import { STATE_ORDER, STATES } from '../states.ts'

type Counts = Partial<Record<UrlState, number>>

/**
 * The ledger as one bar. Widths come from the counts themselves, so the parts always make up the whole; a part that
 * would be thinner than two pixels keeps two, so that a single failure among millions is seen.
 */
export function LedgerBar({ states, height = 'h-2' }: { states: Counts; height?: 'h-1.5' | 'h-2' | 'h-3' }) {
  const parts = partsOf(states)
  return (
    <div
      role="img"
      aria-label={ledgerText(states)}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-sunken ${height}`}
    >
      {parts.map(({ state, count }) => (
        <span
          key={state}
          title={`${STATES[state].label}: ${formatNumber(count)}`}
          className="h-full min-w-[2px]"
          style={{ background: STATES[state].colour, flex: `${count} 1 0` }}
        />
      ))}
    </div>
  )
}

/** The states that there are, in their order. */
export function partsOf(states: Counts): { state: UrlState; count: number }[] {
  return STATE_ORDER.map((state) => ({ state, count: states[state] ?? 0 })).filter(({ count }) => count > 0)
}

export function ledgerText(states: Counts): string {
  const parts = partsOf(states)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 'No urls yet'
  return `${plural(total, 'url')}: ${parts.map(({ state, count }) => `${formatNumber(count)} ${STATES[state].label.toLowerCase()}`).join(', ')}`
}
