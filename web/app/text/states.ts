// Label and colour of the nine URL states and the six crawl statuses, the same on every screen.

import { failureCounts, hasMostlyFailed } from '../../../src/api/contract/outcomes.ts'
import type { CrawlProgress, CrawlStatus, UrlState } from '../server/api.ts'
import { formatNumber, plural } from './format.ts'

interface StateStyle {
  label: string
  /** Colour of fills and dots; never of text. */
  colour: string
  help: string
}

export const URL_STATE_STYLES: Record<UrlState, StateStyle> = {
  visited: { label: 'Visited', colour: 'var(--state-visited)', help: 'Fetched and parsed.' },
  redirected: {
    label: 'Redirected',
    colour: 'var(--state-redirected)',
    help: 'The response redirects to another URL.',
  },
  in_progress: {
    label: 'In progress',
    colour: 'var(--state-in_progress)',
    help: 'Assigned to a worker: being fetched, or waiting for its host.',
  },
  queued: { label: 'Queued', colour: 'var(--state-queued)', help: 'Waiting for its first visit or its next one.' },
  excluded: {
    label: 'Excluded',
    colour: 'var(--state-excluded)',
    help: 'Not fetched because of robots.txt, a limit or a setting.',
  },
  forbidden: { label: 'Forbidden', colour: 'var(--state-forbidden)', help: 'The server denied access (403).' },
  not_found: { label: 'Not found', colour: 'var(--state-not_found)', help: 'The server has no such page (404).' },
  http_error: { label: 'HTTP error', colour: 'var(--state-http_error)', help: 'Any other error status.' },
  failed: {
    label: 'Failed',
    colour: 'var(--state-failed)',
    help: 'No usable response: network error, timeout or size.',
  },
}

/** The order of the ledger bar: done, to do, not fetched, problems. */
export const URL_STATE_ORDER = Object.keys(URL_STATE_STYLES) as UrlState[]

export const CRAWL_STATUS_STYLES: Record<CrawlStatus, Omit<StateStyle, 'help'>> = {
  running: { label: 'Running', colour: 'var(--state-in_progress)' },
  watching: { label: 'Watching', colour: 'var(--state-visited)' },
  paused: { label: 'Paused', colour: 'var(--state-forbidden)' },
  completed: { label: 'Completed', colour: 'var(--state-visited)' },
  cancelled: { label: 'Cancelled', colour: 'var(--state-queued)' },
  failed: { label: 'Failed', colour: 'var(--state-failed)' },
}

/** A crawl that completed without visiting anything, or mostly failed, is shown as a warning, not as a success. */
export function crawlStatusStyle({
  status,
  states,
  pages,
  held,
  silent_hosts: silentHosts,
  pages_per_second: pagesPerSecond,
}: Pick<CrawlProgress, 'status' | 'states' | 'pages' | 'held' | 'silent_hosts' | 'pages_per_second'>) {
  const { label, colour } = CRAWL_STATUS_STYLES[status]
  // Without a worker a crawl makes no progress, so it is not shown as running.
  if (held === 'no_worker') {
    return { label: 'No worker', colour: 'var(--state-forbidden)', isFruitless: false, isWarning: true }
  }
  if (status === 'running' && silentHosts !== null && pagesPerSecond === 0) {
    return { label: 'Waiting for the site', colour: 'var(--state-forbidden)', isFruitless: false, isWarning: true }
  }
  if (status === 'completed' && pages > 0 && hasMostlyFailed(states)) {
    const { failed, finished } = failureCounts(states)
    const failures = `${formatNumber(failed)} of ${plural(finished, 'URL')} failed`
    return { label: `${label}, ${failures}`, colour: 'var(--state-forbidden)', isFruitless: false, isWarning: true }
  }
  if (status !== 'completed' || pages > 0) return { label, colour, isFruitless: false, isWarning: false }
  const responses = states.visited + states.redirected + states.forbidden + states.not_found + states.http_error
  const problem = responses > 0 ? 'nothing visited' : 'nothing reached'
  return { label: `${label}, ${problem}`, colour: 'var(--state-forbidden)', isFruitless: true, isWarning: true }
}

export const CRAWL_STATUSES = Object.keys(CRAWL_STATUS_STYLES) as CrawlStatus[]

export function isUrlState(text: string): text is UrlState {
  return text in URL_STATE_STYLES
}

/** Whether workers run the crawl, or wait for the next revisit. */
export function isActive(status: CrawlStatus): boolean {
  return status === 'running' || status === 'watching'
}

/** Whether the crawl may still make progress. */
export function isUnfinished(status: CrawlStatus): boolean {
  return isActive(status) || status === 'paused'
}

/** Whether settings can change. A completed crawl is editable too, so that it can go on and visit its URLs again. */
export function isEditable(status: CrawlStatus): boolean {
  return isUnfinished(status) || status === 'completed'
}
