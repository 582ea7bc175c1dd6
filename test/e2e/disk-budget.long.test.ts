// A crawl that has used up its disk budget waits, says why, and continues when there is space again.

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { usedBytes } from '../../src/worker/holds/disk-usage.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import {
  FAST_FLAGS,
  makeTemporaryFolder,
  type Program,
  parseSummary,
  runProgram,
  startProgram,
} from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'
import { mountTmpfsForTest } from '../testing/tmpfs.ts'

const INTERRUPTED = 3
const MB = 1024 ** 2

async function serve(t: TestContext, pages: number) {
  const web = await serveSites([makeSite(11, { pages })])
  t.after(() => web.close())
  const seed = `${web.sites[0]?.origin}/`
  const assertExact = async (data: string, crawlId: string) => {
    const expected = expectCrawl(web.sites, { seeds: [seed], maxDepth: null, retries: 2, followRedirects: true })
    const rows = await exportRows(data, crawlId)
    const crawled = rows.map((exportRow) => ({ ...exportRow, httpStatus: exportRow.http_status }))
    assert.deepEqual(findDifferences(expected, crawled), [])
    assert.equal((await runProgram(['verify', crawlId, '--data', data])).code, 0)
  }
  return { web, seed, assertExact }
}

/** Killed after the test if it has not ended. */
function startCrawl(t: TestContext, args: string[]): Program {
  const program = startProgram(args)
  t.after(() => program.child.kill('SIGKILL'))
  return program
}

interface Event {
  crawl_id: string
  held: string | null
  in_flight: number
  in_progress: number
}

/** The first event of a held crawl that has no requests in flight. */
async function waitForHold(program: Program, reason: string): Promise<Event> {
  let found: Event | null = null
  await program.waitForLine((line) => {
    if (!line.includes('"type":"progress"') || !line.endsWith('}')) return false
    const event = JSON.parse(line) as Event
    if (event.held !== reason || event.in_flight + event.in_progress > 0) return false
    found = event
    return true
  })
  return found ?? assert.fail('no event of a held crawl')
}

describe('a disk budget', () => {
  it('holds the crawl when it is used up; Ctrl-C ends it, and a larger budget lets it finish', async (t) => {
    const { web, seed, assertExact } = await serve(t, 600)
    const data = join(makeTemporaryFolder(t), 'data')
    const budget = 2 * MB
    // At this rate the crawl cannot end before the first disk check.
    const limits = ['--max-disk', String(budget), '--max-rate', '200']
    const program = startCrawl(t, ['crawl', seed, '--data', data, ...FAST_FLAGS, ...limits])
    const { crawl_id } = await waitForHold(program, 'max_disk')
    const requests = web.log.requests.length
    const used = await usedBytes(data)
    assert.ok(used >= budget && requests < 600, `${used} bytes, ${requests} requests`)
    const status = await runProgram(['status', crawl_id, '--data', data])
    assert.match(status.stdout, /^Running: .*\nWaiting: the data directory has reached --max-disk;/)
    assert.equal(web.log.requests.length, requests, 'a held crawl sends no requests')
    assert.equal(await usedBytes(data), used)
    program.child.kill('SIGINT')
    const stopped = await program.ended
    assert.equal(stopped.code, INTERRUPTED, stopped.stderr)
    assert.equal(parseSummary(stopped).status, 'paused')
    const resumed = await runProgram(['resume', '--data', data, '--json', '--max-disk', '0'])
    assert.equal(resumed.code, 0, resumed.stderr)
    await assertExact(data, crawl_id)
  })

  it('holds the crawl from the start if there is no space, and releases it when a file is deleted', async (t) => {
    const { web, seed, assertExact } = await serve(t, 30)
    const data = join(makeTemporaryFolder(t), 'data')
    await runProgram(['crawl', 'http://127.0.0.1:1/', '--data', data, ...FAST_FLAGS])
    const ballast = join(data, 'ballast')
    writeFileSync(ballast, Buffer.alloc(20 * MB))
    const program = startCrawl(t, ['crawl', seed, '--data', data, ...FAST_FLAGS, '--max-disk', '20m'])
    const { crawl_id } = await waitForHold(program, 'max_disk')
    assert.equal(web.log.requests.length, 0)
    rmSync(ballast)
    const programResult = await program.ended
    assert.equal(programResult.code, 0, programResult.stderr)
    assert.match(programResult.stdout, /"type":"summary".*"status":"completed","reason":null,"held":null/)
    await assertExact(data, crawl_id)
  })

  it('is not the only limit: a nearly full disk holds the crawl as well', async (t) => {
    const disk = mountTmpfsForTest(t, '100m')
    if (disk === null) return
    const { web, seed, assertExact } = await serve(t, 30)
    const data = join(disk, 'data')
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(60 * MB))
    const program = startCrawl(t, ['crawl', seed, '--data', data, ...FAST_FLAGS, '--min-free-disk', '50m'])
    const { crawl_id } = await waitForHold(program, 'low_disk')
    assert.equal(web.log.requests.length, 0)
    rmSync(ballast)
    const programResult = await program.ended
    assert.equal(programResult.code, 0, programResult.stderr)
    await assertExact(data, crawl_id)
  })
})
