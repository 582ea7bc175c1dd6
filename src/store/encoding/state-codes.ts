// States and kinds of URLs as numbers. Codes of states start at 2 because SQLite stores 0 and 1 in zero bytes: all states
// must have the same length for a row to be rewritten in place.

import { AppError } from '../../lib/errors.ts'
import { TERMINAL_STATES, type TerminalState, URL_STATES, type UrlState } from '../../lib/states.ts'

/**
 * Put into the text of statements, never passed as a parameter: the planner must see that a condition matches the
 * partial index urls_queue.
 */
export const QUEUED = 2

/** Reasons of excluded URLs that may be requeued. */
export const BLOCKED_HOST = 'blocked_host'
export const TOO_DEEP = 'depth'
/** Followed by the URL pattern. */
export const TRAP_REASON = 'trap:'
/** Closing reason of a crawl that is being removed: some of its rows are gone already. */
export const REMOVING = 'removing'

/** SQLite rows are never in this state, since leases are in memory there; Postgres rows are. */
export const IN_PROGRESS = 3

/** Positions in URL_KINDS. */
export const PAGE_KIND = 0
export const SITEMAP_KIND = 1
export const REQUISITE_KIND = 2
/** A page that is also a requisite of another. If a page limit leaves it out, it becomes a requisite. */
export const LOADED_PAGE_KIND = 3
export const PAGE_KINDS_SQL = `(${PAGE_KIND}, ${LOADED_PAGE_KIND})`

/** Only in visits: the attempt failed and the URL was requeued. */
export const RETRIED = 20

const CODES = new Map<UrlState, number>(URL_STATES.map((state, i) => [state, i + QUEUED]))

export function stateCode(state: UrlState): number {
  const code = CODES.get(state)
  if (code === undefined) throw new AppError('INTERNAL', `There is no URL state ${state}.`)
  return code
}

export function stateFromCode(code: number): UrlState {
  return URL_STATES[code - QUEUED] ?? 'queued'
}

export const TERMINAL_CODES: [TerminalState, number][] = TERMINAL_STATES.map((state) => [state, stateCode(state)])
