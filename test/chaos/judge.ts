// After the faults: is the result what it would have been without, and was everybody polite on the way?

import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestLog } from '../../src/demo/record.ts'
import { type Row, run } from '../e2e/program.ts'
import { type CrawledUrl, differences } from '../oracle/compare.ts'
import { type Expected, expectCrawl } from '../oracle/expect.ts'
import type { ChaosCrawl } from './web.ts'

export const RETRIES = 2
const OPEN_STATES = new Set(['queued', 'in_progress'])

export interface CrawlJudgement {
  urls: number
  /** Urls that are missing or were never visited. */
  lost: number
  /** Sentences: where the export differs from the oracle, what `verify` found. */
  problems: string[]
  /** Requests beyond those that the site itself calls for. */
  repeated: number
  /** Urls asked for too often that no worker held when it was struck. */
  unexplained: string[]
}

export interface JudgeParts {
  storeUrl: string
  log: RequestLog
  /** Urls that were in the hands of a worker while it was struck, or until its leases had run out. */
  suspects: ReadonlySet<string>
}

export async function judgeCrawl(crawl: ChaosCrawl, crawlId: string, parts: JudgeParts): Promise<CrawlJudgement> {
  const expected = expectCrawl(crawl.placed, {
    seeds: crawl.seeds,
    maxDepth: null,
    retries: RETRIES,
    followRedirects: true,
  })
  const rows = await exportFrom(parts.storeUrl, crawlId)
  const states = new Map(rows.map(({ url, state }) => [url, state]))
  const lost = [...expected.keys()].filter((url) => OPEN_STATES.has(states.get(url) ?? 'queued')).length
  const problems = differences(expected, rows)
  const verified = await run(['verify', crawlId, '--store', parts.storeUrl])
  if (verified.code !== 0) problems.push(`verify: ${verified.stdout}${verified.stderr}`)
  return { urls: rows.length, lost, problems, ...repeatsOf(expected, parts) }
}

function repeatsOf(expected: Map<string, Expected>, { log, suspects }: JudgeParts) {
  let repeated = 0
  const unexplained: string[] = []
  for (const [url, { attempts }] of expected) {
    const { host, pathname, search } = new URL(url)
    const extra = log.count(host, pathname + search) - attempts
    if (extra <= 0) continue
    repeated += extra
    if (!suspects.has(url)) unexplained.push(`${url} was asked for ${extra + attempts} times, ${attempts} would do`)
  }
  return { repeated, unexplained }
}

async function exportFrom(storeUrl: string, crawlId: string): Promise<CrawledUrl[]> {
  const { code, stdout, stderr } = await run(['export', crawlId, '--store', storeUrl])
  if (code !== 0) throw new Error(`The crawl cannot be exported: ${stderr}`)
  const lines = stdout.trim().split('\n')
  return lines.map((line) => {
    const { url, state, depth, http_status } = JSON.parse(line) as Row
    return { url, state, depth, httpStatus: http_status }
  })
}

/** Gathers the segments of all workers in one folder and has every page read back. Answers what is wrong. */
export async function judgeArchives(storeUrl: string, folders: string[], gathered: string): Promise<string[]> {
  const archive = join(gathered, 'archive')
  mkdirSync(archive, { recursive: true })
  for (const folder of folders) {
    const own = join(folder, 'archive')
    for (const name of readdirSync(own)) cpSync(join(own, name), join(archive, name), { recursive: true })
  }
  const verified = await run(['archive', 'verify', '--data', gathered], { env: { ORBWEAVER_STORE: storeUrl } })
  return verified.code === 0 ? [] : [`archive verify: ${verified.stdout}${verified.stderr}`]
}
