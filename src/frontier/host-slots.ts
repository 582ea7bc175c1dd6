// Which hosts one worker has exclusively, and how the slots of the others are shared. A rule that Postgres evaluates in
// SQL stands beside its TypeScript twin; sql-twins.test.ts keeps the two equal.

import type { CrawlSettings } from '../ports/crawls.ts'
import { HAS_GAP_SQL, type HostPace, hasGap } from './gap.ts'

/** The host has refused concurrent requests, and only a single worker can stay below its limit. */
export function hasConcurrencyLimit({ perHost }: CrawlSettings, { concurrencyLimit }: HostPace): boolean {
  return concurrencyLimit > 0 && concurrencyLimit < 2 * perHost
}

/** Only a single worker can keep a gap or a concurrency limit. */
export function isExclusiveHost(settings: CrawlSettings, host: HostPace): boolean {
  return hasGap(settings, host) || hasConcurrencyLimit(settings, host)
}

/** `h` is the host, $1 to $3 are `hostSlotParameters`. */
export const IS_EXCLUSIVE_SQL = `(${HAS_GAP_SQL}
    or (h.concurrency_limit > 0 and h.concurrency_limit < 2 * $3::int))`

export function hostSlotParameters({ delayMs, ignoreRobots, perHost }: CrawlSettings): [boolean, boolean, number] {
  return [delayMs !== 0, !ignoreRobots, perHost]
}

/**
 * Whether a lease that runs short has to come back. Without a delay slots are shared: one that was given whole while
 * nobody knew the host comes back, one whose host has turned out to want a gap, and one that has only some of the slots of
 * a host that has turned out to be limited.
 */
export function mustReturnLease(
  settings: CrawlSettings,
  host: HostPace,
  { slots, slotsPerHost }: { slots: number; slotsPerHost: number },
): boolean {
  if (settings.delayMs !== 0) return false
  if (hasGap(settings, host)) return true
  return hasConcurrencyLimit(settings, host) ? slots < settings.perHost : slots > slotsPerHost
}

/** Urls taken at a time for each request that can be under way at a host that is asked without a gap. */
const URLS_PER_SLOT = 16

export function claimSizeWithoutGap(settings: CrawlSettings, host: HostPace, slots: number): number {
  return (
    URLS_PER_SLOT * (hasConcurrencyLimit(settings, host) ? Math.min(slots, Math.floor(host.concurrencyLimit)) : slots)
  )
}
