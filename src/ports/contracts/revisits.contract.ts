// Recrawled crawls: URLs that are due are queued again, each still one row that the ledger counts once (G14).

import assert from 'node:assert/strict'
import type { Lease } from '../leases.ts'
import { endAll, endAs, requeueAfter, requeueAll } from './testing/revisit-steps.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const HOURLY = { recrawl: HOUR_MS } as const

function visitAll(harness: StoreHarness) {
  return endAll(harness, (lease, url) => harness.visitedReport(lease, url))
}

export function revisitsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: revisits`, makeStore, (add) => {
    add('a crawl with nothing left to visit watches until the next URL is due', async (harness) => {
      await harness.start(['a/'], HOURLY)
      const startedAt = harness.store.clock.now()
      await harness.crawlAll({ 'a/': ['a/1'] })
      const { crawl, nextVisitAt, total } = await harness.progress()
      assert.deepEqual([crawl.status, crawl.finishedAt, nextVisitAt], ['watching', null, startedAt + HOUR_MS])
      assert.equal(total, 2)
      assert.equal((await harness.lease()).status, 'watching')
    })

    add('a URL that is due is queued again and keeps its row', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({ 'a/': ['a/1', 'b/'] })
      const before = await harness.rows()
      assert.equal(await requeueAfter(harness, HOUR_MS - 1), 0)
      assert.equal(await requeueAfter(harness, 1), 3)
      const { crawl, ledger, total, nextVisitAt } = await harness.progress()
      assert.deepEqual([crawl.status, ledger.queued, ledger.visited, total], ['running', 3, 0, 3])
      assert.equal(nextVisitAt, null)
      assert.deepEqual((await harness.crawlAll({})).toSorted(), ['a/', 'a/1', 'b/'])
      const after = await harness.progress()
      assert.deepEqual([after.crawl.status, after.ledger.visited, after.total], ['watching', 3, 3])
      assert.deepEqual(
        (await harness.rows()).map(({ url, depth, state }) => [url, depth, state]),
        before.map(({ url, depth, state }) => [url, depth, state]),
      )
    })

    add(
      'with a schedule, all URLs are due at its next time; a time that was missed is made up for once',
      async (harness) => {
        const { clock } = harness.store
        await harness.start(['a/'], { schedule: '0 * * * *', timeZone: 'UTC' })
        await harness.crawlAll({ 'a/': ['a/1', 'b/'] })
        const nextHour = (Math.floor(clock.now() / HOUR_MS) + 1) * HOUR_MS
        const { crawl, nextVisitAt } = await harness.progress()
        assert.deepEqual([crawl.status, nextVisitAt], ['watching', nextHour])
        assert.equal(await requeueAfter(harness, nextHour - clock.now() - 1), 0)
        assert.equal(await requeueAfter(harness, 1 + 5 * HOUR_MS), 3)
        await harness.crawlAll({})
        assert.equal((await harness.progress()).nextVisitAt, nextHour + 6 * HOUR_MS)
        await harness.store.control.changeSettings(harness.crawlId, { schedule: null })
        assert.equal((await harness.progress()).crawl.status, 'completed')
      },
    )

    add('several processes requeue a URL once', async (harness) => {
      await harness.start(['a/', 'b/', 'c/'], HOURLY)
      await harness.crawlAll({})
      harness.store.clock.advance(HOUR_MS)
      const { revisits } = harness.store
      const all = await Promise.all([revisits.requeueDue(10), revisits.requeueDue(10), revisits.requeueDue(10)])
      assert.equal(
        all.reduce((sum, { requeued }) => sum + requeued, 0),
        3,
      )
      assert.equal((await harness.progress()).ledger.queued, 3)
    })

    add('new URLs on a revisit enter as always', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      assert.deepEqual(await harness.crawlAll({ 'a/': ['a/new'] }), ['a/', 'a/new'])
      assert.deepEqual(await harness.depths(), { 'a/': 0, 'a/new': 1 })
      assert.equal((await harness.progress()).crawl.status, 'watching')
    })

    add('URLs that were never visited are not starved by those that are due', async (harness) => {
      await harness.start(['a/', ...Array.from({ length: 9 }, (_, i) => `a/${i}`)], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      const seed = only((await harness.lease({ maxUrls: 1 })).leases)
      const links = ['a/x', 'a/y', 'a/z']
      await harness.commit([harness.visitedReport(seed, only(seed.urls), links)], { release: [seed.token] })
      const { urls } = only((await harness.lease({ maxUrls: 6 })).leases)
      assert.equal(urls.filter(({ url }) => /[xyz]$/.test(url)).length, 3)
    })

    add('a revisit has all its retries', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      const { store } = harness
      for (const attempts of [0, 1]) {
        const lease = only((await harness.lease()).leases)
        const url = only(lease.urls)
        assert.equal(url.attempts, attempts)
        const retry = { state: 'retry', reason: 'timeout', dueAt: store.clock.now() + 10 } as const
        await harness.commit([harness.endedReport(lease, url, retry)], { release: [lease.token] })
        store.clock.advance(10)
      }
      assert.equal((await harness.progress()).ledger.queued, 1)
    })

    add('a failed revisit is repeated after the interval', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      await endAs(harness, 'failed')
      assert.equal((await harness.progress()).ledger.failed, 1)
      assert.equal(await requeueAfter(harness, HOUR_MS), 1)
    })

    add('a URL that was queued by its owner is not queued twice', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await endAs(harness, 'failed')
      assert.equal(await harness.store.crawls.retry(harness.crawlId, 'failed'), 1)
      await harness.store.crawls.setPaused(harness.crawlId, false)
      assert.equal(await requeueAfter(harness, HOUR_MS), 0)
      assert.deepEqual(await harness.crawlAll({}), ['a/'])
      assert.equal(await requeueAfter(harness, HOUR_MS), 1)
    })

    add('a page that is gone is visited less and less often', async (harness) => {
      await harness.start(['a/'], { ...HOURLY, recrawlMaxMs: 5 * HOUR_MS })
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      for (const hours of [2, 4, 5, 5]) {
        await endAs(harness, 'not_found')
        assert.equal(await requeueAfter(harness, hours * HOUR_MS - 1), 0)
        assert.equal(await requeueAfter(harness, 1), 1)
      }
      await visitAll(harness)
      assert.equal(await requeueAfter(harness, HOUR_MS), 1)
    })

    add('URLs in flight at a crash are visited later', async (harness) => {
      await harness.start(['a/', 'b/'], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      await harness.lease()
      harness.store = await harness.store.reopen()
      harness.store.clock.advance(harness.store.leaseMs + 1)
      assert.equal(await requeueAll(harness), 0)
      assert.deepEqual((await harness.crawlAll({})).toSorted(), ['a/', 'b/'])
      assert.equal(await requeueAfter(harness, HOUR_MS), 2)
    })

    add('a paused crawl is left alone, and watches again when it is resumed', async (harness) => {
      const { crawls } = harness.store
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      await crawls.setPaused(harness.crawlId, true)
      assert.equal(await requeueAfter(harness, HOUR_MS), 0)
      assert.equal((await harness.progress()).crawl.status, 'paused')
      await crawls.setPaused(harness.crawlId, false)
      assert.equal((await harness.progress()).crawl.status, 'watching')
      assert.equal(await requeueAll(harness), 1)
    })

    add('closing a crawl returns queued URLs to their last outcome', async (harness) => {
      const { crawls } = harness.store
      await harness.start(['a/', 'b/'], HOURLY)
      const { leases } = await harness.lease()
      for (const lease of leases) {
        const url = only(lease.urls)
        const gone = harness.endedReport(lease, url, { state: 'not_found', reason: 'http_410' })
        const visit = lease.host === 'b.test' ? gone : harness.visitedReport(lease, url, ['a/new'])
        await harness.commit([visit], { release: [lease.token] })
      }
      await requeueAfter(harness, 2 * HOUR_MS)
      await crawls.close(harness.crawlId, 'completed_by_user')
      const { crawl, ledger } = await harness.progress()
      assert.deepEqual([crawl.status, crawl.reason], ['completed', 'completed_by_user'])
      assert.deepEqual([ledger.visited, ledger.not_found, ledger.excluded], [1, 1, 1])
      const gone = (await harness.rows()).find(({ url }) => url === 'http://b.test/')
      assert.deepEqual([gone?.state, gone?.reason], ['not_found', 'http_410'])
      assert.equal(await requeueAfter(harness, HOUR_MS), 0)
    })

    add('a budget spreads revisits over the day', async (harness) => {
      const urls = Array.from({ length: 60 }, (_, i) => `a/${i}`)
      await harness.start(urls, { ...HOURLY, recrawlBudget: 240 })
      await harness.crawlAll({})
      let total = await requeueAfter(harness, HOUR_MS)
      assert.ok(total <= 10, `${total} at once`)
      for (let hour = 0; hour < 3; hour++) {
        await visitAll(harness)
        for (let i = 0; i < 12; i++) total += await requeueAfter(harness, HOUR_MS / 12)
      }
      assert.ok(total >= 30 && total <= 40, `${total} in three hours`)
    })

    add('pages beyond the page limit are excluded, and the others are visited again', async (harness) => {
      await harness.start(['a/'], { ...HOURLY, maxPages: 3 })
      await harness.crawlAll({ 'a/': ['a/1', 'a/2', 'a/3', 'a/4'] })
      const first = await harness.progress()
      assert.deepEqual([first.crawl.status, first.ledger.visited, first.ledger.excluded], ['watching', 3, 2])
      for (let round = 0; round < 3; round++) {
        assert.equal(await requeueAfter(harness, HOUR_MS), 3)
        const lease = only((await harness.lease({ maxUrls: 1 })).leases)
        const report = harness.visitedReport(lease, only(lease.urls), [`a/new${round}`])
        await harness.commit([report], { release: [lease.token] })
        await harness.crawlAll({})
        const { crawl, ledger } = await harness.progress()
        assert.deepEqual([crawl.status, ledger.visited, ledger.excluded], ['watching', 3, 3 + round])
      }
    })

    add('a page limit leaves room for new pages until it is reached', async (harness) => {
      await harness.start(['a/', 'b/'], { ...HOURLY, maxPages: 3 })
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      const order = await harness.crawlAll({ 'a/': ['a/1', 'a/2'], 'b/': ['b/1'] })
      const { ledger } = await harness.progress()
      assert.deepEqual([ledger.visited, ledger.excluded, ledger.queued], [3, 2, 0], order.join(' '))
    })

    add('a redirect may become a page, and a page a redirect', async (harness) => {
      await harness.start(['a/', 'b/'], HOURLY)
      const redirect = (lease: Lease, url: Lease['urls'][number]) => {
        const report = harness.endedReport(lease, url, { state: 'redirected', reason: null }, ['c/'])
        return { ...report, facts: report.facts === null ? null : { ...report.facts, redirectTo: 'http://c.test/' } }
      }
      await endAll(harness, (lease, url) =>
        lease.host === 'a.test' ? redirect(lease, url) : harness.visitedReport(lease, url, ['c/', 'b/1']),
      )
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      await harness.assertSound()
      await endAll(harness, (lease, url) =>
        lease.host === 'b.test' && url.depth === 0 ? redirect(lease, url) : harness.visitedReport(lease, url),
      )
      await harness.crawlAll({})
      assert.deepEqual(await harness.depths(), { 'a/': 0, 'b/': 0, 'c/': 0, 'b/1': 1 })
      assert.equal((await harness.progress()).ledger.redirected, 1)
    })

    add('a crawl can be closed while a revisit waits for its retry', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      await endAll(harness, (lease, url) =>
        harness.endedReport(lease, url, { state: 'retry', reason: 'timeout', dueAt: harness.store.clock.now() + 10 }),
      )
      await harness.store.crawls.close(harness.crawlId, 'cancelled')
      const { crawl, ledger } = await harness.progress()
      assert.deepEqual([crawl.status, ledger.visited], ['cancelled', 1])
    })

    add('URLs of a blocked host are not queued', async (harness) => {
      const { control } = harness.store
      await harness.start(['a/', 'b/'], HOURLY)
      await harness.crawlAll({})
      await control.blockHost(harness.crawlId, 'a.test')
      assert.equal(await requeueAfter(harness, HOUR_MS), 1)
      await visitAll(harness)
      await control.unblockHost(harness.crawlId, 'a.test')
      assert.equal(await requeueAfter(harness, HOUR_MS), 2)
    })

    add('a shorter path reaches the links of a URL that is queued again', async (harness) => {
      await harness.start(['a/', 'b/'], HOURLY)
      await harness.crawlAll({ 'a/': ['a/1'], 'a/1': ['a/2'], 'a/2': ['a/3'] })
      await requeueAfter(harness, HOUR_MS)
      const lease = only((await harness.lease()).leases.filter(({ host }) => host === 'b.test'))
      await harness.commit([harness.visitedReport(lease, only(lease.urls), ['a/2'])], { release: [lease.token] })
      assert.deepEqual(await harness.depths(), { 'a/': 0, 'b/': 0, 'a/1': 1, 'a/2': 1, 'a/3': 2 })
    })
  })
}
