// How a host takes our requests, and what follows. A refusal or a failure adds a strike, and each strike doubles the
// pause after it; good answers take strikes away. A host that stops answering is set aside and tried again with one
// request at a time; when that goes on too long, it is down, and its urls end without a request.

import { HEALTHY, type HostHealth } from '../../ports/frontier.ts'
import type { FetchProblem, FetchResult } from '../fetch/result.ts'

export interface HealthSettings {
  /** The first pause; 0: never pause. */
  cooldownMs: number
  /** How long a host that used to answer may be silent. */
  hostPatienceMs: number
  retries: number
}

export const RECEPTIONS = ['good', 'refused', 'silent', 'timed_out', 'neutral'] as const
export type Reception = (typeof RECEPTIONS)[number]

export interface Moment {
  startedAt: number
  now: number
  /** It has answered before, now or in an earlier crawl. */
  hasAnswered: boolean
  /** Retry-After, 0 when absent. */
  hintMs: number
}

/** Longest pause, in first pauses. */
const MAX_COOLDOWNS = 10
/** Failures in a row after which a host is set aside; one time-out is as long as several of them. */
const BREAK_AFTER = 3
/** First and longest pause before a silent host is tried again: 5 and 25 s with the usual cooldown of half a second. */
const FIRST_PROBE_COOLDOWNS = 10
const LAST_PROBE_COOLDOWNS = 50
const DOWN_MS = 5 * 60_000
/** A longer Retry-After is not waited for: the urls of the host end. */
export const MAX_HINT_MS = 3_600_000
const LONGEST_DOWN_MS = 86_400_000

/** Other problems say nothing against the host of a url; they show at least that somebody is there. */
const SILENT = new Set<FetchProblem>(['dns_failed', 'connect_refused', 'connection_lost'])
const TIMED_OUT = new Set<FetchProblem>(['connect_timeout', 'headers_timeout', 'timeout'])

export function receptionOf(result: FetchResult): Reception {
  if (result.kind === 'failure') {
    if (TIMED_OUT.has(result.problem)) return 'timed_out'
    return SILENT.has(result.problem) ? 'silent' : 'neutral'
  }
  return result.status === 403 || result.status === 429 || result.status >= 500 ? 'refused' : 'good'
}

/** The health after an answer, and the time before which the host shall be left alone. */
export function afterReception(
  health: HostHealth,
  reception: Reception,
  moment: Moment,
  settings: HealthSettings,
): { health: HostHealth; holdUntil: number } {
  const { now, hintMs } = moment
  switch (reception) {
    case 'neutral':
      return { health: { ...HEALTHY, strikes: health.strikes }, holdUntil: 0 }
    case 'good': {
      const strikes = Math.max(0, health.strikes - 1)
      return { health: { ...HEALTHY, strikes }, holdUntil: 0 }
    }
    case 'refused': {
      const strikes = health.strikes + 1
      // Told to stay away for hours, we do: for this crawl the host is gone.
      const downUntil = hintMs > MAX_HINT_MS ? now + Math.min(hintMs, LONGEST_DOWN_MS) : 0
      const pauseMs = Math.max(cooldown(strikes, settings), Math.min(hintMs, LONGEST_DOWN_MS))
      return { health: { ...HEALTHY, strikes, downUntil }, holdUntil: now + pauseMs }
    }
    case 'silent':
    case 'timed_out':
      return afterSilence(health, reception === 'timed_out', moment, settings)
  }
}

function afterSilence(health: HostHealth, isLong: boolean, moment: Moment, settings: HealthSettings) {
  const { now, startedAt, hasAnswered } = moment
  const strikes = health.strikes + 1
  const failures = isLong && health.failures < BREAK_AFTER ? BREAK_AFTER : health.failures + 1
  const failingSince = health.failingSince === 0 ? startedAt : health.failingSince
  const next = { strikes, failures, failingSince, downUntil: 0 }
  if (!isSetAside(next)) return { health: next, holdUntil: now + cooldown(strikes, settings) }
  const patienceMs = hasAnswered ? settings.hostPatienceMs : 0
  const isDown = failures > settings.retries && now - failingSince >= patienceMs
  if (isDown) return { health: { ...next, downUntil: now + DOWN_MS }, holdUntil: 0 }
  const holdMs = FIRST_PROBE_COOLDOWNS * 2 ** Math.min(10, failures - BREAK_AFTER) * settings.cooldownMs
  // A request that hung is part of the pause, or a host that heals meanwhile would wait for both.
  const latest = startedAt + LAST_PROBE_COOLDOWNS * settings.cooldownMs
  return { health: next, holdUntil: Math.max(now + cooldown(strikes, settings), Math.min(now + holdMs, latest)) }
}

/** Silent for so long that it gets one request at a time, now and then. */
export function isSetAside(health: HostHealth): boolean {
  return health.failures >= BREAK_AFTER
}

function cooldown(strikes: number, settings: HealthSettings): number {
  return settings.cooldownMs * Math.min(MAX_COOLDOWNS, 2 ** Math.min(10, strikes - 1))
}
