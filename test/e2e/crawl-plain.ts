// Crawls a plain site with the real program and gives its rows by path.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { PlainSite } from '../sites/plain.ts'
import { exportRows, type Row, run, type Summary, summaryOf, temporaryFolder } from './program.ts'

export interface CrawledPlain {
  rows: Map<string, Row>
  /** Path, state and reason of every url, in order. */
  outcomes: string[]
  summary: Summary
  data: string
}

/** A test whose server breaks shall not wait for five minutes. */
const PATIENCE = ['--host-patience', '5000']

export async function crawlPlain(t: TestContext, site: PlainSite, flags: string[], seeds = [`${site.origin}/`]) {
  const data = join(temporaryFolder(t), 'data')
  const ended = await run(['crawl', ...seeds, '--data', data, '--allow-private', ...PATIENCE, '--json', ...flags])
  assert.equal(ended.code, 0, ended.stderr)
  return readPlain(site, data, summaryOf(ended))
}

export async function readPlain(site: PlainSite, data: string, summary: Summary): Promise<CrawledPlain> {
  const rows = await exportRows(data, summary.crawl_id)
  const byPath = new Map(rows.map((row) => [row.url.replace(site.origin, ''), row]))
  const outcomes = [...byPath].map(([path, { state, reason }]) => [path, state, reason].filter(Boolean).join(' '))
  return { rows: byPath, outcomes: outcomes.sort(), summary, data }
}
