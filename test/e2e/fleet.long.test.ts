// A fleet of real processes: it starts workers on demand and stops them when it ends.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { type Program, startProgram } from '../testing/program.ts'
import { openTestCluster, type TestCluster } from './testing/test-cluster.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--no-traps', '--detach']
const links = Array.from({ length: 30 }, (_, i) => `<a href="/${i}">x</a>`).join('')

function startFleet(t: TestContext, { url }: TestCluster): Program {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-fleet-'))
  const fleet = startProgram(['fleet', '--store', url, '--data', data, '--min', '1', '--max', '2', '--grace', '5000'])
  t.after(async () => {
    fleet.child.kill('SIGKILL')
    await fleet.ended
    rmSync(data, { recursive: true, force: true })
  })
  return fleet
}

interface WorkerLine {
  id: string
  state: string
}

async function workersOf(testCluster: TestCluster): Promise<WorkerLine[]> {
  const { stdout } = await testCluster.runCommand(['workers', '--json'])
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as WorkerLine)
}

describe('a fleet', { concurrency: true }, () => {
  it('completes a crawl, and on SIGTERM its workers leave before it exits', async (t) => {
    const testCluster = await openTestCluster(t)
    const site = await servePlainSite(t, (path) => (path === '/' ? links : 'page'))
    const fleet = startFleet(t, testCluster)
    await testCluster.runCommand(['crawl', `${site.origin}/`, ...CRAWL])
    await testCluster.waitForRow(`select 1 from crawls where status = 'completed'`)
    fleet.child.kill('SIGTERM')
    assert.equal((await fleet.ended).code, 0)
    const workers = await workersOf(testCluster)
    assert.ok(workers.length >= 1)
    assert.deepEqual([...new Set(workers.map(({ state }) => state))], ['left'])
  })

  it('killed by SIGKILL, its workers leave by themselves', async (t) => {
    const testCluster = await openTestCluster(t)
    const fleet = startFleet(t, testCluster)
    await testCluster.waitForRow(`select 1 from workers where state = 'working'`)
    const gone = once(fleet.child, 'exit')
    fleet.child.kill('SIGKILL')
    await gone
    await testCluster.waitForRow(`select 1 from workers having bool_and(state = 'left')`)
  })
})
