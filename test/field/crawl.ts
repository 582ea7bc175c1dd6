// One crawl by the real program with its defaults, but for the pace.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportRows, run, summaryOf } from '../e2e/program.ts'

export interface SiteCrawl {
  visited: Set<string>
  /** Every URL that a request was made for. */
  requested: Set<string>
  /** How many URLs were excluded, by pattern. */
  excluded: Map<string, number>
  tookMs: number
}

const PACE = ['--delay', '0', '--per-host', '16', '--allow-private']
const TRAP = 'trap:'

export async function crawlSite(url: string): Promise<SiteCrawl> {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-field-'))
  try {
    const startedAt = performance.now()
    const summary = summaryOf(await run(['crawl', url, '--data', data, '--json', ...PACE]))
    const tookMs = performance.now() - startedAt
    const crawl: SiteCrawl = { visited: new Set(), requested: new Set(), excluded: new Map(), tookMs }
    for (const row of await exportRows(data, summary.crawl_id)) {
      if (row.state === 'visited') crawl.visited.add(row.url)
      if (row.attempts > 0) crawl.requested.add(row.url)
      if (row.state !== 'excluded' || row.reason?.startsWith(TRAP) !== true) continue
      const pattern = row.reason.slice(TRAP.length)
      crawl.excluded.set(pattern, (crawl.excluded.get(pattern) ?? 0) + 1)
    }
    return crawl
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}
