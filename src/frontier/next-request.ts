// Hosts with a gap between two requests, and when a host may be requested again after a request of unknown outcome
// (G5). engine/politeness/gap.ts computes how long the gap is.

import { type HostSettings, rateIntervalMs, rateOf } from '../config/policies/host-settings.ts'
import type { CrawlSettings } from '../ports/crawls.ts'

/** Timing of the requests to a host. */
export interface HostTiming {
  gapMs: number
  responseMs: number
  /** Requests in flight that the host accepts; 0 if no limit is known. */
  concurrencyLimit: number
}

/** Gap of a host whose gap is not known yet, in a crawl with the delay `auto`. */
const AUTO_GAP_MS = 1000
/**
 * If the `next_at` of a host plus its gap is at most this old at a restart, the host may have been requested just
 * before it.
 */
const RECENT_MS = 60_000
/**
 * SQLite forgets leases in a crash. While a host is leased, its time in the file (`next_at`) is therefore never older than
 * this when the lease is granted or renewed. A request starts at most HEARTBEAT_TIMEOUT_MS after that. Together this is
 * less than RECENT_MS, so after a crash every host that may just have been requested is recognised as recent.
 */
export const SAVE_LEASED_HOST_MS = 30_000
/** Maximum wait of a host. A later time means that a clock was wrong. */
export const MAX_PAUSE_MS = 86_400_000

/** A host that was never requested counts as having a gap: its robots.txt may set a crawl delay. */
export function hasGap({ delayMs, ignoreRobots }: CrawlSettings, { gapMs, responseMs }: HostTiming): boolean {
  return delayMs !== 0 || gapMs > 0 || (!ignoreRobots && responseMs === 0)
}

/** `h` is the host; the parameters are $1 and $2 of `hostSlotParameters`. */
export const HAS_GAP_SQL = '($1::boolean or h.gap_ms > 0 or ($2::boolean and h.response_ms = 0))'

/**
 * The longest gap that a lost lease may have left unreported. The bucket of a rate counts as empty: whatever it held may have
 * been spent.
 */
export function unreportedDelay({ delayMs, policy }: HostSettings): CrawlSettings['delayMs'] {
  const rate = policy === undefined ? null : rateOf(policy)
  if (rate === null) return delayMs
  return Math.max(Math.ceil(rateIntervalMs(rate)), delayMs === 'auto' ? AUTO_GAP_MS : delayMs)
}

/** When a host may be requested again after a lease on it was lost: one gap after the loss was noticed. */
export function nextAtAfterLoss(
  { nextAt, gapMs }: { nextAt: number; gapMs: number },
  delayMs: CrawlSettings['delayMs'],
  noticedAt: number,
): number {
  return Math.max(nextAt, noticedAt + Math.max(gapMs, delayMs === 'auto' ? AUTO_GAP_MS : delayMs))
}

/** The delay of a crawl in ms; `delay` is its setting as text. */
export function delayMsSql(delay: string): string {
  return `case ${delay} when 'auto' then ${AUTO_GAP_MS} else (${delay})::bigint end`
}

/** `h` is the host; `delayMs` and `noticedAt` are SQL expressions. */
export function nextAtAfterLossSql(delayMs: string, noticedAt: string): string {
  return `greatest(h.next_at, ${noticedAt} + greatest(h.gap_ms, ${delayMs}))`
}

/** A crash may have lost the report of the last request, so a host requested recently waits at least one more gap. */
export function nextAtAfterRestart({ nextAt, gapMs }: { nextAt: number; gapMs: number }, restartedAt: number): number {
  if (!isRecent({ nextAt, gapMs }, restartedAt)) return nextAt
  return Math.max(Math.min(nextAt, restartedAt + MAX_PAUSE_MS), restartedAt + gapMs)
}

/** `h` is the host; `restartedAt` is an SQL expression. */
export function nextAtAfterRestartSql(restartedAt: string): string {
  return `case when ${isRecentSql(restartedAt)}
    then greatest(least(h.next_at, ${restartedAt} + ${MAX_PAUSE_MS}), ${restartedAt} + h.gap_ms) else h.next_at end`
}

/** Whether the host may have been requested just before the restart, so that nextAtAfterRestart may change its time. */
export function isRecent({ nextAt, gapMs }: { nextAt: number; gapMs: number }, restartedAt: number): boolean {
  return nextAt > restartedAt - gapMs - RECENT_MS
}

/** `h` is the host; `restartedAt` is an SQL expression. */
export function isRecentSql(restartedAt: string): string {
  return `h.next_at > ${restartedAt} - h.gap_ms - ${RECENT_MS}`
}
