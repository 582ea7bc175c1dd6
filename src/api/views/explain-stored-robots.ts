// Explains what the stored robots.txt says about a URL, without a request.

import { compileRobots } from '../../engine/robots/compile-robots.ts'
import { parseRobots } from '../../engine/robots/parse-robots.ts'
import { MAX_CRAWL_DELAY_MS } from '../../engine/robots/robots-checker.ts'
import { pathStart } from '../../engine/url/url-key.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { RobotsCopies } from '../../ports/robots.ts'

export interface RobotsVerdict {
  outcome: 'passed' | 'refused' | 'unknown'
  detail: string
  /** The deciding rule. */
  line: string | null
  isAllowed: boolean | null
  /** The Crawl-delay; 0 if there is none or it is unknown. */
  crawlDelayMs: number
}

export async function explainStoredRobots(
  url: string,
  { ignoreRobots, userAgent }: Pick<CrawlSettings, 'ignoreRobots' | 'userAgent'>,
  { robots }: { robots: Pick<RobotsCopies, 'find'> },
): Promise<RobotsVerdict> {
  if (ignoreRobots) return { ...ALLOWED_VERDICT, detail: 'The crawl ignores robots.txt.' }
  const pathAt = pathStart(url)
  const copy = await robots.find(url.slice(0, pathAt))
  if (copy === null) {
    const detail = 'The robots.txt of the host has not been fetched yet.'
    return { ...ALLOWED_VERDICT, outcome: 'unknown', isAllowed: null, detail }
  }
  if (copy.body === null) {
    if (copy.problem === null) return { ...ALLOWED_VERDICT, detail: 'The host has no robots.txt with rules.' }
    const detail = `The robots.txt of the host cannot be fetched (${copy.problem}), so nothing may be visited for now.`
    return { ...DISALLOWED_VERDICT, detail }
  }
  const { allowed, rule, crawlDelayMs } = compileRobots(parseRobots(Buffer.from(copy.body)), userAgent).decide(
    url.slice(pathAt),
  )
  const line = rule === null ? null : `line ${rule.line}: ${rule.text}`
  if (!allowed) return { ...DISALLOWED_VERDICT, line, detail: `robots.txt disallows it (${line}).` }
  if (crawlDelayMs !== null && crawlDelayMs > MAX_CRAWL_DELAY_MS) {
    const detail = `robots.txt asks for ${crawlDelayMs / 1000} s between requests, which is treated as disallowed.`
    return { ...DISALLOWED_VERDICT, line, detail }
  }
  const detail = line === null ? 'No rule of robots.txt matches.' : `robots.txt allows it (${line}).`
  return { ...ALLOWED_VERDICT, line, crawlDelayMs: crawlDelayMs ?? 0, detail }
}

const ALLOWED_VERDICT = { outcome: 'passed', line: null, isAllowed: true, crawlDelayMs: 0 } as const
const DISALLOWED_VERDICT = { outcome: 'refused', line: null, isAllowed: false, crawlDelayMs: 0 } as const
