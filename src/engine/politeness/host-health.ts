// How a host takes our requests, and what follows. Refusals and errors count by their share of the recent answers: a
// broken page is not a broken host. From a certain share on, each adds a strike, and each strike doubles the pause after
// it; good answers take strikes away. From a larger share on the host is overloaded: its refusals no longer count against
// the urls that were refused. A host that stops answering is set aside and tried again with one request at a time. When
// either goes on for too long, the host is down, and its urls end without a request.

import { HEALTHY_HOST, type HostHealth } from '../../ports/frontier.ts'
import type { FetchProblem, FetchResult } from '../fetch/fetch-result.ts'

export interface HealthSettings {
  /** The first pause; 0: never pause. */
  cooldownMs: number
  /** How long a host that used to answer may be silent, or refuse everything. */
  hostPatienceMs: number
  retries: number
}

/** `too_many` is a 429, `unavailable` a 503, `failed` any other error of the host. */
export const RESPONSE_CLASSES = ['good', 'too_many', 'unavailable', 'failed', 'silent', 'timed_out', 'neutral'] as const
export type ResponseClass = (typeof RESPONSE_CLASSES)[number]

export interface HealthContext {
  startedAt: number
  now: number
  /** It has answered before, now or in an earlier crawl. */
  hasAnswered: boolean
  /** Retry-After, 0 when absent. */
  retryAfterMs: number
  /** Visits to its url made before. Another failure of the same url says nothing new about the host. */
  attempts: number
  /** How often its url was refused before because of an overload, as far as that is known. */
  deferrals: number
  /** The host has paused for a Retry-After before, as far as that is known. */
  hasPausedBefore: boolean
  /** Nobody else had a request under way at the host. */
  isAlone: boolean
  /** The host is known to refuse when it is asked for too many at a time. */
  isLimited: boolean
}

export interface HealthUpdate {
  health: HostHealth
  /** The time before which the host shall be left alone. */
  pauseUntil: number
  /** It was refused because the host has too much to do: nothing is held against its url. */
  isOverload: boolean
  /** The host shall get fewer requests at a time. */
  shouldLowerLimit: boolean
}

/** Longest pause, in first pauses. */
const MAX_COOLDOWNS = 10
/** Failures in a row after which a host is set aside; one time-out is as long as several of them. */
const SUSPEND_AFTER_FAILURES = 3
/** First and longest pause before a silent host is tried again: 5 and 25 s with the usual cooldown of half a second. */
const FIRST_PROBE_COOLDOWNS = 10
const LAST_PROBE_COOLDOWNS = 50
const DOWN_MS = 5 * 60_000
/** A longer Retry-After is not believed: the host is left alone for `hostPatienceMs` instead. */
export const MAX_RETRY_AFTER_MS = 3_600_000
/** Weight of the newest answer in the share of failures. */
const NEWEST_WEIGHT = 1 / 16
/** Four failures in a row. With some broken pages in a hundred, spread evenly, it is hardly ever reached. */
const PAUSE_SHARE = 3 / 16
/** Two in a row, while others are under way: fewer at a time will tell whether it is the load. */
const CROWDED_SHARE = 0.12
/** Five in a row, each of them alone. */
const OVERLOAD_SHARE = 1 / 4
/** A url that is refused more often than this, while others are served, is broken itself. */
const MAX_DEFERRALS = 3
/** A smaller share is none. */
const LEAST_SHARE = 0.01

const NO_OVERLOAD = { isOverload: false, shouldLowerLimit: false }

/** Other problems say nothing against the host of a url; they show at least that somebody is there. */
const SILENT_PROBLEMS = new Set<FetchProblem>(['dns_failed', 'connect_refused', 'connection_lost'])
const TIMEOUT_PROBLEMS = new Set<FetchProblem>(['connect_timeout', 'headers_timeout', 'timeout'])

export function classifyResponse(result: FetchResult): ResponseClass {
  if (result.kind === 'failure') {
    if (TIMEOUT_PROBLEMS.has(result.problem)) return 'timed_out'
    return SILENT_PROBLEMS.has(result.problem) ? 'silent' : 'neutral'
  }
  if (result.status === 429) return 'too_many'
  if (result.status === 503) return 'unavailable'
  return result.status === 403 || result.status >= 500 ? 'failed' : 'good'
}

/** Whether the host asks for fewer requests. */
export function isRefusal(responseClass: ResponseClass): boolean {
  return responseClass === 'too_many' || responseClass === 'unavailable'
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
  const { now, startedAt, isAlone, isLimited, deferrals } = context
  const isFirst = context.attempts + deferrals === 0
  // Now and then it is asked for one more at a time than it took before. That it refuses then is no news.
  // Unless nothing was served since.
  const isExpected = isLimited && !isAlone && isRefusal(responseClass) && health.refusingSince === 0
  const isNews = isFirst && !isExpected
  const failureShare = health.failureShare + (isNews ? (1 - health.failureShare) * NEWEST_WEIGHT : 0)
  const isTooMuch = responseClass === 'too_many' || isLimited || failureShare >= CROWDED_SHARE
  const isCrowd = isRefusal(responseClass) && !isAlone && isTooMuch
  const isRefusingAll = isRefusal(responseClass) && failureShare >= OVERLOAD_SHARE
  // Since the last good answer. Nothing is deferred for longer than the patience, or the crawl would never end.
  const since = health.refusingSince === 0 ? startedAt : health.refusingSince
  const giveUpAt = since + settings.hostPatienceMs
  const isOverload = now < giveUpAt && (isRefusingAll || (isCrowd && deferrals < MAX_DEFERRALS))
  // A 503 says that the service is down. When others are served after the pause it asks for, it is about the page.
  const isAboutPage = responseClass !== 'too_many' && context.hasPausedBefore && failureShare < CROWDED_SHARE
  const retryAfterMs = isAboutPage ? 0 : context.retryAfterMs
  const isFarHint = retryAfterMs > MAX_RETRY_AFTER_MS
  const refusingSince = isOverload || (isFarHint && isFirst) ? since : health.refusingSince
  // Of several at a time there will be fewer. Only a request that was alone calls for a pause.
  const isOften = responseClass === 'too_many' ? isAlone : failureShare >= PAUSE_SHARE
  const isPause = isOften && (isAlone || !isRefusal(responseClass))
  const strikes = health.strikes + (isPause ? 1 : 0)
  const isDown = isRefusingAll && isAlone && now >= giveUpAt
  const hintedUntil =
    isFarHint && isFirst ? Math.min(giveUpAt, now + retryAfterMs) : now + (isFarHint ? 0 : retryAfterMs)
  const until = Math.max(now + (isPause ? cooldownMsFor(strikes, settings) : 0), hintedUntil)
  return {
    health: { ...HEALTHY_HOST, strikes, failureShare, refusingSince, downUntil: isDown ? now + DOWN_MS : 0 },
    pauseUntil: until > now ? until : 0,
    isOverload,
    shouldLowerLimit: isCrowd && isFirst,
  }
}

function updateAfterSilence(health: HostHealth, isLong: boolean, context: HealthContext, settings: HealthSettings) {
  const { now, startedAt, hasAnswered } = context
  const strikes = health.strikes + 1
  const failures = isLong && health.failures < SUSPEND_AFTER_FAILURES ? SUSPEND_AFTER_FAILURES : health.failures + 1
  const failingSince = health.failingSince === 0 ? startedAt : health.failingSince
  const next = { ...health, strikes, failures, failingSince, downUntil: 0 }
  if (!isSuspended(next)) return { health: next, pauseUntil: now + cooldownMsFor(strikes, settings) }
  const patienceMs = hasAnswered ? settings.hostPatienceMs : 0
  const isDown = failures > settings.retries && now - failingSince >= patienceMs
  if (isDown) return { health: { ...next, downUntil: now + DOWN_MS }, pauseUntil: 0 }
  const holdMs = FIRST_PROBE_COOLDOWNS * 2 ** Math.min(10, failures - SUSPEND_AFTER_FAILURES) * settings.cooldownMs
  // A request that hung is part of the pause, or a host that heals meanwhile would wait for both.
  const latest = startedAt + LAST_PROBE_COOLDOWNS * settings.cooldownMs
  return { health: next, pauseUntil: Math.max(now + cooldownMsFor(strikes, settings), Math.min(now + holdMs, latest)) }
}

/** Silent for so long that it gets one request at a time, now and then. */
export function isSuspended(health: HostHealth): boolean {
  return health.failures >= SUSPEND_AFTER_FAILURES
}

/** Why the urls of a host that is down end. */
export function downReason({ failures }: HostHealth): 'host_unresponsive' | 'host_overloaded' {
  return failures > 0 ? 'host_unresponsive' : 'host_overloaded'
}

function cooldownMsFor(strikes: number, settings: HealthSettings): number {
  return settings.cooldownMs * Math.min(MAX_COOLDOWNS, 2 ** Math.min(10, strikes - 1))
}
