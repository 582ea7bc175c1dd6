// A crawl that one process changes while others, who know it as it was, work on it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { found, leaseOn, only, SETTINGS } from '../../ports/store.contract.ts'
import { crawlTogether, shortestWays, shortName, webs } from './test-crew.ts'
import { statesOf, twoStores, workerOf } from './test-steering.ts'

const RUNS = Number(process.env['TEST_CONCURRENT'] ?? 4)
const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

describe('another process', () => {
  it('judges by the limit of depth as it is, not as it was when it first looked', async (t) => {
    const [here, there] = await twoStores(t)
    const settings = { ...SETTINGS, maxDepth: 0 }
    const { id } = await here.crawls.create({ seeds: [found('a/0')], settings, keySeed: 1 })
    const worker = workerOf(there, id)
    const lease = only(await worker.lease())
    await here.steering.change(id, { maxDepth: 1 })
    await worker.visit(lease, ['a/1'])
    assert.deepEqual(await statesOf(here, id), { 'a/0': 'visited', 'a/1': 'queued' })
    await here.steering.change(id, { maxDepth: 0 })
    assert.deepEqual(await worker.lease(), [])
    assert.deepEqual(await statesOf(here, id), { 'a/0': 'visited', 'a/1': 'depth' })
    assert.equal((await here.crawls.find(id)).status, 'completed')
    assert.deepEqual(await here.urls.audit(id), [])
  })

  it('carries out a change whose process died right after it', async (t) => {
    const [here, there, { url }] = await twoStores(t)
    const settings = { ...SETTINGS, maxDepth: 0 }
    const seeds = [found('a/0'), found('b/0')]
    const { id } = await here.crawls.create({ seeds, settings, keySeed: 1 })
    const worker = workerOf(there, id)
    const leases = await worker.lease()
    await worker.visit(leaseOn(leases, 'a.test'), ['a/1'])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const changed = JSON.stringify({ ...settings, maxDepth: 1 })
    await client.query('update crawls set settings = $1, version = version + 1', [changed])
    await client.query('insert into detours (crawl, host, url_id) select crawl, host, url_id from beyond')
    await client.end()
    await worker.visit(leaseOn(leases, 'b.test'), [])
    assert.deepEqual(await statesOf(here, id), { 'a/0': 'visited', 'b/0': 'visited', 'a/1': 'queued' })
  })

  it('leaves a host alone that is blocked elsewhere, whatever it finds there meanwhile', async (t) => {
    const [here, there] = await twoStores(t)
    const { id } = await here.crawls.create({ seeds: [found('a/0'), found('b/0')], settings: SETTINGS, keySeed: 1 })
    const worker = workerOf(there, id)
    const leases = await worker.lease()
    await here.steering.blockHost(id, 'b.test')
    await worker.visit(leaseOn(leases, 'a.test'), ['b/1'])
    await worker.visit(leaseOn(leases, 'b.test'), ['b/2'])
    assert.deepEqual(await worker.lease(), [])
    const states = { 'a/0': 'visited', 'b/0': 'visited', 'b/1': 'blocked_host', 'b/2': 'blocked_host' }
    assert.deepEqual(await statesOf(here, id), states)
    assert.equal((await here.crawls.find(id)).status, 'completed')
    assert.deepEqual(await here.urls.audit(id), [])
  })
})

it('a limit of depth that is raised while many work loses no url and keeps the shortest ways', async () => {
  const limits = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.option(fc.integer({ min: 3, max: 5 })))
  const property = fc.asyncProperty(webs(8), limits, async (web, [low, high]) => {
    const ends: (() => Promise<void>)[] = []
    try {
      const [store, other] = await twoStores({ after: (end) => void ends.push(end as () => Promise<void>) })
      const stores = [store, other]
      const settings = { maxDepth: low, perHost: 2, ignoreRobots: true }
      const crawlId = await crawlTogether({
        ...{ stores, workersPerStore: 3, web, settings, chance: Math.random, moreSeeds: ['z/1'] },
        // Holds one url, so that the crawl does not end before its limit is raised.
        async beside(id) {
          const holder = workerOf(store, id)
          const leases = await holder.lease()
          const held = leaseOn(leases, 'z.test')
          for (const lease of leases) if (lease !== held) await holder.visit({ ...lease, urls: [] }, [])
          return async () => {
            await sleep(Math.random() * 40)
            await other.steering.change(id, { maxDepth: high })
            await holder.visit(held, [])
          }
        },
      })
      assert.deepEqual(await store.urls.audit(crawlId), [])
      const rows = await Array.fromAsync(store.urls.rows(crawlId))
      const depths = Object.fromEntries(rows.map((row) => [shortName(row.url), row.depth]))
      assert.deepEqual(depths, { ...shortestWays(web, high), 'z/1': 0 })
      const { ledger, crawl } = await store.crawls.progress(crawlId)
      assert.deepEqual([crawl.status, ledger.queued, ledger.excluded], ['completed', 0, 0])
    } finally {
      for (const end of ends) await end()
    }
  })
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
})
