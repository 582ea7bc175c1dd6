// One process changes a crawl while others work on it with cached old settings.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { foundUrl, leaseOn, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { arbitraryWeb, crawlConcurrently, shortestDepths, shortName } from '../testing/concurrent-crawl.ts'
import { makeWorker, openTwoStores, readStates } from '../testing/two-stores.ts'

const RUNS = Number(process.env['TEST_CONCURRENT'] ?? 4)
const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

describe('another process', () => {
  it('applies the current depth limit, not the cached one', async (t) => {
    const [here, there] = await openTwoStores(t)
    const settings = { ...TEST_SETTINGS, maxDepth: 0 }
    const { id } = await here.crawls.create({ seeds: [foundUrl('a/0')], settings, keySeed: 1 })
    const worker = makeWorker(there, id)
    const lease = only(await worker.lease())
    await here.control.changeSettings(id, { maxDepth: 1 })
    await worker.visit(lease, ['a/1'])
    assert.deepEqual(await readStates(here, id), { 'a/0': 'visited', 'a/1': 'queued' })
    await here.control.changeSettings(id, { maxDepth: 0 })
    assert.deepEqual(await worker.lease(), [])
    assert.deepEqual(await readStates(here, id), { 'a/0': 'visited', 'a/1': 'depth' })
    assert.equal((await here.crawls.find(id)).status, 'completed')
    assert.deepEqual(await here.urls.verify(id), [])
  })

  it('completes a change whose process died right after it', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const settings = { ...TEST_SETTINGS, maxDepth: 0 }
    const seeds = [foundUrl('a/0'), foundUrl('b/0')]
    const { id } = await here.crawls.create({ seeds, settings, keySeed: 1 })
    const worker = makeWorker(there, id)
    const leases = await worker.lease()
    await worker.visit(leaseOn(leases, 'a.test'), ['a/1'])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const changed = JSON.stringify({ ...settings, maxDepth: 1 })
    await client.query('update crawls set settings = $1, version = version + 1', [changed])
    await client.query('insert into detours (crawl, host, url_id) select crawl, host, url_id from beyond')
    await client.end()
    await worker.visit(leaseOn(leases, 'b.test'), [])
    assert.deepEqual(await readStates(here, id), { 'a/0': 'visited', 'b/0': 'visited', 'a/1': 'queued' })
  })

  it('excludes URLs of a host that was blocked by another process', async (t) => {
    const [here, there] = await openTwoStores(t)
    const { id } = await here.crawls.create({
      seeds: [foundUrl('a/0'), foundUrl('b/0')],
      settings: TEST_SETTINGS,
      keySeed: 1,
    })
    const worker = makeWorker(there, id)
    const leases = await worker.lease()
    await here.control.blockHost(id, 'b.test')
    await worker.visit(leaseOn(leases, 'a.test'), ['b/1'])
    await worker.visit(leaseOn(leases, 'b.test'), ['b/2'])
    assert.deepEqual(await worker.lease(), [])
    const states = { 'a/0': 'visited', 'b/0': 'visited', 'b/1': 'blocked_host', 'b/2': 'blocked_host' }
    assert.deepEqual(await readStates(here, id), states)
    assert.equal((await here.crawls.find(id)).status, 'completed')
    assert.deepEqual(await here.urls.verify(id), [])
  })
})

it('a depth limit raised while many workers run loses no URL and keeps the shortest paths', async () => {
  const limits = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.option(fc.integer({ min: 3, max: 5 })))
  const property = fc.asyncProperty(arbitraryWeb(8), limits, async (web, [low, high]) => {
    const ends: (() => Promise<void>)[] = []
    try {
      const [store, other] = await openTwoStores({ after: (end) => void ends.push(end as () => Promise<void>) })
      const stores = [store, other]
      const settings = { maxDepth: low, perHost: 2, ignoreRobots: true }
      const crawlId = await crawlConcurrently({
        stores,
        workersPerStore: 3,
        web,
        settings,
        chance: Math.random,
        moreSeeds: ['z/1'],
        // Holds one URL, so that the crawl does not end before its limit is raised.
        async beside(id) {
          const worker = makeWorker(store, id)
          const leases = await worker.lease()
          const held = leaseOn(leases, 'z.test')
          for (const lease of leases) if (lease !== held) await worker.visit({ ...lease, urls: [] }, [])
          return async () => {
            await sleep(Math.random() * 40)
            await other.control.changeSettings(id, { maxDepth: high })
            await worker.visit(held, [])
          }
        },
      })
      assert.deepEqual(await store.urls.verify(crawlId), [])
      const rows = await Array.fromAsync(store.urls.rows(crawlId))
      const depths = Object.fromEntries(rows.map((row) => [shortName(row.url), row.depth]))
      assert.deepEqual(depths, { ...shortestDepths(web, high), 'z/1': 0 })
      const { ledger, crawl } = await store.crawls.progress(crawlId)
      assert.deepEqual([crawl.status, ledger.queued, ledger.excluded], ['completed', 0, 0])
    } finally {
      for (const end of ends) await end()
    }
  })
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
})
