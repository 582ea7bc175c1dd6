// Crawls whose --recrawl settings and limits change, or that are ended and watched again.

import assert from 'node:assert/strict'
import type { Lease } from '../leases.ts'
import { endAll, requeueAfter, requeueAll } from './testing/revisit-steps.ts'
import { describeStore, only, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const HOURLY = { recrawl: HOUR_MS } as const

export function revisitSettingsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: recrawl settings`, makeStore, (add) => {
    add('turned on, a completed crawl watches the URLs it knows', async (harness) => {
      const { control } = harness.store
      await harness.start(['a/', 'b/', 'c/'])
      await harness.crawlAll({})
      assert.equal((await harness.progress()).crawl.status, 'completed')
      harness.store.clock.advance(HOUR_MS / 2)
      const crawl = await control.changeSettings(harness.crawlId, HOURLY)
      assert.deepEqual([crawl.status, crawl.finishedAt], ['watching', null])
      assert.equal(await requeueAll(harness), 0)
      assert.equal(await requeueAfter(harness, HOUR_MS / 2), 3)
    })

    add(
      'a revisit in flight survives a change of settings and a lost lease, at the page limit too',
      async (harness) => {
        await harness.start(['a/', 'b/'], { ...HOURLY, maxPages: 2 })
        await harness.crawlAll({})
        await requeueAfter(harness, HOUR_MS)
        assert.equal((await harness.lease({ maxHosts: 1 })).leases.length, 1)
        await harness.store.control.changeSettings(harness.crawlId, { recrawl: 24 * HOUR_MS })
        await requeueAll(harness)
        harness.store.clock.advance(60_000)
        assert.deepEqual((await harness.crawlAll({})).toSorted(), ['a/', 'b/'])
        assert.equal((await harness.progress()).crawl.status, 'watching')
      },
    )

    add(
      'a URL retried while recrawl is off is visited after it is on again, at the page limit too',
      async (harness) => {
        const { control, crawls } = harness.store
        await harness.start(['a/', 'b/', 'c/'], { ...HOURLY, maxPages: 2 })
        const lease = only((await harness.lease({ maxHosts: 1 })).leases)
        const failed = harness.endedReport(lease, only(lease.urls), { state: 'failed', reason: null })
        await harness.commit([failed], { release: [lease.token] })
        await harness.crawlAll({})
        await control.changeSettings(harness.crawlId, { recrawl: 'off' })
        assert.equal(await crawls.retry(harness.crawlId, 'failed'), 1)
        await control.changeSettings(harness.crawlId, { recrawl: 24 * HOUR_MS })
        await crawls.setPaused(harness.crawlId, false)
        await requeueAll(harness)
        assert.equal((await harness.crawlAll({})).length, 1)
        assert.deepEqual(await harness.store.urls.verify(harness.crawlId), [])
      },
    )

    add('turned on, a running crawl watches what it visited before', async (harness) => {
      const { control } = harness.store
      await harness.start(['a/', 'b/'])
      const [first, second] = (await harness.lease()).leases
      assert.ok(first !== undefined && second !== undefined)
      await harness.commit([harness.visitedReport(first, only(first.urls))], { release: [first.token] })
      await control.changeSettings(harness.crawlId, HOURLY)
      await requeueAll(harness)
      await harness.commit([harness.visitedReport(second, only(second.urls))], { release: [second.token] })
      assert.equal((await harness.progress()).crawl.status, 'watching')
      assert.equal(await requeueAfter(harness, HOUR_MS), 2)
    })

    add('a cancelled crawl stays as it is', async (harness) => {
      const { control, crawls } = harness.store
      await harness.start(['a/'])
      await crawls.close(harness.crawlId, 'cancelled')
      await control.changeSettings(harness.crawlId, HOURLY)
      assert.equal((await harness.progress()).crawl.status, 'cancelled')
      assert.equal(await requeueAfter(harness, HOUR_MS), 0)
    })

    add('a shorter interval holds for visits that are planned already', async (harness) => {
      await harness.start(['a/', 'b/', 'c/'], HOURLY)
      await harness.crawlAll({})
      await harness.store.control.changeSettings(harness.crawlId, { recrawl: 60_000 })
      assert.equal(await requeueAfter(harness, 60_000), 3)
    })

    add('turned off, a watching crawl completes', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      const crawl = await harness.store.control.changeSettings(harness.crawlId, { recrawl: 'off' })
      assert.equal(crawl.status, 'completed')
      assert.equal(await requeueAfter(harness, HOUR_MS), 0)
      assert.equal((await harness.progress()).nextVisitAt, null)
    })

    add('turned off, a crawl does not visit again what is queued for it', async (harness) => {
      await harness.start(['a/', 'b/'], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      const { urls, token } = only((await harness.lease({ maxHosts: 1 })).leases)
      const crawl = await harness.store.control.changeSettings(harness.crawlId, { recrawl: 'off' })
      assert.equal(crawl.status, 'running')
      assert.deepEqual((await harness.lease()).leases, [])
      const [url] = urls
      assert.ok(url !== undefined)
      await harness.commit([harness.visitedReport({ token } as Lease, url)], { release: [token] })
      const { crawl: last, ledger } = await harness.progress()
      assert.deepEqual([last.status, ledger.visited], ['completed', 2])
    })

    add('adaptive visits a page that changes more often than one that does not', async (harness) => {
      const changing = (at: number) => at.toString(16).padStart(64, '0')
      const visits = { changes: 0, stays: 0 }
      await harness.start(['a/changes', 'a/stays'], { recrawl: 'adaptive', recrawlMinMs: HOUR_MS })
      for (let step = 0; step < 60; step++) {
        const requeued = await requeueAfter(harness, 12 * HOUR_MS)
        if (requeued === 0 && step > 0) continue
        await endAll(harness, (lease, url) => {
          const report = harness.visitedReport(lease, url)
          const isChanging = url.url.endsWith('changes')
          visits[isChanging ? 'changes' : 'stays'] += 1
          assert.ok(report.facts !== null)
          return { ...report, facts: { ...report.facts, contentHash: isChanging ? changing(step) : '01' } }
        })
      }
      assert.ok(visits.changes > 3 * visits.stays, JSON.stringify(visits))
      assert.ok(visits.stays >= 2)
    })

    add('after it was completed, the same interval makes a crawl watch again', async (harness) => {
      const { control, crawls } = harness.store
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      await crawls.close(harness.crawlId, 'completed_by_user')
      assert.equal((await harness.progress()).crawl.status, 'completed')
      assert.equal((await control.changeSettings(harness.crawlId, { delayMs: 5 })).status, 'completed')
      const crawl = await control.changeSettings(harness.crawlId, HOURLY)
      assert.deepEqual([crawl.status, crawl.finishedAt], ['watching', null])
      assert.equal(await requeueAfter(harness, HOUR_MS), 1)
    })

    add('below a lowered depth limit, visited pages keep their outcome and are not visited again', async (harness) => {
      const { control } = harness.store
      const outcomes = async () =>
        (await harness.rows()).map(({ url, state, reason }) => [url.slice(-3), state, reason])
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({ 'a/': ['a/1'], 'a/1': ['a/2', 'a/3'] })
      const before = await outcomes()
      // Some are queued already, and some become due later.
      harness.store.clock.advance(HOUR_MS)
      await harness.store.revisits.requeueDue(3)
      await control.changeSettings(harness.crawlId, { maxDepth: 1 })
      for (let round = 0; round < 3; round++) {
        await requeueAfter(harness, HOUR_MS)
        assert.ok(!(await harness.crawlAll({})).some((url) => url === 'a/2' || url === 'a/3'))
        assert.deepEqual(await outcomes(), before)
      }
      assert.equal((await harness.progress()).crawl.status, 'watching')
      await control.changeSettings(harness.crawlId, { maxDepth: null })
      await requeueAfter(harness, HOUR_MS)
      assert.deepEqual((await harness.crawlAll({})).toSorted(), ['a/', 'a/1', 'a/2', 'a/3'])
    })

    add(
      'visited pages of a blocked host keep their outcome, and are visited again when it is unblocked',
      async (harness) => {
        const { control } = harness.store
        await harness.start(['a/', 'b/'], HOURLY)
        await harness.crawlAll({})
        await requeueAfter(harness, HOUR_MS)
        assert.equal(await control.blockHost(harness.crawlId, 'a.test'), 1)
        assert.deepEqual((await harness.rows()).find(({ url }) => url === 'http://a.test/')?.state, 'visited')
        assert.deepEqual(await harness.crawlAll({}), ['b/'])
        assert.equal((await harness.progress()).crawl.status, 'watching')
        await control.unblockHost(harness.crawlId, 'a.test')
        assert.equal(await requeueAfter(harness, HOUR_MS), 2)
      },
    )

    add('a change of other settings does not refill the budget', async (harness) => {
      const { control } = harness.store
      await harness.start(
        Array.from({ length: 60 }, (_, i) => `a/${i}`),
        { ...HOURLY, recrawlBudget: 240 },
      )
      await harness.crawlAll({})
      const first = await requeueAfter(harness, HOUR_MS)
      assert.ok(first > 0)
      for (let change = 1; change < 5; change++) {
        await control.changeSettings(harness.crawlId, { recrawlMaxMs: (100 + change) * HOUR_MS })
        assert.equal(await requeueAll(harness), 0)
      }
      await control.changeSettings(harness.crawlId, { recrawlBudget: 2400 })
      assert.ok((await requeueAll(harness)) > first)
    })
  })
}
