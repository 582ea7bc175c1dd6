// Maps native states and statuses to those of this API and back.

import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { Scope } from '../../engine/url/scope.ts'
import { type CrawlStatus, ledgerTotal, type UrlState } from '../../lib/states.ts'
import type { Crawl, CrawlProgress } from '../../ports/crawls.ts'
import type { UrlRow } from '../../ports/urls.ts'

export const RUN_URL_STATUSES = [
  'QUEUED',
  'IN_PROGRESS',
  'VISITED',
  'REDIRECT_301',
  'FORBIDDEN',
  'NOT_FOUND',
  'HTTP_TERMINAL',
  'FAILED',
  'REDIRECT_FOLLOWED',
  'REDIRECT_OUT_OF_SCOPE',
  'CANCELLED',
] as const
export type RunUrlStatus = (typeof RUN_URL_STATUSES)[number]
export type RunStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'

/** This API has no status for a run that is paused or watching. */
const RUN_STATUS: Record<CrawlStatus, RunStatus> = {
  running: 'RUNNING',
  watching: 'RUNNING',
  paused: 'RUNNING',
  completed: 'COMPLETED',
  cancelled: 'CANCELLED',
  failed: 'FAILED',
}

/** A cancelled run may have URLs in flight for a moment. */
export function runStatus({ status, reason }: Pick<Crawl, 'status' | 'reason'>): RunStatus {
  return RUN_STATUS[status] === 'RUNNING' && reason === 'cancelled' ? 'CANCELLED' : RUN_STATUS[status]
}

/** The status of a redirect depends on its target. URLs that were never requested are CANCELLED. */
const URL_STATUS: Record<Exclude<UrlState, 'redirected'>, RunUrlStatus> = {
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  visited: 'VISITED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  http_error: 'HTTP_TERMINAL',
  failed: 'FAILED',
  excluded: 'CANCELLED',
}

/** The native states that can have a status. */
export const NATIVE_STATES: Record<RunUrlStatus, UrlState[]> = {
  QUEUED: ['queued'],
  IN_PROGRESS: ['in_progress'],
  VISITED: ['visited'],
  REDIRECT_301: ['redirected'],
  FORBIDDEN: ['forbidden'],
  NOT_FOUND: ['not_found'],
  HTTP_TERMINAL: ['http_error', 'redirected'],
  FAILED: ['failed'],
  REDIRECT_FOLLOWED: ['redirected'],
  REDIRECT_OUT_OF_SCOPE: ['redirected'],
  CANCELLED: ['excluded'],
}

export interface MappedState {
  status: RunUrlStatus
  isFinalInScope: boolean
}

export type StateMapper = (row: Pick<UrlRow, 'state' | 'httpStatus' | 'redirectTo'>) => MappedState

export function createStateMapper({ settings, seeds }: Crawl): StateMapper {
  // If the patterns of a crawl are no longer valid, only the hosts are checked.
  const patterns = findPatternError(settings) === null ? {} : { include: [], exclude: [] }
  const scope = new Scope({ ...settings, ...patterns }, seeds)
  const isInScope = (text: string | null) => {
    const url = text === null ? null : URL.parse(text)
    return url !== null && scope.check(url.href, url.host) === null
  }
  return ({ state, httpStatus, redirectTo }) => {
    if (state !== 'redirected') return { status: URL_STATUS[state], isFinalInScope: true }
    const isFinalInScope = isInScope(redirectTo)
    if (settings.followRedirects) {
      return { status: isFinalInScope ? 'REDIRECT_FOLLOWED' : 'REDIRECT_OUT_OF_SCOPE', isFinalInScope }
    }
    return { status: httpStatus === 301 ? 'REDIRECT_301' : 'HTTP_TERMINAL', isFinalInScope }
  }
}

export type RunTotals = { discovered: number } & Record<Lowercase<RunUrlStatus>, number>

/** Redirects that are not followed. */
export interface RedirectCounts {
  outOfScope: number
  /** URLs with status 301, in a crawl that follows no redirects. */
  moved: number
}

/** The ledger is current, but the redirect counts may be slightly older; the remaining redirects absorb the difference. */
export function toRunTotals({ crawl, ledger }: CrawlProgress, redirectCounts: RedirectCounts): RunTotals {
  const outOfScope = Math.min(redirectCounts.outOfScope, ledger.redirected)
  const moved = Math.min(redirectCounts.moved, ledger.redirected)
  const { followRedirects } = crawl.settings
  return {
    discovered: ledgerTotal(ledger),
    visited: ledger.visited,
    redirect_followed: followRedirects ? ledger.redirected - outOfScope : 0,
    redirect_out_of_scope: outOfScope,
    redirect_301: moved,
    forbidden: ledger.forbidden,
    not_found: ledger.not_found,
    http_terminal: ledger.http_error + (followRedirects ? 0 : ledger.redirected - moved),
    failed: ledger.failed,
    cancelled: ledger.excluded,
    queued: ledger.queued,
    in_progress: ledger.in_progress,
  }
}

export function totalFor(status: RunUrlStatus | undefined, totals: RunTotals): number {
  return status === undefined ? totals.discovered : totals[status.toLowerCase() as Lowercase<RunUrlStatus>]
}
