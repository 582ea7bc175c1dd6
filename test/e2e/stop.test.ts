// Ctrl-C once and twice, SIGTERM, a closed terminal, and a second program on the same directory.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type ServedSites, serveSites } from '../../src/demo/serve-sites.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { makeTemporaryFolder, parseSummary, runProgram, startProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'

const INTERRUPTED = 3
/** Takes six seconds or more, and reports progress after one: the signal arrives during the crawl. */
const SLOW = [
  '--allow-private',
  '--ignore-robots',
  '--delay',
  '100',
  '--retry-delay',
  '20',
  '--cooldown',
  '0',
  '--no-traps',
  '--json',
]

async function site(t: TestContext): Promise<{ web: ServedSites; seed: string; data: string }> {
  const web = await serveSites([makeSite(5, { pages: 60 })])
  t.after(() => web.close())
  return { web, seed: `${web.sites[0]?.origin}/`, data: join(makeTemporaryFolder(t), 'data') }
}

const isProgress = (line: string) => line.includes('"type":"progress"') && !line.includes('"visited":0,')

describe('stopping', { concurrency: true }, () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`${signal} drains, exits with the code for resumable, and resume completes the crawl exactly`, async (t) => {
      const { web, seed, data } = await site(t)
      const program = startProgram(['crawl', seed, '--data', data, ...SLOW])
      await program.waitForLine(isProgress)
      program.child.kill(signal)
      const stopped = await program.ended
      assert.equal(stopped.code, INTERRUPTED, stopped.stderr)
      const crawlSummary = parseSummary(stopped)
      assert.equal(crawlSummary.status, 'paused')
      assert.equal(crawlSummary.states['in_progress'], 0)
      const requestsBefore = web.log.requests.length
      const resumed = await runProgram(['resume', '--data', data, '--json'])
      assert.equal(resumed.code, 0, resumed.stderr)
      const plan = { seeds: [seed], maxDepth: null, retries: 2, followRedirects: true }
      const expected = expectCrawl(web.sites, plan)
      const rows = await exportRows(data, crawlSummary.crawl_id)
      const crawled = rows.map((exportRow) => ({ ...exportRow, httpStatus: exportRow.http_status }))
      assert.deepEqual(findDifferences(expected, crawled), [])
      const repeated = rows.filter(({ url }) => {
        const { pathname, search } = new URL(url)
        const requests = web.log.requests.filter(({ path }) => path === pathname + search).length
        return requests > (expected.get(url)?.attempts ?? 0)
      })
      // A stop does not wait for documents that are being read.
      const pages = repeated.filter((exportRow) => exportRow.content_type !== 'application/pdf')
      assert.deepEqual(pages, [], `a drained crawl repeats no page (${requestsBefore} before the stop)`)
    })
  }

  it('a second Ctrl-C quits at once and leaves a resumable crawl', async (t) => {
    const { seed, data } = await site(t)
    const program = startProgram(['crawl', seed, '--data', data, ...SLOW])
    await program.waitForLine(isProgress)
    program.child.kill('SIGINT')
    program.child.kill('SIGINT')
    const stopped = await program.ended
    assert.equal(stopped.code, INTERRUPTED)
    const resumed = await runProgram(['resume', '--data', data, '--json'])
    assert.equal(resumed.code, 0, resumed.stderr)
  })
})

describe('a data directory in use', () => {
  it('is rejected with the pid of its owner, can be read, and is free when the owner is killed', async (t) => {
    const { seed, data } = await site(t)
    // However slow the machine is, the crawl does not end before the others have run.
    const owner = startProgram(['crawl', seed, '--data', data, ...SLOW, '--delay', '500'])
    await owner.waitForLine(isProgress)
    const second = await runProgram(['resume', '--data', data])
    assert.equal(second.code, 1)
    assert.match(second.stderr, new RegExp(`in use by process ${owner.child.pid}, which runs no other crawls`))
    const watched = await runInProcess(['crawls', '--data', data])
    assert.match(watched.stdout, /running/)
    owner.child.kill('SIGKILL')
    await owner.ended
    const third = startProgram(['resume', '--data', data, '--json'])
    await third.waitForLine(isProgress)
    third.child.kill('SIGINT')
    assert.equal((await third.ended).code, 3)
  })
})
