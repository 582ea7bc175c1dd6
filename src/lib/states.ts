// The states of a URL and of a crawl. SQL stores the index of a URL state, so the order is fixed.

export const URL_STATES = [
  'queued',
  'in_progress',
  'visited',
  'redirected',
  'forbidden',
  'not_found',
  'http_error',
  'failed',
  'excluded',
] as const
export type UrlState = (typeof URL_STATES)[number]
export type OpenState = 'queued' | 'in_progress'
export type TerminalState = Exclude<UrlState, OpenState>
export const TERMINAL_STATES = URL_STATES.filter((s): s is TerminalState => s !== 'queued' && s !== 'in_progress')

/** Reasons of excluded URLs that belong to the crawl, but were not fetched before it ended. */
const LEFT_OUT_REASONS = ['max_pages', 'host_max_pages', 'beyond_limit', 'cancelled', 'completed_by_user'] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]
/** `LEFT_OUT_REASONS` as an SQL list. */
export const LEFT_OUT_REASONS_SQL = `(${LEFT_OUT_REASONS.map((reason) => `'${reason}'`).join(', ')})`

/** Final states that another visit may improve. */
export const RETRIABLE_STATES = ['forbidden', 'not_found', 'http_error', 'failed', 'excluded'] as const
export type RetriableState = (typeof RETRIABLE_STATES)[number]

/** A watching crawl has nothing to visit until the next URL is due again. */
export const CRAWL_STATUSES = ['running', 'watching', 'paused', 'completed', 'cancelled', 'failed'] as const
export type CrawlStatus = (typeof CRAWL_STATUSES)[number]

/** Workers run it. While it is watching, they wait for work. */
export function isActive(status: CrawlStatus): boolean {
  return status === 'running' || status === 'watching'
}

export function isUnfinished(status: CrawlStatus): boolean {
  return isActive(status) || status === 'paused'
}

/** The active statuses as an SQL list. */
export const ACTIVE_STATUSES_SQL = `('running', 'watching')`
export const UNFINISHED_STATUSES_SQL = `('running', 'watching', 'paused')`

/** The number of URLs in each state. Their sum is the number of URLs discovered (G4). */
export type Ledger = Record<UrlState, number>

export function emptyLedger(): Ledger {
  return Object.fromEntries(URL_STATES.map((s) => [s, 0])) as Ledger
}

export function ledgerTotal(ledger: Ledger): number {
  let total = 0
  for (const state of URL_STATES) total += ledger[state]
  return total
}

/** Number of visited URLs, and of visited URLs that are not pages. */
export interface VisitedCounts {
  ledger: Pick<Ledger, 'visited'>
  sitemaps: number
  requisites: number
}

export function pageCount({ ledger, sitemaps, requisites }: VisitedCounts): number {
  return ledger.visited - sitemaps - requisites
}

/** Number of URLs with an outcome, and of those without a usable response. Excluded URLs have no outcome. */
export function failureCounts(ledger: Ledger): { failed: number; finished: number } {
  const failed = ledger.forbidden + ledger.not_found + ledger.http_error + ledger.failed
  return { failed, finished: failed + ledger.visited + ledger.redirected }
}

/** A crawl that completed although most of its URLs failed is no success. */
export function hasMostlyFailed(ledger: Ledger): boolean {
  const { failed, finished } = failureCounts(ledger)
  return failed * 2 > finished
}

export function doneCount(ledger: Ledger): number {
  return ledgerTotal(ledger) - ledger.queued - ledger.in_progress
}
