import { type HostSettings, rateOf } from '../config/policies/host-settings.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import type { LeasePolicy } from '../ports/leases.ts'

/** The policy data of a host that a thread needs; null if no policy applies. */
export function leasePolicyOf(crawl: CrawlSettings, { policy, delayMs, perHost }: HostSettings): LeasePolicy | null {
  if (policy === undefined) return null
  return { delayMs, perHost, rate: rateOf(policy), isDelayFromPolicy: delayMs !== crawl.delayMs }
}
