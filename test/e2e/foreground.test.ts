// A foreground crawl on a Postgres store that others use too: it is one of the workers.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '../../src/lib/clock.ts'
import { STATEMENT_MS } from '../../src/store/postgres/connect.ts'
import { openStore } from '../../src/store/postgres/store.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { startProgram } from '../testing/program.ts'
import { outputInProcess } from '../testing/run-in-process.ts'
import { openTestCluster, type TestCluster } from './testing/test-cluster.ts'

/** More pages than any of these tests visits. */
const PAGES = 2000
const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">x</a>`).join('')
const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '100', '--no-traps', '--json']

interface Row {
  id: string
  state: string
  in_flight: number
}

async function workersOf(testCluster: TestCluster): Promise<Row[]> {
  const stdout = await outputInProcess(['workers', '--json', '--store', testCluster.url])
  const lines = stdout.trim().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Row)
}

async function crawling(t: TestContext) {
  const testCluster = await openTestCluster(t)
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-foreground-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const site = await servePlainSite(t, (path) => (path === '/' ? links : 'page'))
  const program = startProgram(['crawl', `${site.origin}/`, ...CRAWL, '--store', testCluster.url, '--data', data])
  t.after(() => program.child.kill('SIGKILL'))
  let crawlId = ''
  await program.waitForLine((line) => {
    const event = line === '' ? {} : (JSON.parse(line) as { crawl_id?: string; pages?: number; states?: object })
    crawlId = event.crawl_id ?? crawlId
    return line.includes('"visited":') && !line.includes('"visited":0')
  })
  return { cluster: testCluster, program, crawlId }
}

describe('a foreground crawl', { concurrency: true }, () => {
  for (const order of ['pause', 'cancel'] as const) {
    it(`is listed among the workers, reacts to a ${order} from elsewhere and leaves`, async (t) => {
      const { cluster, program, crawlId } = await crawling(t)
      const rows = await workersOf(cluster)
      assert.deepEqual(
        rows.map(({ state }) => state),
        ['working'],
      )
      await cluster.runCommand([order, crawlId])
      const startedAt = performance.now()
      const { code, stderr } = await program.ended
      t.diagnostic(`the process left after ${order} within ${Math.round(performance.now() - startedAt)} ms`)
      assert.equal(code, order === 'pause' ? 3 : 0, stderr)
      const stdout = await outputInProcess(['status', crawlId, '--json', '--store', cluster.url])
      assert.match(stdout, order === 'pause' ? /"status":"paused"/ : /"status":"cancelled"/)
      assert.deepEqual(
        (await workersOf(cluster)).map(({ id, state }) => [id, state]),
        [[rows[0]?.id, 'left']],
      )
    })
  }

  it('applies settings that are changed elsewhere', async (t) => {
    const { cluster, program, crawlId } = await crawling(t)
    const options = { clock: systemClock, isClockVirtual: false, random: Math.random, leaseMs: 60_000, connections: 2 }
    const more = { statementMs: STATEMENT_MS, create: false, onOutage: () => undefined }
    const store = await openStore(cluster.url, { ...options, ...more })
    await store.control.changeSettings(crawlId, { exclude: ['/[0-9]+$'] })
    await store.close()
    const { code, stderr } = await program.ended
    assert.equal(code, 0, stderr)
    const stdout = await outputInProcess(['status', crawlId, '--json', '--store', cluster.url])
    const { states } = JSON.parse(stdout) as { states: Record<string, number> }
    assert.ok((states['excluded'] ?? 0) > PAGES / 2, stdout)
  })
})
