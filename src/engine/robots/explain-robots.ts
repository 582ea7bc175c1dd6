// Explains to a person what robots.txt says about a URL: the decision of a crawl, and why.

import type { Clock } from '../../lib/clock.ts'
import type { Fetcher } from '../fetch/fetch-result.ts'
import { pathStart } from '../url/url-key.ts'
import { compileRobots } from './compile-robots.ts'
import { fetchRobots } from './fetch-robots.ts'
import { interpretRobotsResponse } from './interpret-response.ts'
import { parseRobots } from './parse-robots.ts'
import { MAX_CRAWL_DELAY_MS } from './robots-checker.ts'

/** The fields of the JSON output. */
export interface RobotsExplanation {
  url: string
  allowed: boolean
  because: string
  rule: { line: number; text: string } | null
  group: string | null
  crawl_delay_ms: number | null
  /** The URL of the rules after redirects, and the result of the request. */
  file: string
  answer: string
  sitemaps: string[]
}

export async function explainRobots(
  url: string,
  userAgent: string,
  parts: { fetcher: Fetcher; clock: Clock },
): Promise<RobotsExplanation> {
  const pathAt = pathStart(url)
  const { result, file, isOriginRefused } = await fetchRobots({ origin: url.slice(0, pathAt), gapMs: 0 }, parts)
  const answer = result.kind === 'failure' ? result.problem : `status ${result.status}`
  const plain = { url, rule: null, group: null, crawl_delay_ms: null, file, answer, sitemaps: [] }
  if (isOriginRefused) {
    return { ...plain, allowed: false, because: 'requests to this host are not possible' }
  }
  const meaning = interpretRobotsResponse(result.kind === 'failure' ? { failed: true } : result)
  switch (meaning.kind) {
    case 'allow_all':
      return { ...plain, allowed: true, because: 'there are no robots.txt rules' }
    case 'disallow_all':
      return { ...plain, allowed: false, because: 'robots.txt cannot be fetched, so nothing may be visited for now' }
    case 'rules': {
      const { sitemaps, ...rules } = parseRobots(meaning.body)
      const decided = compileRobots({ sitemaps, ...rules }, userAgent).decide(url.slice(pathAt))
      const { rule, group, crawlDelayMs } = decided
      const isTooSlow = crawlDelayMs !== null && crawlDelayMs > MAX_CRAWL_DELAY_MS
      const reason = rule === null ? 'no rule matches' : 'this is the longest matching rule'
      const because = decided.allowed && isTooSlow ? 'its Crawl-delay is longer than five minutes' : reason
      const allowed = decided.allowed && !isTooSlow
      return { ...plain, allowed, because, rule, group, crawl_delay_ms: crawlDelayMs, sitemaps }
    }
  }
}
