// Kills the program with SIGKILL at random moments and resumes it, many times. The result must equal that of an
// uninterrupted crawl (G3).

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { readWithWarcio, type WarcioRecord } from '../../src/archive/testing/read-with-warcio.ts'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { isLongRun } from '../testing/long-run.ts'
import {
  type ExportRow,
  FAST_FLAGS,
  makeTemporaryFolder,
  type Program,
  parseSummary,
  runProgram,
  startProgram,
} from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'
import { waitUntil } from '../testing/wait-until.ts'

const KILLS = isLongRun ? 30 : 12
/** Takes longer than all kills together, since every host has a gap. */
const PAGES_PER_HOST = isLongRun ? 250 : 130
/** Equals the value in FAST_FLAGS. */
const PER_HOST = 8
/** In flight at a kill: 3 hosts with 8 slots. Fetched but not yet reported: 100 ms of 3 hosts with a gap of 20 ms. */
const MAX_REPEATED_PER_KILL = 3 * 8 + 3 * 5

const seed = Number(process.env['TEST_GRAPH_SEED'] ?? 42424)

describe('kill -9', () => {
  it(`${KILLS} kills lose nothing and repeat few requests (site ${seed})`, async (t) => {
    const random = seededRandom(seed).next
    const web = await serveSites([1, 2, 3].map((n) => makeSite(seed + n, { pages: PAGES_PER_HOST })))
    t.after(() => web.close())
    const data = join(makeTemporaryFolder(t), 'data')
    const seeds = web.sites.map(({ origin }) => `${origin}/`)
    const first = [
      'crawl',
      ...seeds,
      '--data',
      data,
      ...FAST_FLAGS,
      '--retries',
      '2',
      '--threads',
      '2',
      '--delay',
      '20',
    ]
    let kills = 0
    let program: Program = startProgram(first)
    for (;;) {
      if (kills >= KILLS) break
      const before = web.log.requests.length
      // Half of the kills hit the startup, half the crawl itself.
      if (random() < 0.5) await sleep(random() * 400)
      else {
        await Promise.race([waitUntil(() => web.log.requests.length > before, { pollMs: 5 }), program.ended])
        await sleep(random() * 300)
      }
      program.child.kill('SIGKILL')
      const { signal } = await program.ended
      if (signal !== 'SIGKILL') break
      kills += 1
      const hasStarted = web.log.requests.length > 0
      program = startProgram(hasStarted ? ['resume', '--data', data, '--json'] : first)
      if (!hasStarted) await Promise.race([waitUntil(() => web.log.requests.length > 0, { pollMs: 5 }), program.ended])
    }
    const programResult = await program.ended
    assert.equal(programResult.code, 0, programResult.stderr)
    assert.equal(kills, KILLS, 'the crawl ended before it was killed often enough')
    const { crawl_id, status } = parseSummary(programResult)
    assert.equal(status, 'completed')
    const plan = { seeds, maxDepth: null, retries: 2, followRedirects: true }
    const expected = expectCrawl(web.sites, plan)
    const rows = await exportRows(data, crawl_id)
    const hint = `replay with TEST_GRAPH_SEED=${seed}`
    assert.deepEqual(
      findDifferences(
        expected,
        rows.map((exportRow) => ({ ...exportRow, httpStatus: exportRow.http_status })),
      ),
      [],
      hint,
    )
    const verified = await runInProcess(['verify', crawl_id, '--data', data])
    assert.equal(verified.code, 0, verified.stdout)
    await checkArchive(data, crawl_id, rows)
    for (const [url, want] of expected) {
      const { host, pathname, search } = new URL(url)
      const count = web.log.count(host, pathname + search)
      assert.ok(count <= want.attempts + kills, `${url} was requested ${count} times; ${hint}`)
    }
    const needed = [...expected.values()].reduce((sum, want) => sum + want.attempts, 0)
    const repeated = web.log.requests.length - needed
    t.diagnostic(`${kills} kills, ${needed} requests needed, ${repeated} repeated`)
    assert.ok(repeated <= kills * MAX_REPEATED_PER_KILL, `${repeated} requests repeated after ${kills} kills`)
    for (const { origin } of web.sites) assert.ok(web.log.peakConcurrency(new URL(origin).host) <= PER_HOST)
  })
})

/** Every page that a row refers to reads back, and an independent reader agrees with everything that was written. */
async function checkArchive(data: string, crawlId: string, rows: ExportRow[]): Promise<void> {
  const verified = await runProgram(['archive', 'verify', '--data', data])
  assert.equal(verified.code, 0, verified.stdout)
  const records = await runProgram(['export', crawlId, '--data', data, '--format', 'pages.jsonl'])
  const archived = records.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { original_url: string; html_content: string | null })
  const foreign = await readWithWarcio(join(data, 'archive'))
  for (const exportRow of rows) {
    if (exportRow.state !== 'visited') continue
    const page = archived.find(({ original_url }) => original_url === exportRow.url)
    // No page is compressed and all HTML is in UTF-8, so the decoded text has the bytes of the body.
    const body = page?.html_content
      ? gunzipSync(Buffer.from(page.html_content, 'base64'))
      : bodyOf(exportRow.url, foreign)
    assert.equal(hash('sha256', body, 'hex'), exportRow.content_hash, exportRow.url)
  }
  assert.ok(foreign.length > archived.length)
  assert.deepEqual(
    foreign.flatMap(({ problems }) => problems),
    [],
  )
}

/** The body as the independent reader finds it, in its own record or in one with the same payload. */
function bodyOf(url: string, records: WarcioRecord[]): Buffer {
  const responses = records.filter(({ type }) => type === 'response' || type === 'revisit')
  const digest = responses.findLast((record) => record.url === url)?.field('WARC-Payload-Digest')
  const holder = records.find((record) => record.type === 'response' && record.field('WARC-Payload-Digest') === digest)
  assert.ok(holder !== undefined, url)
  return holder.block.subarray(holder.block.indexOf('\r\n\r\n') + 4)
}
