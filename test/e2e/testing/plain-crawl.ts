// Crawls a plain site with the real program and returns its rows by path.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { PlainSite } from '../../sites/plain-site.ts'
import {
  type CleanupContext,
  type CrawlSummary,
  type ExportRow,
  makeTemporaryFolder,
  parseSummary,
  runProgram,
} from '../../testing/program.ts'
import { exportRows } from '../../testing/run-in-process.ts'

export interface PlainCrawl {
  rows: Map<string, ExportRow>
  /** Path, state and reason of every URL, sorted. */
  outcomes: string[]
  summary: CrawlSummary
  data: string
}

/** A test with a broken server should not wait for five minutes. */
const PATIENCE_FLAGS = ['--host-patience', '5000']

export async function crawlPlainSite(t: CleanupContext, site: PlainSite, flags: string[], seeds = [`${site.origin}/`]) {
  const data = join(makeTemporaryFolder(t), 'data')
  const programResult = await runProgram([
    'crawl',
    ...seeds,
    '--data',
    data,
    '--allow-private',
    ...PATIENCE_FLAGS,
    '--json',
    ...flags,
  ])
  assert.equal(programResult.code, 0, programResult.stderr)
  return readPlainCrawl(site, data, parseSummary(programResult))
}

/** Crawls all sites in one crawl, since one takes a second of CPU to start, and returns the rows of each by path. */
export async function crawlPlainSites(
  t: CleanupContext,
  sites: PlainSite[],
  flags: string[],
): Promise<Map<string, ExportRow>[]> {
  const [first] = sites
  assert.ok(first !== undefined)
  const seeds = sites.map(({ origin }) => `${origin}/`)
  const { rows } = await crawlPlainSite(t, first, flags, seeds)
  const all = [...rows.values()]
  return sites.map(({ origin }) => {
    const own = all.filter(({ url }) => url.startsWith(`${origin}/`))
    return new Map(own.map((row) => [row.url.slice(origin.length), row]))
  })
}

export async function readPlainCrawl(site: PlainSite, data: string, crawlSummary: CrawlSummary): Promise<PlainCrawl> {
  const rows = await exportRows(data, crawlSummary.crawl_id)
  const byPath = new Map(rows.map((exportRow) => [exportRow.url.replace(site.origin, ''), exportRow]))
  const outcomes = [...byPath].map(([path, { state, reason }]) => [path, state, reason].filter(Boolean).join(' '))
  return { rows: byPath, outcomes: outcomes.sort(), summary: crawlSummary, data }
}
