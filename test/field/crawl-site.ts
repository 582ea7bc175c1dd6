// Crawls a site with the real program, with default settings except for the rate.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSummary, runProgram } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'

export interface SiteCrawl {
  visited: Set<string>
  /** Every URL that was requested. */
  requested: Set<string>
  /** Number of excluded URLs, by URL pattern. */
  excluded: Map<string, number>
  tookMs: number
}

const RATE_FLAGS = ['--delay', '0', '--per-host', '16', '--allow-private']
const TRAP_PREFIX = 'trap:'

export async function crawlSite(url: string): Promise<SiteCrawl> {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-field-'))
  try {
    const startedAt = performance.now()
    const crawlSummary = parseSummary(await runProgram(['crawl', url, '--data', data, '--json', ...RATE_FLAGS]))
    const tookMs = performance.now() - startedAt
    const crawl: SiteCrawl = { visited: new Set(), requested: new Set(), excluded: new Map(), tookMs }
    for (const exportRow of await exportRows(data, crawlSummary.crawl_id)) {
      if (exportRow.state === 'visited') crawl.visited.add(exportRow.url)
      if (exportRow.attempts > 0) crawl.requested.add(exportRow.url)
      if (exportRow.state !== 'excluded' || exportRow.reason?.startsWith(TRAP_PREFIX) !== true) continue
      const pattern = exportRow.reason.slice(TRAP_PREFIX.length)
      crawl.excluded.set(pattern, (crawl.excluded.get(pattern) ?? 0) + 1)
    }
    return crawl
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}
