import { type HostSettings, rateOf } from '../config/policies/host-settings.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import type { LeasePolicy } from '../ports/leases.ts'

/** What a thread has to know of the policy of a host; null if none applies. */
export function leasePolicyOf(crawl: CrawlSettings, { policy, delayMs, perHost }: HostSettings): LeasePolicy | null {
  if (policy === undefined) return null
  return { delayMs, perHost, rate: rateOf(policy), isDelayFromPolicy: delayMs !== crawl.delayMs }
}
