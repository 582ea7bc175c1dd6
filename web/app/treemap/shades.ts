// Colours of a treemap: the states of the URLs, or how long the responses took.

import { stateParts } from '../graph/colour-scale.ts'
import type { CellContent } from './cells.ts'

/** Upper bounds in ms. Measured from the request to the end of the body. */
const TIME_STEPS = [
  { upTo: 50, label: 'Up to 50 ms', colour: '#1f9d8a' },
  { upTo: 200, label: 'Up to 200 ms', colour: '#5fa83f' },
  { upTo: 500, label: 'Up to 500 ms', colour: '#c2a01e' },
  { upTo: 2000, label: 'Up to 2 s', colour: '#dd7a1f' },
  { upTo: Number.POSITIVE_INFINITY, label: 'Longer', colour: '#cf2e2e' },
] as const
const NO_TIME = { label: 'Not fetched', colour: 'var(--state-queued)' }

export const TIME_LEGEND = [...TIME_STEPS, NO_TIME].map(({ label, colour }) => ({ label, colour }))

/** Parts of a gradient, from left to right. */
export interface ShadePart {
  colour: string
  share: number
}

export function stateShades(content: CellContent): ShadePart[] {
  if (content.kind === 'rest') return []
  const { urls, state, states, left_out } =
    content.kind === 'url' ? { ...content.url, urls: 1, states: null } : { ...content.folder, state: null }
  return stateParts({ urls, state, states, left_out }).map(({ colour, count }) => ({
    colour: `var(--${colour})`,
    share: count / urls,
  }))
}

export function timeShade(content: CellContent): ShadePart[] {
  if (content.kind === 'rest') return []
  const ms = content.kind === 'url' ? content.url.fetch_ms : content.folder.mean_fetch_ms
  const { colour } = ms === null ? NO_TIME : (TIME_STEPS.find(({ upTo }) => ms <= upTo) ?? NO_TIME)
  return [{ colour, share: 1 }]
}

/** The background of a cell: the colours mixed with the background of the page, so that text on it stays readable. */
export function shadeBackground(parts: ShadePart[]): string {
  let at = 0
  const stops = parts.flatMap(({ colour, share }) => {
    const mixed = `color-mix(in srgb, ${colour} 36%, var(--surface))`
    const from = at
    at += share * 100
    return [`${mixed} ${from.toFixed(2)}%`, `${mixed} ${at.toFixed(2)}%`]
  })
  return stops.length === 0 ? 'var(--sunken)' : `linear-gradient(to right, ${stops.join(', ')})`
}
