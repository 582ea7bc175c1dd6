// What robots.txt says about one url, and why, for a person to read.

import type { Fetcher, FetchResult } from '../fetch/result.ts'
import { pathStart } from '../url/key.ts'
import { fetchRobots } from './ask.ts'
import { compileRobots } from './match.ts'
import { rulesFromAnswer } from './rules-for.ts'

/** Its fields are those of the JSON output. */
export interface RobotsAnswer {
  url: string
  allowed: boolean
  because: string
  rule: { line: number; text: string } | null
  group: string | null
  crawl_delay_ms: number | null
  /** Where the rules were found, after redirects, and what came of the request. */
  file: string
  answer: string
  sitemaps: string[]
}

export async function explainRobots(url: string, userAgent: string, fetcher: Fetcher): Promise<RobotsAnswer> {
  const pathAt = pathStart(url)
  const { result, file } = await new Promise<{ result: FetchResult; file: string }>((resolve) =>
    fetchRobots(fetcher, url.slice(0, pathAt), (answer, from) => resolve({ result: answer, file: from })),
  )
  const rules = rulesFromAnswer(result.kind === 'failure' ? { failed: true } : result)
  const answer = result.kind === 'failure' ? result.problem : `status ${result.status}`
  const plain = { url, rule: null, group: null, crawl_delay_ms: null, file, answer, sitemaps: [] }
  switch (rules.kind) {
    case 'allow_all':
      return { ...plain, allowed: true, because: 'there is no robots.txt with rules' }
    case 'disallow_all':
      return { ...plain, allowed: false, because: 'robots.txt cannot be had, so nothing may be visited for now' }
    case 'parsed': {
      const { allowed, rule, group, crawlDelayMs } = compileRobots(rules.file, userAgent).decide(url.slice(pathAt))
      const because = rule === null ? 'no rule matches' : 'this is the longest rule that matches'
      const { sitemaps } = rules.file
      return { ...plain, allowed, because, rule, group, crawl_delay_ms: crawlDelayMs, sitemaps }
    }
  }
}
