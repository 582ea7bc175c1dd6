// The nine states of a url and the five of a crawl, as people see them: one word and one colour each, everywhere.

import type { CrawlProgress, CrawlStatus, UrlState } from '../server/api.ts'

interface StateStyle {
  label: string
  /** For fills and dots; never for text. */
  colour: string
  help: string
}

export const URL_STATE_STYLES: Record<UrlState, StateStyle> = {
  visited: { label: 'Visited', colour: 'var(--state-visited)', help: 'Fetched and read.' },
  redirected: { label: 'Redirected', colour: 'var(--state-redirected)', help: 'Answered with another address.' },
  in_progress: {
    label: 'In progress',
    colour: 'var(--state-in_progress)',
    help: 'Leased by a worker and waiting for its turn at the host, or requested right now: those are told as in flight.',
  },
  queued: { label: 'Queued', colour: 'var(--state-queued)', help: 'Waits for its turn.' },
  excluded: {
    label: 'Excluded',
    colour: 'var(--state-excluded)',
    help: 'Left out by robots.txt, a limit or a setting.',
  },
  forbidden: { label: 'Forbidden', colour: 'var(--state-forbidden)', help: 'The server refused: 401, 403 or alike.' },
  not_found: { label: 'Not found', colour: 'var(--state-not_found)', help: 'The server has no such page: 404 or 410.' },
  http_error: { label: 'HTTP error', colour: 'var(--state-http_error)', help: 'Another status of 400 or above.' },
  failed: { label: 'Failed', colour: 'var(--state-failed)', help: 'No usable answer: network, time or size.' },
}

/** In the order of the ledger bar: what is done, what is to be done, what went another way. */
export const URL_STATE_ORDER = Object.keys(URL_STATE_STYLES) as UrlState[]

export const CRAWL_STATUS_STYLES: Record<CrawlStatus, Omit<StateStyle, 'help'>> = {
  running: { label: 'Running', colour: 'var(--state-in_progress)' },
  paused: { label: 'Paused', colour: 'var(--state-forbidden)' },
  completed: { label: 'Completed', colour: 'var(--state-visited)' },
  cancelled: { label: 'Cancelled', colour: 'var(--state-queued)' },
  failed: { label: 'Failed', colour: 'var(--state-failed)' },
}

/** A crawl that completed with nothing visited is no success, so it does not look like one. */
export function crawlStatusStyle({ status, states, held }: Pick<CrawlProgress, 'status' | 'states' | 'held'>) {
  const { label, colour } = CRAWL_STATUS_STYLES[status]
  // What nobody works on does not look as if it were running.
  if (held === 'no_worker') {
    return { label: 'No worker', colour: 'var(--state-forbidden)', isFruitless: false, isWarning: true }
  }
  if (status !== 'completed' || states.visited > 0) return { label, colour, isFruitless: false, isWarning: false }
  const answers = states.redirected + states.forbidden + states.not_found + states.http_error
  const what = answers > 0 ? 'nothing visited' : 'nothing reached'
  return { label: `${label}, ${what}`, colour: 'var(--state-forbidden)', isFruitless: true, isWarning: true }
}

export const CRAWL_STATUSES = Object.keys(CRAWL_STATUS_STYLES) as CrawlStatus[]

export function isUrlState(text: string): text is UrlState {
  return text in URL_STATE_STYLES
}

/** It may still change by itself. */
export function isLive(status: CrawlStatus): boolean {
  return status === 'running' || status === 'paused'
}
