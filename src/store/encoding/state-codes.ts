// States as numbers. Codes start at 2 because SQLite stores 0 and 1 in no bytes: every state must be as long as
// any other for a row to be rewritten in place.

import { TERMINAL_STATES, type TerminalState, URL_STATES, type UrlState } from '../../ports/state.ts'

/** Written as a literal in the SQL that must match the partial index urls_queue. */
export const QUEUED = 2

/** Reasons of excluded urls that may be queued again. */
export const BLOCKED_HOST = 'blocked_host'
export const TOO_DEEP = 'depth'
/** Why a crawl is closed of which some rows are gone already. */
export const REMOVING = 'removing'

/** Rows of SQLite are never in this state (a lease lives in memory there); those of Postgres are. */
export const IN_PROGRESS = 3

/** In visits only: the attempt failed and the url went back to the queue. */
export const RETRIED = 20

const CODES = new Map<UrlState, number>(URL_STATES.map((state, i) => [state, i + QUEUED]))

export function stateCode(state: UrlState): number {
  return CODES.get(state) ?? QUEUED
}

export function stateFromCode(code: number): UrlState {
  return URL_STATES[code - QUEUED] ?? 'queued'
}

export const TERMINAL_CODES: [TerminalState, number][] = TERMINAL_STATES.map((state) => [state, stateCode(state)])
