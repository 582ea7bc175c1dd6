// Decides the state of a fetched URL from its response or failure (FET-05..08). Reading the body may add a reason to the
// state `visited`, and the stores end chains and loops of redirects.

import { REDIRECT_LOOP, type VisitOutcome } from '../../../ports/visits.ts'
import { COOKIES_SHARED_MS } from '../../fetch/cookies/cookie-sync.ts'
import type { FetchProblem, FetchResult } from '../../fetch/fetch-result.ts'
import { MAX_RETRY_AFTER_MS } from '../../politeness/host-health.ts'
import { parseRetryAfterMs } from '../../politeness/retry-after.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'

export interface RetryPolicy {
  retries: number
  retryDelayMs: number
  /** Longest backoff. */
  retryMaxDelayMs: number
}

export interface Attempt {
  /** Number of earlier visits. */
  attempts: number
  now: number
  /** 0 to 1. */
  jitter: number
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const RETRIED_STATUSES = new Set([408, 421, 425, 429])
const BLOCKED_PROBLEMS = new Set<FetchProblem>(['address_blocked', 'port_blocked'])
/**
 * The first retry is at once. It may go to a thread that does not have the cookie yet, so the next one waits for that.
 */
const MIN_COOKIE_RETRIES = 2
/** A retry would fail in the same way. */
const FINAL_PROBLEMS = new Set<FetchProblem>([
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_invalid',
  'proxy_refused',
  'headers_too_large',
  'encoding_unsupported',
  'body_too_large',
  'compression_bomb',
])

export function decideVerdict(
  result: FetchResult,
  policy: RetryPolicy,
  attempt: Attempt & { url: string },
): VisitOutcome {
  if (result.kind === 'failure') return decideFailure(result.problem, policy, attempt)
  const { status } = result
  if (status >= 200 && status < 300) return { state: 'visited', reason: result.truncated ? 'truncated' : null }
  if (REDIRECTS.has(status)) {
    if (result.location === null) return { state: 'http_error', reason: 'redirect_without_target' }
    const reason = redirectProblem(result.location, attempt.url)
    // Some sites redirect a visitor to the same URL until their cookie comes back.
    const isCookieCheck = reason === REDIRECT_LOOP && result.setsCookies === true
    if (!isCookieCheck || attempt.attempts >= Math.max(MIN_COOKIE_RETRIES, policy.retries))
      return { state: 'redirected', reason }
    return { state: 'retry', reason, dueAt: attempt.now + (attempt.attempts === 0 ? 0 : COOKIES_SHARED_MS) }
  }
  if (status === 403) return { state: 'forbidden', reason: null }
  if (status === 404) return { state: 'not_found', reason: null }
  const code = `http_${status}`
  if (status >= 500 || RETRIED_STATUSES.has(status)) {
    const minDelayMs = status === 429 || status === 503 ? parseRetryAfterMs(result.retryAfter, attempt.now) : 0
    return retryOrEnd('http_error', code, minDelayMs, policy, attempt)
  }
  return { state: 'http_error', reason: code }
}

/** Why a redirect leads nowhere; null if it is fine. Loops over several URLs are detected by the store. */
function redirectProblem(location: string, from: string): string | null {
  const target = normaliseUrl(location, from)
  if ('problem' in target) return 'redirect_target_invalid'
  return target.url === from ? REDIRECT_LOOP : null
}

/** Whether another request may succeed. */
export function isRetriedProblem(problem: FetchProblem): boolean {
  return !BLOCKED_PROBLEMS.has(problem) && !FINAL_PROBLEMS.has(problem)
}

function decideFailure(problem: FetchProblem, policy: RetryPolicy, attempt: Attempt): VisitOutcome {
  if (BLOCKED_PROBLEMS.has(problem)) return { state: 'excluded', reason: problem }
  if (FINAL_PROBLEMS.has(problem)) return { state: 'failed', reason: problem }
  return retryOrEnd('failed', problem, 0, policy, attempt)
}

/** `minDelayMs`: requested by the host; ignored if it is longer than MAX_RETRY_AFTER_MS. */
export function retryOrEnd(
  state: 'http_error' | 'failed' | 'excluded',
  reason: string,
  minDelayMs: number,
  policy: RetryPolicy,
  attempt: Attempt,
): VisitOutcome {
  if (attempt.attempts >= policy.retries) return { state, reason }
  const delayMs = Math.max(backoffMs(policy, attempt), minDelayMs > MAX_RETRY_AFTER_MS ? 0 : minDelayMs)
  return { state: 'retry', reason, dueAt: attempt.now + Math.ceil(delayMs) }
}

/** Exponential backoff, half fixed and half jitter: retries spread out, and none is immediate. */
export function backoffMs(
  { retryDelayMs, retryMaxDelayMs }: RetryPolicy,
  { attempts, jitter }: Pick<Attempt, 'attempts' | 'jitter'>,
): number {
  return Math.min(retryMaxDelayMs, retryDelayMs * 2 ** attempts * (0.5 + jitter / 2))
}
