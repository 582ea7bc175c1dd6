// The hosts that one thread has exclusively, how slots of other hosts are shared, and how many URLs a lease claims.

import { type HostSettings, needsOneThread } from '../config/policies/host-settings.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import { hasConcurrencyLimit } from '../ports/frontier.ts'
import { urlsPerTurn } from './host-turns.ts'
import { HAS_GAP_SQL, type HostTiming, hasGap } from './next-request.ts'

/** A gap, a concurrency limit or the rate of a policy requires that a single thread has the host. */
export function isExclusiveHost(settings: HostSettings, host: HostTiming): boolean {
  return (
    hasGap(settings, host) || hasConcurrencyLimit(host.concurrencyLimit, settings.perHost) || needsOneThread(settings)
  )
}

/** The rule without policies. `h` is the host, $1 to $3 are `hostSlotParameters`. */
export const IS_EXCLUSIVE_SQL = `(${HAS_GAP_SQL}
    or (h.concurrency_limit > 0 and h.concurrency_limit < 2 * $3::int))`

export function hostSlotParameters({ delayMs, ignoreRobots, perHost }: CrawlSettings): [boolean, boolean, number] {
  return [delayMs !== 0, !ignoreRobots, perHost]
}

/** Slots of a host that are not leased. `leased` counts the leased slots of all crawls. */
export function freeSlots({ perHost }: CrawlSettings, isExclusive: boolean, leased: number): number {
  return isExclusive && leased > 0 ? 0 : Math.max(0, perHost - leased)
}

/** Slots of a shared host that a thread gets, given those it has already. */
export function sharedSlots(free: number, { own, slotsPerHost }: { own: number; slotsPerHost: number }): number {
  return Math.max(0, Math.min(free, slotsPerHost - own))
}

/**
 * Whether a lease must be released rather than topped up, because the host is now known to need another number of slots:
 * - it has a gap, so that it becomes exclusive;
 * - it has a concurrency limit or a policy that needs one thread, and the lease has only some of its slots;
 * - it has neither, and the lease was granted exclusively while that was unknown.
 * A crawl with a delay has every host exclusively from the start.
 */
export function mustReleaseLease(
  settings: HostSettings,
  host: HostTiming,
  { slots, slotsPerHost }: { slots: number; slotsPerHost: number },
): boolean {
  if (settings.delayMs !== 0) return false
  if (needsOneThread(settings)) return slots < settings.perHost
  if (hasGap(settings, host)) return true
  return hasConcurrencyLimit(host.concurrencyLimit, settings.perHost) ? slots < settings.perHost : slots > slotsPerHost
}

/** URLs per claim of a host with a gap. */
const URLS_WITH_GAP = 16
/** URLs per claim for each slot of a host without a gap. */
const URLS_PER_SLOT = 16

/** URLs to claim of a host with a gap: no more than last for a turn if another crawl waits for the host. */
export function claimSizeWithGap(
  settings: CrawlSettings,
  { gapMs }: { gapMs: number },
  hasWaitingCrawl: boolean,
): number {
  return hasWaitingCrawl ? Math.min(URLS_WITH_GAP, urlsPerTurn(settings, gapMs)) : URLS_WITH_GAP
}

export function claimSizeWithoutGap(settings: CrawlSettings, host: HostTiming, slots: number): number {
  const usable = hasConcurrencyLimit(host.concurrencyLimit, settings.perHost)
    ? Math.min(slots, Math.floor(host.concurrencyLimit))
    : slots
  return URLS_PER_SLOT * usable
}
