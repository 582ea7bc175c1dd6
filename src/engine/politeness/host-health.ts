// The health of a host: how it responds to our requests, and what follows from that.
//
// Refusals and errors count by their share of the recent responses, because a broken page does not mean a broken host.
// Above a certain share each one adds a strike, and each strike doubles the pause after it; good responses remove
// strikes. Above a larger share the host is overloaded, and refusals no longer count against the refused URLs. A host
// that stops responding is suspended: it is probed with one request at a time. If either goes on for too long, the host
// is down, and its URLs fail without a request.

import { HEALTHY_HOST, type HostHealth } from '../../ports/leases.ts'
import type { FetchProblem, FetchResult } from '../fetch/fetch-result.ts'

export interface HealthSettings {
  /** The first pause; 0 means no pauses. */
  cooldownMs: number
  /** The longest pause; null: MAX_COOLDOWNS times the first. */
  cooldownMaxMs: number | null
  /** How long a host that has responded before may be silent, or refuse everything, before it is down. */
  hostPatienceMs: number
  retries: number
}

/**
 * `too_many` is a 429, `unavailable` a 503, `failed` a 403 or any other 5xx, `silent` no response at all, `unsent` a
 * request that a proxy did not pass on, `aborted` a request that ended because its lease was not renewed in time.
 */
const RESPONSE_CLASSES = [
  'good',
  'too_many',
  'unavailable',
  'failed',
  'silent',
  'timed_out',
  'neutral',
  'unsent',
  'aborted',
] as const
export type ResponseClass = (typeof RESPONSE_CLASSES)[number]

export interface HealthContext {
  startedAt: number
  now: number
  /** The host has responded before, in this crawl or an earlier one. */
  hasResponded: boolean
  /** Time in the Retry-After header; 0 if absent. */
  retryAfterMs: number
  /** Earlier visits to the URL. Another failure of the same URL says nothing new about the host. */
  attempts: number
  /** Known number of times that the URL was postponed because of an overload. */
  postponements: number
  /** The host has paused for a Retry-After before, as far as known. */
  hasPausedBefore: boolean
  /** No other request was in flight to the host, of any worker. */
  isAlone: boolean
  /** The host is known to refuse concurrent requests. */
  isLimited: boolean
}

export interface HealthUpdate {
  health: HostHealth
  /** No request may start before this time; 0 if there is no pause. */
  pauseUntil: number
  /** The host refused because it is overloaded; this does not count against the URL. */
  isOverload: boolean
  /** The host should get fewer concurrent requests. */
  shouldLowerLimit: boolean
  /** The next request for the URL must be the only request to the host, to find out whether the page is broken. */
  mustRetryAlone: boolean
}

/** The longest pause, in multiples of `cooldownMs`. */
const MAX_COOLDOWNS = 10
/** Failures in a row after which a host is suspended. A single timeout is enough, since it takes as long as several. */
const SUSPEND_AFTER_FAILURES = 3
/** First and longest pause before a probe, in multiples of `cooldownMs`: 5 and 25 s with the default of 500 ms. */
const FIRST_PROBE_COOLDOWNS = 10
const LAST_PROBE_COOLDOWNS = 50
const DOWN_MS = 5 * 60_000
/** The health of a host that could have had requests for this long, and had none, is reset. */
const HEALTH_EXPIRY_MS = 10 * 60_000
/** A longer Retry-After is not followed: the host pauses for `hostPatienceMs` instead. */
export const MAX_RETRY_AFTER_MS = 3_600_000
/** Weight of the newest response in the share of failures. */
const NEWEST_WEIGHT = 1 / 16
/** Reached after four failures in a row. A few broken pages in a hundred, spread evenly, hardly ever reach it. */
const PAUSE_SHARE = 3 / 16
/** Reached after two refusals in a row. Then the limit is lowered, to find out whether load is the reason. */
const CROWDED_SHARE = 0.12
/** Reached after five refusals in a row. */
const OVERLOAD_SHARE = 1 / 4
/** A URL that is refused more often than this while others are served is itself broken. */
const MAX_POSTPONEMENTS = 3
/** A smaller share is rounded to zero. */
const LEAST_SHARE = 0.01

const NO_OVERLOAD = { isOverload: false, shouldLowerLimit: false, mustRetryAlone: false }

/** Other problems, such as an invalid certificate, show that the host responds. */
const SILENT_PROBLEMS = new Set<FetchProblem>(['dns_failed', 'connect_refused', 'connection_lost'])
const TIMEOUT_PROBLEMS = new Set<FetchProblem>(['connect_timeout', 'headers_timeout', 'timeout'])

export function classifyResponse(result: FetchResult): ResponseClass {
  if (result.kind === 'failure') {
    if (result.problem === 'proxy_failed') return 'unsent'
    if (result.problem === 'lease_lapsed') return 'aborted'
    if (TIMEOUT_PROBLEMS.has(result.problem)) return 'timed_out'
    return SILENT_PROBLEMS.has(result.problem) ? 'silent' : 'neutral'
  }
  if (result.status === 429) return 'too_many'
  if (result.status === 503) return 'unavailable'
  return result.status === 403 || result.status >= 500 ? 'failed' : 'good'
}

/** Whether the response asks for fewer requests. */
export function isRefusal(responseClass: ResponseClass): boolean {
  return responseClass === 'too_many' || responseClass === 'unavailable'
}

/** Resets the health of a host that had no requests for a while, unless it is down. Strikes remain. */
export function expireHealth(health: HostHealth, dueSince: number, now: number): HostHealth {
  const hasFailures = health.failures > 0 || health.failureShare > 0
  const isExpired = hasFailures && health.downUntil <= now && dueSince < now - HEALTH_EXPIRY_MS
  return isExpired ? { ...HEALTHY_HOST, strikes: health.strikes } : health
}

export function updateHealth(
  health: HostHealth,
  responseClass: ResponseClass,
  context: HealthContext,
  settings: HealthSettings,
): HealthUpdate {
  const { strikes, failureShare } = health
  switch (responseClass) {
    case 'neutral':
      return { health: { ...HEALTHY_HOST, strikes, failureShare }, pauseUntil: 0, ...NO_OVERLOAD }
    case 'unsent':
    case 'aborted':
      return { health, pauseUntil: 0, ...NO_OVERLOAD }
    case 'good': {
      const share = failureShare * (1 - NEWEST_WEIGHT)
      const better = { strikes: Math.max(0, strikes - 1), failureShare: share < LEAST_SHARE ? 0 : share }
      return { health: { ...HEALTHY_HOST, ...better }, pauseUntil: 0, ...NO_OVERLOAD }
    }
    case 'too_many':
    case 'unavailable':
    case 'failed':
      return updateAfterRefusal(health, responseClass, context, settings)
    case 'silent':
    case 'timed_out':
      return { ...updateAfterSilence(health, responseClass === 'timed_out', context, settings), ...NO_OVERLOAD }
  }
}

function updateAfterRefusal(
  health: HostHealth,
  responseClass: ResponseClass,
  context: HealthContext,
  settings: HealthSettings,
): HealthUpdate {
  const { now, startedAt, isAlone, isLimited, postponements } = context
  const isFirst = context.attempts + postponements === 0
  // The limit is raised now and then to try one more concurrent request. A refusal of that is expected, unless the host
  // has refused everything since its last good response.
  const isExpected = isLimited && !isAlone && isRefusal(responseClass) && health.refusingSince === 0
  const doesCount = isFirst && !isExpected
  const failureShare = health.failureShare + (doesCount ? (1 - health.failureShare) * NEWEST_WEIGHT : 0)
  const isLoadLikely = responseClass === 'too_many' || isLimited || failureShare >= CROWDED_SHARE
  const isCrowded = isRefusal(responseClass) && !isAlone && isLoadLikely
  const isRefusingAll = isRefusal(responseClass) && failureShare >= OVERLOAD_SHARE
  // Counted from the last good response. Nothing is postponed beyond `giveUpAt`, or the crawl would never end.
  const since = health.refusingSince === 0 ? startedAt : health.refusingSince
  const giveUpAt = since + settings.hostPatienceMs
  // One slow page may keep a host busy while another URL uses up its attempts. With retries turned off, one attempt is
  // all.
  const isRetried = settings.retries > 0 && context.attempts >= settings.retries
  const isLastAttempt = isRetried && isRefusal(responseClass) && !isAlone
  const canWait = (isCrowded || isLastAttempt) && postponements < MAX_POSTPONEMENTS
  const isOverload = now < giveUpAt && (isRefusingAll || canWait)
  // A 503 means that the service is down. If other pages are served after the pause it requested, only this page is
  // broken.
  const isAboutPage = responseClass !== 'too_many' && context.hasPausedBefore && failureShare < CROWDED_SHARE
  const retryAfterMs = isAboutPage ? 0 : context.retryAfterMs
  const isTooFar = retryAfterMs > MAX_RETRY_AFTER_MS
  const refusingSince = isOverload || (isTooFar && isFirst) ? since : health.refusingSince
  // If one of several concurrent requests is refused, the limit is lowered. Only a request that was alone causes a
  // pause.
  const isFrequent = responseClass === 'too_many' ? isAlone : failureShare >= PAUSE_SHARE
  const isPause = isFrequent && (isAlone || !isRefusal(responseClass))
  const strikes = health.strikes + (isPause ? 1 : 0)
  const isDown = isRefusingAll && isAlone && now >= giveUpAt
  const retryAfterUntil =
    isTooFar && isFirst ? Math.min(giveUpAt, now + retryAfterMs) : now + (isTooFar ? 0 : retryAfterMs)
  const until = Math.max(now + (isPause ? cooldownMsFor(strikes, settings) : 0), retryAfterUntil)
  return {
    health: { ...HEALTHY_HOST, strikes, failureShare, refusingSince, downUntil: isDown ? now + DOWN_MS : 0 },
    pauseUntil: until > now ? until : 0,
    isOverload,
    shouldLowerLimit: isCrowded && isFirst,
    mustRetryAlone: isLastAttempt,
  }
}

function updateAfterSilence(health: HostHealth, isTimeout: boolean, context: HealthContext, settings: HealthSettings) {
  const { now, startedAt, hasResponded } = context
  const strikes = health.strikes + 1
  const failures = isTimeout && health.failures < SUSPEND_AFTER_FAILURES ? SUSPEND_AFTER_FAILURES : health.failures + 1
  const failingSince = health.failingSince === 0 ? startedAt : health.failingSince
  const next = { ...health, strikes, failures, failingSince, downUntil: 0 }
  if (!isSuspended(next)) return { health: next, pauseUntil: now + cooldownMsFor(strikes, settings) }
  const patienceMs = hasResponded ? settings.hostPatienceMs : 0
  const isDown = failures > settings.retries && now - failingSince >= patienceMs
  if (isDown) return { health: { ...next, downUntil: now + DOWN_MS }, pauseUntil: 0 }
  const pauseMs = FIRST_PROBE_COOLDOWNS * 2 ** Math.min(10, failures - SUSPEND_AFTER_FAILURES) * settings.cooldownMs
  // The time that a request hung counts as part of the pause, or a host that recovers would wait for both.
  const latest = startedAt + LAST_PROBE_COOLDOWNS * settings.cooldownMs
  return { health: next, pauseUntil: Math.max(now + cooldownMsFor(strikes, settings), Math.min(now + pauseMs, latest)) }
}

/** Whether the host has been silent for so long that it is only probed. */
export function isSuspended(health: HostHealth): boolean {
  return health.failures >= SUSPEND_AFTER_FAILURES
}

/** Why the URLs of a host that is down fail. */
export function downReason({ failures }: HostHealth): 'host_unresponsive' | 'host_overloaded' {
  return failures > 0 ? 'host_unresponsive' : 'host_overloaded'
}

function cooldownMsFor(strikes: number, settings: HealthSettings): number {
  const { cooldownMs, cooldownMaxMs } = settings
  return Math.min(cooldownMaxMs ?? cooldownMs * MAX_COOLDOWNS, cooldownMs * 2 ** Math.min(10, strikes - 1))
}
