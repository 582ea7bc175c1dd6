// Compares the result after the faults with the expected one, and checks that every host was treated politely.

import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestLog } from '../../src/demo/request-log.ts'
import { type CrawledUrl, findDifferences } from '../oracle/compare-crawl.ts'
import { type ExpectedUrl, expectCrawl } from '../oracle/expected-crawl.ts'
import { type ExportRow, runProgram } from '../testing/program.ts'
import type { AllowedRepeats } from './allowed-repeats.ts'
import type { ChaosCrawl } from './chaos-web.ts'

export const RETRIES = 2
const OPEN_STATES = new Set(['queued', 'in_progress'])

export interface CrawlCheckResult {
  urls: number
  /** URLs that are missing or were never visited. */
  lost: number
  /** Sentences: differences between the export and the oracle, and problems found by `verify`. */
  problems: string[]
  /** Number of requests beyond those that the site requires. */
  repeated: number
  /** URLs requested too often that no worker held during a fault, but under a lease that was renewed late. */
  underLateLeases: number
  /** The others. */
  unexplained: string[]
}

export interface CrawlCheckOptions {
  storeUrl: string
  log: RequestLog
  allowedRepeats: Pick<AllowedRepeats, 'duringFaults' | 'underLateLeases'>
}

export async function checkCrawl(
  crawl: ChaosCrawl,
  crawlId: string,
  parts: CrawlCheckOptions,
): Promise<CrawlCheckResult> {
  const expected = expectCrawl(crawl.placed, {
    seeds: crawl.seeds,
    maxDepth: null,
    retries: RETRIES,
    followRedirects: true,
  })
  const rows = await exportUrls(parts.storeUrl, crawlId)
  const states = new Map(rows.map(({ url, state }) => [url, state]))
  const lost = [...expected.keys()].filter((url) => OPEN_STATES.has(states.get(url) ?? 'queued')).length
  const problems = findDifferences(expected, rows)
  const verified = await runProgram(['verify', crawlId, '--store', parts.storeUrl])
  if (verified.code !== 0) problems.push(`verify: ${verified.stdout}${verified.stderr}`)
  return { urls: rows.length, lost, problems, ...repeatsOf(expected, parts) }
}

function repeatsOf(expected: Map<string, ExpectedUrl>, { log, allowedRepeats }: CrawlCheckOptions) {
  let repeated = 0
  let underLateLeases = 0
  const unexplained: string[] = []
  for (const [url, { attempts }] of expected) {
    const { host, pathname, search } = new URL(url)
    const extra = log.count(host, pathname + search) - attempts
    if (extra <= 0) continue
    repeated += extra
    if (allowedRepeats.duringFaults.has(url)) continue
    if (allowedRepeats.underLateLeases.has(url)) underLateLeases += 1
    else unexplained.push(`${url} was requested ${extra + attempts} times instead of ${attempts}`)
  }
  return { repeated, underLateLeases, unexplained }
}

async function exportUrls(storeUrl: string, crawlId: string): Promise<CrawledUrl[]> {
  const { code, stdout, stderr } = await runProgram(['export', crawlId, '--store', storeUrl])
  if (code !== 0) throw new Error(`The crawl could not be exported: ${stderr}`)
  const lines = stdout.trim().split('\n')
  return lines.map((line) => {
    const { url, state, depth, http_status } = JSON.parse(line) as ExportRow
    return { url, state, depth, httpStatus: http_status }
  })
}

/** Collects the segments of all workers in one folder and reads every page back. Returns the problems. */
export async function checkArchives(storeUrl: string, folders: string[], gathered: string): Promise<string[]> {
  const archive = join(gathered, 'archive')
  mkdirSync(archive, { recursive: true })
  for (const folder of folders) {
    const own = join(folder, 'archive')
    for (const name of readdirSync(own)) cpSync(join(own, name), join(archive, name), { recursive: true })
  }
  const verified = await runProgram(['archive', 'verify', '--data', gathered], { env: { ORBWEAVER_STORE: storeUrl } })
  return verified.code === 0 ? [] : [`archive verify: ${verified.stdout}${verified.stderr}`]
}
