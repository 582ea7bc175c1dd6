// Changes in how a host is treated after a response or a failure. Each change is an event once, no matter how many
// requests were in flight.

import type { HostHealth } from '../../../ports/leases.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import { isSuspended } from '../../politeness/host-health.ts'

export type HostEvent = 'suspended' | 'recovered' | 'given_up' | 'refuses'

/**
 * Pauses by Retry-After of at least this length are logged. Shorter ones are routine and hardly longer than our own
 * pauses; after a minute people may wonder why the host is idle. This also limits the log to one line a minute per
 * host.
 */
const LONG_PAUSE_MS = 60_000

interface RefusalPause {
  dueAt: number
  nextAt: number
  now: number
}

/** Compares the health before and after a request. */
export function findHostEvent(before: HostHealth, after: HostHealth, now: number): HostEvent | null {
  const wasDown = before.downUntil > now
  if (after.downUntil > now) return wasDown ? null : 'given_up'
  if (isSuspended(after)) return isSuspended(before) ? null : 'suspended'
  return wasDown || isSuspended(before) ? 'recovered' : null
}

/**
 * Whether a refusal causes a long pause until `nextAt`. Waiting until `dueAt` was necessary anyway and does not count.
 */
export function causesLongPause(result: FetchResult, { dueAt, nextAt, now }: RefusalPause): boolean {
  if (result.kind === 'failure' || result.retryAfter === null) return false
  return nextAt - Math.max(now, dueAt) >= LONG_PAUSE_MS
}
