// What the robots.txt that the store keeps says about a url. Asks nobody.

import { MAX_CRAWL_DELAY_MS } from '../../engine/robots/gate.ts'
import { compileRobots } from '../../engine/robots/match.ts'
import { parseRobots } from '../../engine/robots/parse.ts'
import { pathStart } from '../../engine/url/key.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { RobotsCopies } from '../../ports/robots.ts'

export interface RobotsSaid {
  outcome: 'passed' | 'refused' | 'unknown'
  detail: string
  /** The rule that decided. */
  line: string | null
  isAllowed: boolean | null
  /** The gap it asks for; 0 when it asks for none, or is not known. */
  crawlDelayMs: number
}

export async function explainRobots(
  url: string,
  { ignoreRobots, userAgent }: Pick<CrawlSettings, 'ignoreRobots' | 'userAgent'>,
  { robots }: { robots: Pick<RobotsCopies, 'find'> },
): Promise<RobotsSaid> {
  if (ignoreRobots) return { ...FREE, detail: 'The crawl does not read robots.txt.' }
  const pathAt = pathStart(url)
  const copy = await robots.find(url.slice(0, pathAt))
  if (copy === null) {
    const detail = 'Its robots.txt has not been asked for yet.'
    return { ...FREE, outcome: 'unknown', isAllowed: null, detail }
  }
  if (copy.body === null) {
    if (copy.problem === null) return { ...FREE, detail: 'There is no robots.txt with rules.' }
    const detail = `Its robots.txt cannot be had (${copy.problem}), so nothing may be visited for now.`
    return { ...REFUSED, detail }
  }
  const { allowed, rule, crawlDelayMs } = compileRobots(parseRobots(Buffer.from(copy.body)), userAgent).decide(
    url.slice(pathAt),
  )
  const line = rule === null ? null : `line ${rule.line}: ${rule.text}`
  if (!allowed) return { ...REFUSED, line, detail: `robots.txt forbids it, ${line}.` }
  if (crawlDelayMs !== null && crawlDelayMs > MAX_CRAWL_DELAY_MS) {
    const detail = `robots.txt asks for ${crawlDelayMs / 1000} s between requests, which is a way of saying no.`
    return { ...REFUSED, line, detail }
  }
  const detail = line === null ? 'No rule of robots.txt matches.' : `robots.txt allows it, ${line}.`
  return { ...FREE, line, crawlDelayMs: crawlDelayMs ?? 0, detail }
}

const FREE = { outcome: 'passed', line: null, isAllowed: true, crawlDelayMs: 0 } as const
const REFUSED = { outcome: 'refused', line: null, isAllowed: false, crawlDelayMs: 0 } as const
