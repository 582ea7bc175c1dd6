import assert from 'node:assert/strict'
import { it } from 'node:test'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { GraphDeltas } from './graph-deltas.ts'

it('a client that reaches another process continues where it was', async () => {
  const store = makeTestStore({ leaseMs: 30_000, random: Math.random })
  try {
    const seeds = Array.from({ length: 7 }, (_, i) => foundUrl(`a/${i}`))
    const crawl = await store.crawls.create({ seeds, settings: TEST_SETTINGS, keySeed: 1 })
    const { browse, crawls, urls, pages, clock, access } = store
    const pageCache = { readUncached: () => assert.fail() }
    const positions = access.idempotencyKeys
    const openProcess = () => new GraphDeltas({ browse, crawls, urls, pages, pageCache, clock, positions })
    const processes = [openProcess(), openProcess()]
    const seen: number[] = []
    let version = 0
    for (let i = 0; i < 4; i++) {
      const process = processes[i % 2] ?? assert.fail()
      const delta = await process.readSince(crawl, { version, limit: 3 })
      seen.push(delta.urls.length)
      assert.equal(delta.hasMore, i < 2)
      assert.ok(delta.watermark >= version)
      version = delta.watermark
    }
    assert.deepEqual(seen, [3, 3, 1, 0])
  } finally {
    await store.close()
  }
})
