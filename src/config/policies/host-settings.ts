// The settings of a crawl for one host, after policies are applied. A policy makes a crawl politer and never less
// polite: the longer delay, fewer requests at a time. The exception is the delay `auto`, with which a crawl leaves the
// gap to the program: a policy replaces it. Bounds of revisits do not affect politeness, so those of the policy apply.

import type { CrawlSettings } from '../crawl-settings.ts'
import type { HostPolicy } from './policy-table.ts'

/** `policy` is absent if none applies. */
export interface HostSettings extends CrawlSettings {
  policy?: HostPolicy
}

/** A token bucket: `burst` requests at once, refilled at `perSecond`. */
export interface RequestRate {
  perSecond: number
  burst: number
}

export function settingsForHost(settings: CrawlSettings, policy: HostPolicy | null): HostSettings {
  if (policy === null) return settings
  return {
    ...settings,
    delayMs: mergeDelay(settings.delayMs, policy.delayMs),
    perHost: Math.min(settings.perHost, policy.perHost ?? settings.perHost),
    recrawl: mergeRecrawl(settings.recrawl, policy),
    recrawlMinMs: policy.recrawlMinMs ?? settings.recrawlMinMs,
    recrawlMaxMs: policy.recrawlMaxMs ?? settings.recrawlMaxMs,
    policy,
  }
}

export function mergeDelay(own: CrawlSettings['delayMs'], ofPolicy: number | null): CrawlSettings['delayMs'] {
  if (ofPolicy === null) return own
  return own === 'auto' ? ofPolicy : Math.max(own, ofPolicy)
}

/** A fixed interval is kept within the bounds of the policy. */
function mergeRecrawl(own: CrawlSettings['recrawl'], { recrawlMinMs, recrawlMaxMs }: HostPolicy): typeof own {
  if (typeof own !== 'number') return own
  return Math.max(recrawlMinMs ?? 0, Math.min(own, recrawlMaxMs ?? own))
}

export function rateOf({ rate, burst }: HostPolicy): RequestRate | null {
  return rate === null ? null : { perSecond: rate, burst: burst ?? 1 }
}

/** Average time between two requests. */
export function rateIntervalMs({ perSecond }: RequestRate): number {
  return 1000 / perSecond
}

/** A rate, or a limit on pages, requires that a single thread has the host. */
export function needsOneThread({ policy }: HostSettings): boolean {
  return policy !== undefined && (policy.rate !== null || policy.maxPages !== null)
}
