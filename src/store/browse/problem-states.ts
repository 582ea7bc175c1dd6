// URLs with problems: rare enough for their own index.

import type { UrlState } from '../../lib/states.ts'
import { stateCode } from '../encoding/state-codes.ts'

const PROBLEM_STATES = ['forbidden', 'not_found', 'http_error', 'failed'] as const satisfies UrlState[]

/**
 * Must equal the condition of the index urls_bad literally. A list of states would cost every insert 3 us more
 * (2026-11).
 */
export const IS_PROBLEM = `u.state between ${stateCode('forbidden')} and ${stateCode('failed')}`

export function isProblem(state: UrlState): boolean {
  return PROBLEM_STATES.some((bad) => bad === state)
}
