// Lost connections and an unavailable server: nothing is lost, and nothing is done twice.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../lib/clock.ts'
import { foundUrl, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Store } from '../../ports/store.ts'
import {
  arbitraryWeb,
  crawlConcurrently,
  makeVisitFacts,
  shortestDepths,
  shortName,
} from '../testing/concurrent-crawl.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { type Cut, makeProxy, type TestProxy } from '../testing/test-proxy.ts'
import { openStore } from './store.ts'

const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)
const OPTIONS = {
  clock: systemClock,
  isClockVirtual: false,
  random: Math.random,
  leaseMs: 60_000,
  connections: 2,
  statementMs: 1000,
  create: true,
}

interface OutageHarness {
  store: Store
  proxy: TestProxy
  crawlId: string
  problems: (string | null)[]
}

async function onProxy(seeds: string[], work: (harness: OutageHarness) => Promise<void>): Promise<void> {
  const database = await makeTestDatabase()
  const proxy = await makeProxy(database.url)
  const problems: (string | null)[] = []
  const store = await openStore(proxy.url, { ...OPTIONS, onOutage: (problem) => problems.push(problem) })
  try {
    const crawl = await store.crawls.create({ seeds: seeds.map(foundUrl), settings: TEST_SETTINGS, keySeed: 1 })
    await work({ store, proxy, crawlId: crawl.id, problems })
    assert.deepEqual(await store.urls.verify(crawl.id), [])
  } finally {
    await store.close()
    await proxy.close()
    await database.drop()
  }
}

function lease({ store, crawlId }: OutageHarness) {
  const request = { crawlId, threadId: 'w', maxUrls: 10, maxHosts: 10, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  return store.frontier.lease(request)
}

/** Reports the only URL of the only lease, with one link. */
async function visitOne(harness: OutageHarness) {
  const { token, urls } = only((await lease(harness)).leases)
  const next = [foundUrl('b/1'), foundUrl('a/2')]
  const outcome = { state: 'visited' as const, reason: null }
  return {
    crawlId: harness.crawlId,
    threadId: 'w',
    found: [],
    hosts: [],
    samples: [],
    release: [token],
    visits: [
      {
        token,
        urlId: only(urls).id,
        outcome,
        facts: makeVisitFacts('page'),
        page: null,
        found: next,
        linkCount: 2,
        traps: null,
        freshness: null,
      },
    ],
    linkKeys: new Uint8Array(new BigInt64Array(next.map(({ key }) => key)).buffer),
    requests: {},
    subresources: [],
    rejected: { scope: 3 },
    bytes: 7,
  }
}

const CUTS: Cut[] = ['before the commit', 'after the commit', 'in silence after the commit']

describe('a lost connection', () => {
  for (const cut of CUTS) {
    it(`${cut} of a report: the report counts once`, async () => {
      await onProxy(['a/1'], async (harness) => {
        const batch = await visitOne(harness)
        harness.proxy.cutNext(cut)
        const result = await harness.store.frontier.commit(batch)
        assert.deepEqual([result.late, result.added, result.status], [0, 2, 'running'])
        const { ledger, bytes, rejected } = await harness.store.crawls.progress(harness.crawlId)
        assert.deepEqual([ledger.visited, ledger.queued, bytes, rejected], [1, 2, 7, { scope: 3 }])
        assert.equal((await lease(harness)).leases.length, 2)
      })
    })

    it(`${cut} of a lease: its URLs are granted all the same`, async () => {
      await onProxy(['a/1', 'b/1'], async (harness) => {
        harness.proxy.cutNext(cut)
        assert.equal((await lease(harness)).leases.length, 2)
        assert.equal((await harness.store.crawls.progress(harness.crawlId)).ledger.in_progress, 2)
      })
    })

    it(`${cut} of a new crawl: there is one crawl`, async () => {
      await onProxy(['a/1'], async ({ store, proxy }) => {
        proxy.cutNext(cut)
        await store.crawls.create({ seeds: [foundUrl('c/1')], settings: TEST_SETTINGS, keySeed: 2 })
        const list = await store.crawls.list()
        assert.deepEqual(
          list.map(({ ledger }) => ledger.queued),
          [1, 1],
        )
      })
    })
  }
})

describe('connections that break again and again', () => {
  it('leave a crawl of two processes exact', async () => {
    const web = fc.sample(arbitraryWeb(8), { numRuns: 1, seed: SEED })[0]
    assert.ok(web)
    const database = await makeTestDatabase()
    const proxies = [await makeProxy(database.url), await makeProxy(database.url)]
    const stores = []
    for (const { url } of proxies) stores.push(await openStore(url, { ...OPTIONS, onOutage: () => undefined }))
    try {
      for (const proxy of proxies) proxy.cutEvery(9)
      const chance = Math.random
      const crawlId = await crawlConcurrently({ stores, workersPerStore: 3, web, settings: { perHost: 2 }, chance })
      for (const proxy of proxies) proxy.cutEvery(0)
      const [store] = stores
      assert.ok(store)
      assert.deepEqual(await store.urls.verify(crawlId), [])
      const rows = await Array.fromAsync(store.urls.rows(crawlId))
      assert.deepEqual(
        Object.fromEntries(rows.map((row) => [shortName(row.url), row.depth])),
        shortestDepths(web, null),
        `seed ${SEED}`,
      )
      const { crawl, lateReports } = await store.crawls.progress(crawlId)
      assert.deepEqual([crawl.status, lateReports], ['completed', 0])
    } finally {
      await Promise.all([...stores, ...proxies].map((one) => one.close()))
      await database.drop()
    }
  })
})

describe('an unavailable server', () => {
  it('is waited for, and the outage is reported', async () => {
    await onProxy(['a/1'], async (harness) => {
      const batch = await visitOne(harness)
      await harness.proxy.shut()
      const away = Promise.withResolvers<void>()
      harness.problems.push = (problem) => {
        if (problem !== null) away.resolve()
        return Array.prototype.push.call(harness.problems, problem)
      }
      const committed = harness.store.frontier.commit(batch)
      await away.promise
      await harness.proxy.open()
      assert.equal((await committed).added, 2)
      assert.match(harness.problems[0] ?? '', /^Postgres at 127\.0\.0\.1:\d+\/\w+ cannot be reached: /)
      assert.equal(harness.problems.at(-1), null)
    })
  })

  it('is not waited for once the store is closed', async () => {
    const database = await makeTestDatabase()
    const proxy = await makeProxy(database.url)
    const away = Promise.withResolvers<void>()
    const store = await openStore(proxy.url, { ...OPTIONS, onOutage: () => away.resolve() })
    await proxy.shut()
    const renewed = assert.rejects(store.frontier.renew([1]), { code: 'STORE_AWAY' })
    await away.promise
    await store.close()
    await renewed
    await database.drop()
  })

  it('at the start is an error that names the location', async () => {
    const url = 'postgres://user:secret@127.0.0.1:1/crawls'
    await assert.rejects(openStore(url, { ...OPTIONS, onOutage: () => undefined }), {
      code: 'STORE_AWAY',
      message: /^Postgres at 127\.0\.0\.1:1\/crawls cannot be reached: (?!.*secret)/,
    })
  })
})
