// Hosts that one worker has whole, and hosts whose slots are shared.

import type { CrawlSettings } from '../ports/crawls.ts'

export interface HostPace {
  gapMs: number
  responseMs: number
  concurrencyLimit: number
}

/** One worker alone can keep a gap. A host that nobody has asked yet may want one: its robots.txt will tell. */
export function hasGap({ delayMs, ignoreRobots }: CrawlSettings, { gapMs, responseMs }: HostPace): boolean {
  return delayMs !== 0 || gapMs > 0 || (!ignoreRobots && responseMs === 0)
}

/** It has refused requests that were too many at a time, and one worker alone can make fewer. */
export function hasConcurrencyLimit({ perHost }: CrawlSettings, { concurrencyLimit }: HostPace): boolean {
  return concurrencyLimit > 0 && concurrencyLimit < 2 * perHost
}

export function isExclusiveHost(settings: CrawlSettings, host: HostPace): boolean {
  return hasGap(settings, host) || hasConcurrencyLimit(settings, host)
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
