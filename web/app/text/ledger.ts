// The parts of a crawl's ledger as shown: the states, with the URLs that a limit left out as a separate part, since no
// user or rule excluded them.

import type { Stats, UrlState } from '../server/api.ts'
import { leftOutText } from './reasons.ts'
import { URL_STATE_ORDER, URL_STATE_STYLES } from './states.ts'

const LEFT_OUT_COLOUR = 'var(--state-left-out)'
const LEFT_OUT_HELP = 'Found, but not fetched before the crawl ended.'

export type StateCounts = Partial<Record<UrlState, number>>

export interface LedgerPart {
  key: string
  label: string
  colour: string
  help: string
  count: number
  /** Query parameters of listUrls that select its URLs. */
  filter: { state: UrlState; reason?: string }
}

/** Label and colour of the part that a URL belongs to. */
export function partStyle({ state, reason }: { state: UrlState; reason: string | null }) {
  const label = state === 'excluded' && reason !== null ? leftOutText(reason) : null
  return label === null ? URL_STATE_STYLES[state] : { label, colour: LEFT_OUT_COLOUR, help: LEFT_OUT_HELP }
}

/** `reasons` come from the statistics; without them, everything that was not fetched counts as excluded. */
export function ledgerParts(states: StateCounts, reasons: Stats['reasons'] = []): LedgerPart[] {
  const leftOut = reasons.flatMap(({ key, count }): LedgerPart[] => {
    const label = leftOutText(key)
    if (label === null) return []
    const filter = { state: 'excluded', reason: key } as const
    return [{ key, label, colour: LEFT_OUT_COLOUR, help: LEFT_OUT_HELP, count, filter }]
  })
  const leftOutCount = leftOut.reduce((sum, { count }) => sum + count, 0)
  return URL_STATE_ORDER.flatMap((state): LedgerPart[] => {
    const { label, colour, help } = URL_STATE_STYLES[state]
    const count = states[state] ?? 0
    const part = { key: state, label, colour, help, count, filter: { state } }
    // The statistics may be some seconds older or newer than the counts.
    if (state !== 'excluded' || leftOutCount > count) return [part]
    return [...leftOut, { ...part, count: count - leftOutCount }]
  })
}
