import type { UrlState } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { URL_STATE_ORDER, URL_STATE_STYLES } from '../../text/states.ts'
import { lowerFirst } from '../../text/words.ts'

type StateCounts = Partial<Record<UrlState, number>>

/**
 * The ledger as one bar. Widths are proportional to the counts, with a minimum of two pixels, so a single failure among
 * millions is visible.
 */
export function LedgerBar({ states, height = 'h-2' }: { states: StateCounts; height?: 'h-1.5' | 'h-2' | 'h-3' }) {
  const parts = presentStates(states)
  return (
    <div
      role="img"
      aria-label={describeLedger(states)}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-sunken ${height}`}
    >
      {parts.map(({ state, count }) => (
        <span
          key={state}
          title={`${URL_STATE_STYLES[state].label}: ${formatNumber(count)}`}
          className="h-full min-w-[2px]"
          style={{ background: URL_STATE_STYLES[state].colour, flex: `${count} 1 0` }}
        />
      ))}
    </div>
  )
}

/** States with at least one URL, in display order. */
export function presentStates(states: StateCounts): { state: UrlState; count: number }[] {
  return URL_STATE_ORDER.map((state) => ({ state, count: states[state] ?? 0 })).filter(({ count }) => count > 0)
}

export function describeLedger(states: StateCounts): string {
  const parts = presentStates(states)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 'No URLs yet'
  const counts = parts.map(({ state, count }) => `${formatNumber(count)} ${lowerFirst(URL_STATE_STYLES[state].label)}`)
  return `${plural(total, 'URL')}: ${counts.join(', ')}`
}
