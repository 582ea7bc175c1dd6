// What an answer, or the lack of one, changes in how a host is treated: told once a change, however many requests were
// under way.

import type { HostHealth } from '../../../ports/frontier.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import { isSuspended } from '../../politeness/host-health.ts'

export type HostEvent = 'set_aside' | 'answers_again' | 'given_up' | 'refuses'

/**
 * A Retry-After from this on is told. Shorter ones are the daily way of slowing us down, hardly longer than the pauses we
 * make by ourselves; after a minute somebody may ask why the host stands still. It also bounds the lines: one a minute.
 */
const LONG_PAUSE_MS = 60_000

interface RefusalPause {
  dueAt: number
  nextAt: number
  now: number
}

/** Of the health before and after an answer. */
export function findHostEvent(before: HostHealth, after: HostHealth, now: number): HostEvent | null {
  const wasDown = before.downUntil > now
  if (after.downUntil > now) return wasDown ? null : 'given_up'
  if (isSuspended(after)) return isSuspended(before) ? null : 'set_aside'
  return wasDown || isSuspended(before) ? 'answers_again' : null
}

/** Whether a refusal brings a long pause, until `nextAt`. One that was due anyway, until `dueAt`, is no news. */
export function causesLongPause(result: FetchResult, { dueAt, nextAt, now }: RefusalPause): boolean {
  if (result.kind === 'failure' || result.retryAfter === null) return false
  return nextAt - Math.max(now, dueAt) >= LONG_PAUSE_MS
}
