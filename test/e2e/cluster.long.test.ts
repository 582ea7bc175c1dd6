// How workers follow commands, how they leave, and how they report their health.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { waitForOutput } from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openTestCluster, type TestCluster } from './testing/test-cluster.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '100', '--no-traps', '--detach', '--json']
/** More pages than any of these tests visits. */
const PAGES = 2000
const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">x</a>`).join('')

const JOINED = /worker joined worker=(\w+)/
const BEGUN = /crawl started/
const ENDED = /crawl ended here .*as=(\w+)/
const PORT = /health port open .*port=(\d+)/

/** A cluster with a crawl that outlasts the test. */
async function startCrawlingCluster(t: TestContext): Promise<{ cluster: TestCluster; crawlId: string }> {
  const testCluster = await openTestCluster(t)
  const site = await servePlainSite(t, (path) => (path === '/' ? links : 'page'))
  const { stdout } = await testCluster.runCommand(['crawl', `${site.origin}/`, ...CRAWL])
  return { cluster: testCluster, crawlId: (JSON.parse(stdout) as { crawl_id: string }).crawl_id }
}

describe('a worker', { concurrency: 3 }, () => {
  it('leaves cleanly on SIGTERM: exit code 0, no leases, shown as left', async (t) => {
    const { cluster, crawlId } = await startCrawlingCluster(t)
    const worker = cluster.startWorker()
    const id = await waitForOutput(worker, JOINED)
    await waitForOutput(worker, BEGUN)
    const startedAt = performance.now()
    worker.child.kill('SIGTERM')
    const { code, stderr } = await worker.ended
    assert.equal(code, 0, stderr)
    t.diagnostic(`left within ${Math.round(performance.now() - startedAt)} ms`)
    assert.equal(await cluster.readWorkerState(id), 'left')
    const { stdout } = await cluster.runCommand(['verify', crawlId, '--json'])
    const { sound, ledger } = JSON.parse(stdout) as { sound: boolean; ledger: Record<string, number> }
    assert.deepEqual([sound, ledger['in_progress']], [true, 0])
  })

  it('reacts to pause, resume, cancel and drain', async (t) => {
    const { cluster, crawlId } = await startCrawlingCluster(t)
    const worker = cluster.startWorker()
    const id = await waitForOutput(worker, JOINED)
    await waitForOutput(worker, BEGUN)
    const orders: [args: string[], waitForEffect: () => Promise<string>, as: RegExp][] = [
      [['pause', crawlId], () => waitForOutput(worker, ENDED), /^(stopped|paused)$/],
      [['resume', crawlId, '--detach'], () => waitForOutput(worker, BEGUN, 2), /started/],
      [['cancel', crawlId], () => waitForOutput(worker, ENDED, 2), /^(stopped|cancelled)$/],
      [['drain', id, '--force'], () => waitForOutput(worker, /worker left/), /left/],
    ]
    for (const [args, waitForEffect, as] of orders) {
      await cluster.runCommand(args)
      const startedAt = performance.now()
      assert.match(await waitForEffect(), as)
      t.diagnostic(`${args[0]} took effect after ${Math.round(performance.now() - startedAt)} ms`)
    }
    assert.equal((await worker.ended).code, 0)
    assert.equal(await cluster.readWorkerState(id), 'left')
  })

  it('is always alive, and ready while Postgres is up', async (t) => {
    const { cluster } = await startCrawlingCluster(t)
    const worker = cluster.startWorker([], cluster.proxyUrl)
    const port = await waitForOutput(worker, PORT)
    await waitForOutput(worker, BEGUN)
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    const waitForReadyz = (status: number) =>
      waitUntil(async () => {
        const response = await get('/readyz')
        const text = await response.text()
        return response.status === status ? text : null
      })
    assert.equal((await get('/healthz')).status, 200)
    assert.equal(await waitForReadyz(200), 'ready\n')
    assert.match(await (await get('/metrics')).text(), /^orbweaver_requests_total \d+$/m)
    cluster.proxy.refuse()
    assert.match(await waitForReadyz(503), /does not answer/)
    assert.equal((await get('/healthz')).status, 200)
    assert.match(await (await get('/metrics')).text(), /^orbweaver_store_up 0$/m)
    cluster.proxy.restore()
    assert.equal(await waitForReadyz(200), 'ready\n')
  })

  it('without heartbeats loses its hosts long before its leases expire, and continues on return', async (t) => {
    const { cluster, crawlId } = await startCrawlingCluster(t)
    const lease = ['--lease', '600000']
    const frozen = cluster.startWorker(lease)
    const id = await waitForOutput(frozen, JOINED)
    await cluster.waitForRow('select 1 from leases')
    const other = cluster.startWorker(lease)
    await waitForOutput(other, BEGUN)
    const held = `select 1 from leases where worker like '%/${id}-%'`
    await cluster.waitForRow(held)
    const startedAt = performance.now()
    frozen.child.kill('SIGSTOP')
    await cluster.waitForRow(`select 1 from leases where worker not like '%/${id}-%'`)
    t.diagnostic(`another worker leased its host after ${Math.round(performance.now() - startedAt)} ms`)
    assert.equal(await cluster.readWorkerState(id), 'lost')
    await waitForOutput(other, new RegExp(`worker lost worker=${id}`))
    frozen.child.kill('SIGCONT')
    await cluster.waitForRow(`select 1 from workers where id = '${id}' and state = 'working'`)
    const { stdout } = await cluster.runCommand(['verify', crawlId, '--json'])
    assert.equal((JSON.parse(stdout) as { sound: boolean }).sound, true)
  })

  for (const fault of ['refuse', 'stall'] as const) {
    it(`leaves with exit code 0 even if Postgres is down (${fault})`, async (t) => {
      const { cluster } = await startCrawlingCluster(t)
      const worker = cluster.startWorker(['--grace', '1000'], cluster.proxyUrl)
      await waitForOutput(worker, BEGUN)
      cluster.proxy[fault]()
      const startedAt = performance.now()
      worker.child.kill('SIGTERM')
      const { code, stderr } = await worker.ended
      assert.equal(code, 0, stderr)
      t.diagnostic(`left within ${Math.round(performance.now() - startedAt)} ms`)
    })
  }
})
