// Several concurrent processes on one database get the same result as a single one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { ledgerTotal } from '../../lib/states.ts'
import { foundUrl, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Store } from '../../ports/store.ts'
import {
  arbitraryWeb,
  crawlConcurrently,
  makeVisitFacts,
  shortestDepths,
  shortName,
  type Web,
} from '../testing/concurrent-crawl.ts'
import { makeTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { STATEMENT_MS } from './connect.ts'
import { openStore } from './store.ts'

const RUNS = Number(process.env['TEST_CONCURRENT'] ?? 4)
const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

function open(database: TestDatabase): Promise<Store> {
  const options = { clock: systemClock, isClockVirtual: false, random: Math.random, leaseMs: 60_000 }
  return openStore(database.url, {
    ...options,
    connections: 3,
    statementMs: STATEMENT_MS,
    create: true,
    onOutage: () => undefined,
  })
}

async function onStores(count: number, work: (stores: Store[], database: TestDatabase) => Promise<void>) {
  const database = await makeTestDatabase()
  const stores: Store[] = []
  try {
    for (let i = 0; i < count; i++) stores.push(await open(database))
    await work(stores, database)
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await database.drop()
  }
}

async function depthsOf(store: Store, crawlId: string): Promise<Record<string, number>> {
  const rows = await Array.fromAsync(store.urls.rows(crawlId))
  return Object.fromEntries(rows.map((row) => [shortName(row.url), row.depth]))
}

/** The number of deadlocks that Postgres had to resolve. */
async function deadlocks({ url }: TestDatabase): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const text = 'select deadlocks::int as n from pg_stat_database where datname = current_database()'
  const { rows } = await client.query(text)
  await client.end()
  return rows[0].n
}

describe('workers of two processes', () => {
  const crawlAll = async (web: Web, limits: { maxDepth: number | null; perHost: number; delayMs: number }) => {
    const { maxDepth, delayMs } = limits
    await onStores(2, async (stores, database) => {
      const settings = { ...limits, ignoreRobots: delayMs === 0 }
      const crawlId = await crawlConcurrently({ stores, workersPerStore: 3, web, settings, chance: Math.random })
      const [store] = stores
      assert.ok(store)
      assert.deepEqual(await store.urls.verify(crawlId), [])
      const { ledger, crawl, rejected, lateReports } = await store.crawls.progress(crawlId)
      const depths = await depthsOf(store, crawlId)
      assert.deepEqual(depths, shortestDepths(web, maxDepth))
      assert.equal(ledgerTotal(ledger), Object.keys(depths).length)
      assert.deepEqual([crawl.status, ledger.queued, ledger.in_progress, lateReports], ['completed', 0, 0, 0])
      assert.ok((rejected['scope'] ?? 0) > 0)
      await Promise.all(stores.splice(0).map((one) => one.close()))
      assert.equal(await deadlocks(database), 0)
    })
  }

  it('hold no URL twice, find the shortest paths and never block each other', async () => {
    const depth = fc.option(fc.integer({ min: 1, max: 5 }))
    const property = fc.asyncProperty(
      arbitraryWeb(8),
      depth,
      fc.integer({ min: 1, max: 2 }),
      (web, maxDepth, perHost) => crawlAll(web, { maxDepth, perHost, delayMs: 0 }),
    )
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
  })

  it('never hold a host with a gap together', async () => {
    const property = fc.asyncProperty(arbitraryWeb(4), (web) =>
      crawlAll(web, { maxDepth: null, perHost: 2, delayMs: 1 }),
    )
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 2), seed: SEED, endOnFailure: true })
  })
})

describe('a crawl that ends', () => {
  const names = Array.from({ length: 8 }, (_, i) => `h${i}/1`)
  const ask = (crawlId: string, threadId: string) => {
    return { crawlId, threadId, maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  }

  const finishAtOnce = async (stores: Store[], settings: object) => {
    const [store] = stores
    assert.ok(store)
    const crawl = await store.crawls.create({
      seeds: names.map(foundUrl),
      settings: { ...TEST_SETTINGS, ...settings },
      keySeed: 1,
    })
    const held = []
    for (const [i] of names.entries()) {
      const at = stores[i % stores.length]
      assert.ok(at)
      const [lease] = (await at.frontier.lease(ask(crawl.id, `w${i}`))).leases
      if (lease !== undefined) held.push({ at, lease, threadId: `w${i}` })
    }
    const results = await Promise.all(
      held.map(({ at, lease, threadId }) => {
        const { token } = lease
        const visit = { token, urlId: only(lease.urls).id, outcome: { state: 'visited' as const, reason: null } }
        return at.frontier.commit({
          crawlId: crawl.id,
          threadId,
          found: [],
          hosts: [],
          rejected: {},
          requests: {},
          subresources: [],
          samples: [],
          linkKeys: new Uint8Array(0),
          bytes: 0,
          release: [token],
          visits: [
            {
              ...visit,
              facts: makeVisitFacts('page'),
              page: null,
              found: [],
              linkCount: 0,
              traps: null,
              freshness: null,
            },
          ],
        })
      }),
    )
    return { crawlId: crawl.id, held: held.length, statuses: results.map(({ status }) => status) }
  }

  it('completes in the last of many concurrent commits', async () => {
    await onStores(2, async (stores) => {
      for (let round = 0; round < 5; round++) {
        const { crawlId, held, statuses } = await finishAtOnce(stores, {})
        assert.equal(held, names.length)
        assert.ok(statuses.includes('completed'), `nobody saw the end: ${statuses}`)
        assert.equal((await stores[0]?.crawls.progress(crawlId))?.crawl.status, 'completed')
      }
    })
  })

  it('has exactly the wanted number of pages, however many workers ask at once', async () => {
    await onStores(2, async (stores) => {
      const { crawlId, held } = await finishAtOnce(stores, { maxPages: 5 })
      assert.equal(held, 5)
      for (let i = 0; i < 3; i++) await stores[i % 2]?.frontier.lease(ask(crawlId, 'w'))
      const progress = await stores[0]?.crawls.progress(crawlId)
      assert.deepEqual([progress?.ledger.visited, progress?.ledger.excluded], [5, 3])
      assert.deepEqual([progress?.crawl.status, progress?.crawl.reason], ['completed', 'max_pages'])
    })
  })

  it('never exceeds its page limit with concurrent requests', async () => {
    await onStores(2, async ([one, two]) => {
      assert.ok(one && two)
      const crawl = await one.crawls.create({
        seeds: names.map(foundUrl),
        settings: { ...TEST_SETTINGS, maxPages: 3 },
        keySeed: 1,
      })
      const grants = await Promise.all(
        names.map((_, i) =>
          (i % 2 === 0 ? one : two).frontier.lease({ ...ask(crawl.id, `w${i}`), maxUrls: 2, maxHosts: 2 }),
        ),
      )
      assert.equal(grants.flatMap(({ leases }) => leases.flatMap(({ urls }) => urls)).length, 3)
    })
  })
})
