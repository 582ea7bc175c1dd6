// A crawl with documents that take very long to read.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makePdf, onePageObjects } from '../../src/worker/testing/pdf-files.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, parseSummary, runProgram, startProgram } from '../testing/program.ts'
import { readPlainCrawl } from './testing/plain-crawl.ts'

const FLAGS = [
  '--delay',
  '0',
  '--per-host',
  '16',
  '--concurrency',
  '16',
  '--ignore-robots',
  '--no-traps',
  '--allow-private',
]
const DOCUMENTS = 100
const PAGES = 200
/** The library is quadratic in saved graphics states, so each document takes its full time limit. */
const ENDLESS = makePdf(onePageObjects([`(a) Tj ${'q '.repeat(200_000)} (b)`]))
const SHORT = makePdf(onePageObjects(['(Hello paper)']))
/** The documented maximum. Reading one more document would take 20 s. */
const MAX_STOP_MS = 10_000

describe('a crawl with documents that take very long', () => {
  it('fetches all its pages, stops soon on SIGTERM, and reads the documents when resumed', async (t) => {
    const paths = [
      ...Array.from({ length: DOCUMENTS }, (_, n) => `/${n}.pdf`),
      ...Array.from({ length: PAGES }, (_, n) => `/page/${n}`),
    ]
    let paper = ENDLESS
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return paths.map((href) => `<a href="${href}">x</a>`).join('')
      return path.endsWith('.pdf') ? { headers: { 'content-type': 'application/pdf' }, body: paper } : '<p>page</p>'
    })
    const data = join(makeTemporaryFolder(t), 'data')
    const program = startProgram(['crawl', `${site.origin}/`, '--data', data, '--json', ...FLAGS])
    await program.waitForLine((line) => line.startsWith('{') && JSON.parse(line).completed > PAGES)
    const stoppedAt = performance.now()
    program.child.kill('SIGTERM')
    const programResult = await program.ended
    const tookMs = performance.now() - stoppedAt
    assert.equal(programResult.code, 3, programResult.stderr)
    t.diagnostic(`stopped after ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < MAX_STOP_MS, `${tookMs} ms`)
    const crawlSummary = parseSummary(programResult)
    const { rows } = await readPlainCrawl(site, data, crawlSummary)
    const unread = [...rows.values()].filter(({ url, state }) => url.endsWith('.pdf') && state === 'queued')
    assert.ok(unread.length > DOCUMENTS / 2, String(unread.length))
    assert.ok(unread.every(({ attempts }) => attempts === 0))

    paper = SHORT
    const resumed = await runProgram(['resume', crawlSummary.crawl_id, '--data', data, '--json'])
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.deepEqual(parseSummary(resumed).states['visited'], 1 + DOCUMENTS + PAGES)
    const { stdout } = await runProgram(['page', unread[0]?.url ?? '', '--text', '--data', data])
    assert.match(stdout, /Hello paper/)
  })
})
