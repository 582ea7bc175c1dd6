// Builds the report of a visit for each way in which a visit can end. visit-steps.ts completes the report of a fetched
// URL with what the response contains; the others are complete as built here.

import { hash } from 'node:crypto'
import { copyString } from '../../../lib/copy-string.ts'
import { HOOK_REFUSED, type RequestDecision } from '../../../ports/hooks.ts'
import type { LastVisit, LeasedUrl } from '../../../ports/leases.ts'
import type { FoundUrl, VisitFacts, VisitOutcome, VisitReport } from '../../../ports/visits.ts'
import { readCacheLifetime } from '../../fetch/cache-lifetime.ts'
import type { FetchResponse, FetchResult } from '../../fetch/fetch-result.ts'
import type { RobotsPermission } from '../../robots/robots-checker.ts'
import type { DocumentQueue } from './document-queue.ts'
import { type RetryPolicy, retryOrEnd } from './verdict.ts'

/** A URL under a lease. */
export interface LeasedVisit {
  token: number
  url: LeasedUrl
}

export interface StalledVisit {
  token: number
  urlId: number
  /** Number of earlier visits. */
  attempts: number
}

export type FetchedReport = VisitReport & { facts: VisitFacts }
export type RobotsDenial = Extract<RobotsPermission, { kind: 'denied' | 'unreachable' }>

/** A page that stalls a thread once may be a coincidence. The second time its URL fails. */
const MAX_STALLS = 2

const NO_FINDINGS = { found: [] as FoundUrl[], linkCount: 0, page: null, traps: null, freshness: null }

const NO_RESPONSE: VisitFacts = {
  httpStatus: null,
  contentType: null,
  contentLength: null,
  contentHash: null,
  title: null,
  redirectTo: null,
  canonical: null,
  noindex: false,
  nofollow: false,
  fetchMs: null,
  processingMs: null,
  ip: null,
  cname: null,
  proxy: null,
  visitedAt: 0,
}

/** The request was made, with or without a response. */
export function reportFetched(
  { token, url }: LeasedVisit,
  result: FetchResult,
  outcome: VisitOutcome,
  now: number,
): FetchedReport {
  return { token, urlId: url.id, outcome, facts: toVisitFacts(result, now), ...NO_FINDINGS }
}

/** The server says that nothing has changed since the last visit. */
export function reportNotModified(
  { token, url }: LeasedVisit,
  { reason }: LastVisit,
  result: FetchResponse,
  now: number,
): VisitReport {
  const outcome: VisitOutcome = { state: 'visited', reason }
  const { etag, lastModified } = result
  const maxAgeMs = readCacheLifetime(result.rawHeaders, now)
  const freshness = { etag, lastModified, isUnchanged: true, maxAgeMs }
  return { token, urlId: url.id, outcome, facts: toVisitFacts(result, now), ...NO_FINDINGS, freshness }
}

export function toVisitFacts(result: FetchResult, now: number): VisitFacts {
  const { fetchMs, ip, cname, proxy = null } = result
  const facts = { ...NO_RESPONSE, fetchMs, ip, cname, proxy, visitedAt: now }
  if (result.kind === 'failure') return facts
  facts.httpStatus = result.status
  facts.contentType = result.contentType === '' ? null : copyString(result.contentType)
  facts.contentLength = result.body.length
  facts.contentHash = result.status === 200 ? hash('sha256', result.body, 'hex') : null
  return facts
}

/** The host is down: the URL fails without a request. */
export function reportHostDown({ token, url }: LeasedVisit, reason: string): VisitReport {
  return { token, urlId: url.id, outcome: { state: 'failed', reason }, facts: null, ...NO_FINDINGS }
}

/** The host is overloaded or suspended: the URL is retried at `retryAt`. This is not a visit, so it costs no attempt. */
export function reportPostponed({ token, url }: LeasedVisit, reason: string, retryAt: number): VisitReport {
  const outcome = { state: 'retry' as const, reason, dueAt: Math.ceil(retryAt) }
  return { token, urlId: url.id, outcome, facts: null, ...NO_FINDINGS }
}

/** The document readers are full: the URL is retried later. This is not a visit, so it costs no attempt. */
export function reportDocumentPostponed({ token, url }: LeasedVisit, documentQueue: DocumentQueue): VisitReport {
  const dueAt = documentQueue.postpone(url.id)
  const outcome = { state: 'retry' as const, reason: 'document_reader_busy', dueAt }
  return { token, urlId: url.id, outcome, facts: null, ...NO_FINDINGS }
}

/** The URL must not be visited: it is out of scope, or robots.txt denies it. */
export function reportExcluded({ token, url }: LeasedVisit, reason: string): VisitReport {
  return { token, urlId: url.id, outcome: { state: 'excluded', reason }, facts: null, ...NO_FINDINGS }
}

/** The program that runs the crawl does not want the request, or could not say. */
export function reportHookDecision(
  { token, url }: LeasedVisit,
  reason: Exclude<RequestDecision, 'allowed'>,
): VisitReport {
  const state = reason === HOOK_REFUSED ? 'excluded' : 'failed'
  return { token, urlId: url.id, outcome: { state, reason }, facts: null, ...NO_FINDINGS }
}

/** Processing the response did not finish, or not before the lease was lost. */
export function reportStalled(
  { token, urlId, attempts }: StalledVisit,
  retryDelayMs: number,
  now: number,
): VisitReport {
  const reason = 'stalled'
  const outcome: VisitOutcome =
    attempts + 1 >= MAX_STALLS ? { state: 'failed', reason } : { state: 'retry', reason, dueAt: now + retryDelayMs }
  return { token, urlId, outcome, facts: { ...NO_RESPONSE, visitedAt: now }, ...NO_FINDINGS }
}

/** A rule excludes the URL for good. If robots.txt is unreachable, the URL is retried like a failed request. */
export function reportRobotsDenied(
  leased: LeasedVisit,
  denial: RobotsDenial,
  { retryPolicy, random }: { retryPolicy: RetryPolicy; random: () => number },
  now: number,
): VisitReport {
  if (denial.kind === 'denied') return reportExcluded(leased, denial.reason)
  const { token, url } = leased
  const attempt = { attempts: url.attempts, now, jitter: random() }
  const outcome = retryOrEnd('excluded', denial.reason, denial.until - now, retryPolicy, attempt)
  const facts = outcome.state === 'retry' ? { ...NO_RESPONSE, visitedAt: now } : null
  return { token, urlId: url.id, outcome, facts, ...NO_FINDINGS }
}
