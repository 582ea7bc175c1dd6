// What the robots.txt that the store keeps says about a url. Asks nobody.

import { compileRobots } from '../../engine/robots/compile-robots.ts'
import { parseRobots } from '../../engine/robots/parse-robots.ts'
import { MAX_CRAWL_DELAY_MS } from '../../engine/robots/robots-checker.ts'
import { pathStart } from '../../engine/url/url-key.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { RobotsCopies } from '../../ports/robots.ts'

export interface RobotsVerdict {
  outcome: 'passed' | 'refused' | 'unknown'
  detail: string
  /** The rule that decided. */
  line: string | null
  isAllowed: boolean | null
  /** The gap it asks for; 0 when it asks for none, or is not known. */
  crawlDelayMs: number
}

export async function explainStoredRobots(
  url: string,
  { ignoreRobots, userAgent }: Pick<CrawlSettings, 'ignoreRobots' | 'userAgent'>,
  { robots }: { robots: Pick<RobotsCopies, 'find'> },
): Promise<RobotsVerdict> {
  if (ignoreRobots) return { ...ALLOWED_VERDICT, detail: 'The crawl does not read robots.txt.' }
  const pathAt = pathStart(url)
  const copy = await robots.find(url.slice(0, pathAt))
  if (copy === null) {
    const detail = 'Its robots.txt has not been asked for yet.'
    return { ...ALLOWED_VERDICT, outcome: 'unknown', isAllowed: null, detail }
  }
  if (copy.body === null) {
    if (copy.problem === null) return { ...ALLOWED_VERDICT, detail: 'There is no robots.txt with rules.' }
    const detail = `Its robots.txt cannot be had (${copy.problem}), so nothing may be visited for now.`
    return { ...DISALLOWED_VERDICT, detail }
  }
  const { allowed, rule, crawlDelayMs } = compileRobots(parseRobots(Buffer.from(copy.body)), userAgent).decide(
    url.slice(pathAt),
  )
  const line = rule === null ? null : `line ${rule.line}: ${rule.text}`
  if (!allowed) return { ...DISALLOWED_VERDICT, line, detail: `robots.txt forbids it, ${line}.` }
  if (crawlDelayMs !== null && crawlDelayMs > MAX_CRAWL_DELAY_MS) {
    const detail = `robots.txt asks for ${crawlDelayMs / 1000} s between requests, which is a way of saying no.`
    return { ...DISALLOWED_VERDICT, line, detail }
  }
  const detail = line === null ? 'No rule of robots.txt matches.' : `robots.txt allows it, ${line}.`
  return { ...ALLOWED_VERDICT, line, crawlDelayMs: crawlDelayMs ?? 0, detail }
}

const ALLOWED_VERDICT = { outcome: 'passed', line: null, isAllowed: true, crawlDelayMs: 0 } as const
const DISALLOWED_VERDICT = { outcome: 'refused', line: null, isAllowed: false, crawlDelayMs: 0 } as const
