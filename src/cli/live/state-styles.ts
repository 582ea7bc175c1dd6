// Labels and colours of URL states, for the progress bar, the grid and the summary.

import type { TerminalState, UrlState } from '../../lib/states.ts'
import type { Style } from './styled-line.ts'

export const STATE_STYLES: Record<UrlState, Style> = {
  queued: 'plain',
  in_progress: 'plain',
  visited: 'green',
  redirected: 'cyan',
  excluded: 'cyan',
  forbidden: 'yellow',
  not_found: 'yellow',
  http_error: 'yellow',
  failed: 'red',
}

/** States from good to bad, so that equal colours are adjacent in the bar. */
export const DONE_ORDER = [
  'visited',
  'redirected',
  'excluded',
  'forbidden',
  'not_found',
  'http_error',
  'failed',
] as const satisfies readonly TerminalState[]

export function stateLabel(state: UrlState): string {
  return state.replace('_', ' ')
}
