// How a crawl treated a host, as JSON.

import type { PolicyTable } from '../../config/policies/policy-table.ts'
import { compileRobots } from '../../engine/robots/compile-robots.ts'
import { parseRobots } from '../../engine/robots/parse-robots.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { concurrencyLimitBelow, type HostPoliteness } from '../../ports/diagnostics.ts'
import type { RobotsCopy } from '../../ports/robots.ts'

export function politenessJson(
  host: HostPoliteness,
  settings: Pick<CrawlSettings, 'userAgent' | 'perHost'>,
  policies: PolicyTable,
) {
  const patterns = Object.values(policies.resolve(host.host)?.patterns ?? {})
  return {
    host: host.host,
    requests: host.requests,
    subrequests: host.subrequests,
    peak: host.peak,
    denied: host.denied,
    smallest_gap_ms: host.smallestGapMs,
    gap_ms: host.gapMs,
    concurrency_limit: concurrencyLimitBelow(settings.perHost, host),
    crawl_delay_ms: findCrawlDelay(host.robots, settings.userAgent),
    robots: describeRules(host.robots),
    policy: patterns.length === 0 ? null : [...new Set(patterns)].join(', '),
  }
}

/** The longest of its origins. */
function findCrawlDelay(copies: readonly RobotsCopy[], userAgent: string): number | null {
  const delays = copies.flatMap(({ body }) => {
    const delay = body === null ? null : compileRobots(parseRobots(Buffer.from(body)), userAgent).crawlDelayMs
    return delay === null ? [] : [delay]
  })
  return delays.length === 0 ? null : Math.max(...delays)
}

function describeRules(copies: readonly RobotsCopy[]): string {
  if (copies.length === 0) return 'not read'
  return [...new Set(copies.map((copy) => copy.problem ?? (copy.body === null ? 'no rules' : 'rules')))].join(', ')
}
