// A page on which a crawl thread hangs costs that page and nothing else. The thread really spins: see
// hang-on-marked-page.ts.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import {
  type ExportRow,
  FAST_FLAGS,
  makeTemporaryFolder,
  parseSummary,
  runProgram,
  startProgram,
  waitForOutput,
} from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openTestCluster } from './testing/test-cluster.ts'

const PAGES = 40
/** No other page takes this long, even on shared CPUs. */
const STALL = ['--stall-time', '1000']
const SPINNING = { NODE_OPTIONS: `--import ${new URL('./testing/hang-on-marked-page.ts', import.meta.url).href}` }

/** The first page links to all others, one of which hangs its thread. */
function serveSite(t: TestContext, hasBadPage: boolean): Promise<PlainSite> {
  return servePlainSite(t, (path) => {
    if (path === '/robots.txt') return null
    if (path !== '/') return path === '/bad' ? 'SPIN FOR EVER' : `Page ${path}`
    const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">${i}</a>`)
    return `${hasBadPage ? '<a href="/bad">bad</a>' : ''}${links.join('')}`
  })
}

function checkRows(rows: ExportRow[]): void {
  const bad = rows.filter(({ state }) => state !== 'visited')
  assert.deepEqual(
    bad.map(({ url, state, reason, attempts }) => [new URL(url).pathname, state, reason, attempts]),
    [['/bad', 'failed', 'stalled', 2]],
  )
  assert.equal(rows.length, PAGES + 2)
  for (const { url, attempts } of rows) if (!url.endsWith('/bad')) assert.equal(attempts, 1, url)
}

describe('a page that stalls a crawl thread', { concurrency: true }, () => {
  it('fails after the second attempt, and a foreground crawl completes', async (t) => {
    const site = await serveSite(t, true)
    const data = makeTemporaryFolder(t)
    const args = ['crawl', `${site.origin}/`, ...FAST_FLAGS, '--threads', '1', ...STALL, '--data', data]
    const programResult = await runProgram(args, { env: SPINNING })
    assert.equal(programResult.code, 0, programResult.stderr)
    const { crawl_id } = parseSummary(programResult)
    checkRows(await exportRows(data, crawl_id))
    const verified = await runProgram(['verify', crawl_id, '--data', data])
    assert.equal(verified.code, 0, verified.stdout)
  })

  it('does not keep a foreground crawl from stopping, and is read by the next one', async (t) => {
    const site = await serveSite(t, true)
    const data = makeTemporaryFolder(t)
    // Long, so that the stop ends the thread and not the watchdog.
    const args = ['crawl', `${site.origin}/`, ...FAST_FLAGS, '--threads', '1', '--stall-time', '600000', '--data', data]
    const program = startProgram(args, { env: SPINNING })
    await waitUntil(() => site.paths().includes('/bad'))
    await sleep(500)
    program.child.kill('SIGTERM')
    const stopped = await program.ended
    assert.equal(stopped.code, 3, stopped.stderr)
    const resumed = await runProgram(['resume', '--data', data, '--json'])
    assert.equal(resumed.code, 0, resumed.stderr)
    const rows = await exportRows(data, parseSummary(resumed).crawl_id)
    assert.deepEqual([rows.length, new Set(rows.map(({ state }) => state))], [PAGES + 2, new Set(['visited'])])
  })

  it('does not affect other crawls on Postgres', async (t) => {
    const testCluster = await openTestCluster(t)
    const [bad, good] = await Promise.all([serveSite(t, true), serveSite(t, false)])
    const worker = testCluster.startWorker(['--threads', '1', ...STALL], testCluster.url, SPINNING)
    const created = await Promise.all(
      [bad, good].map(({ origin }) => testCluster.runCommand(['crawl', `${origin}/`, ...FAST_FLAGS, '--detach'])),
    )
    const ids = created.map(({ stdout }) => (JSON.parse(stdout) as { crawl_id: string }).crawl_id)
    for (const id of ids)
      await testCluster.waitForRow(`select 1 from crawls where uuid = '${id}' and status = 'completed'`)
    const [badRows, goodRows] = await Promise.all(
      ids.map(async (id) => {
        const { stdout } = await testCluster.runCommand(['export', id])
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as ExportRow)
      }),
    )
    checkRows(badRows ?? [])
    for (const id of ids) await testCluster.runCommand(['verify', id])
    assert.deepEqual([...new Set(goodRows?.map(({ state }) => state))], ['visited'])
    assert.equal(goodRows?.length, PAGES + 1)
    assert.match(await waitForOutput(worker, /page stalled a crawl thread.*/, 2), /\/bad/)
  })
})
