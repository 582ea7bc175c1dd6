// A fleet of real processes: it starts workers for the work there is, and takes them along when it ends.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { servePlain } from '../sites/plain.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Program, start } from './program.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--no-traps', '--detach', '--json']
const links = Array.from({ length: 30 }, (_, i) => `<a href="/${i}">x</a>`).join('')

function startFleet(t: TestContext, { url }: Cluster): Program {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-fleet-'))
  const fleet = start(['fleet', '--store', url, '--data', data, '--min', '1', '--max', '2', '--grace', '5000'])
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

async function workersOf(cluster: Cluster): Promise<WorkerLine[]> {
  const { stdout } = await cluster.run(['workers', '--json'])
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as WorkerLine)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100)
}

describe('a fleet', () => {
  it('works a crawl off, and on SIGTERM its workers leave before it does', async (t) => {
    const cluster = await openCluster(t)
    const site = await servePlain(t, (path) => (path === '/' ? links : 'page'))
    const fleet = startFleet(t, cluster)
    const { stdout } = await cluster.run(['crawl', `${site.origin}/`, ...CRAWL])
    const { crawl_id: id } = JSON.parse(stdout) as { crawl_id: string }
    await until(async () => (await cluster.run(['status', id, '--json'])).stdout.includes('"status":"completed"'))
    fleet.child.kill('SIGTERM')
    assert.equal((await fleet.ended).code, 0)
    const workers = await workersOf(cluster)
    assert.ok(workers.length >= 1)
    assert.deepEqual([...new Set(workers.map(({ state }) => state))], ['left'])
  })

  it('killed with -9, its workers leave by themselves', async (t) => {
    const cluster = await openCluster(t)
    const fleet = startFleet(t, cluster)
    await until(async () => (await workersOf(cluster)).some(({ state }) => state === 'working'))
    const gone = once(fleet.child, 'exit')
    fleet.child.kill('SIGKILL')
    await gone
    await until(async () => (await workersOf(cluster)).every(({ state }) => state === 'left'))
  })
})
