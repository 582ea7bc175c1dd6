// Urls that ended badly: rare enough for an index of their own.

import type { UrlState } from '../../ports/state.ts'
import { stateCode } from '../encoding/state-codes.ts'

export const PROBLEM_STATES = ['forbidden', 'not_found', 'http_error', 'failed'] as const satisfies UrlState[]

/** The condition of the index urls_bad, to the letter. A list of states would cost every insertion 3 us more, 2026-11. */
export const IS_PROBLEM = `u.state between ${stateCode('forbidden')} and ${stateCode('failed')}`

export function isProblem(state: UrlState): boolean {
  return PROBLEM_STATES.some((bad) => bad === state)
}
