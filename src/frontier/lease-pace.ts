import { type HostSettings, rateOf } from '../config/policies/host-settings.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import type { LeasePace } from '../ports/frontier.ts'

/** What a thread has to know of the policy of a host; null if none applies. */
export function paceOf(crawl: CrawlSettings, { policy, delayMs, perHost }: HostSettings): LeasePace | null {
  if (policy === undefined) return null
  return { delayMs, perHost, rate: rateOf(policy), isDelayFromPolicy: delayMs !== crawl.delayMs }
}
