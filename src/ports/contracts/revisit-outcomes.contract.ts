// What becomes of versions, links and plans when revisits fail, find nothing new, or are interrupted by settings.

import assert from 'node:assert/strict'
import type { Lease, LeasedUrl } from '../leases.ts'
import type { VisitReport } from '../visits.ts'
import { archivedVisit, repeatedPayload } from './testing/page-visits.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NEW = { etag: '"1"', lastModified: null, isUnchanged: false, maxAgeMs: null }

async function requeueAfter({ store }: StoreHarness, ms: number): Promise<number> {
  store.clock.advance(ms)
  for (let total = 0; ; ) {
    const { requeued, hasMore } = await store.revisits.requeueDue(50)
    total += requeued
    if (!hasMore) return total
  }
}

async function commitOnly(
  harness: StoreHarness,
  report: (...leased: Parameters<StoreHarness['visitedReport']>) => VisitReport,
) {
  const lease = only((await harness.lease()).leases)
  await harness.commit([report(lease, only(lease.urls))], { release: [lease.token] })
}

/** Report of a visit that received the same content again. */
function repeated(harness: StoreHarness, lease: Lease, url: LeasedUrl): VisitReport {
  return { ...archivedVisit(harness, lease, url), page: null, freshness: { ...NEW, isUnchanged: true } }
}

async function countVersions({ store }: StoreHarness): Promise<number> {
  await store.retention.expire(store.clock.now(), 100)
  return (await store.pages.history('http://a.test/')).length
}

export function revisitOutcomesContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: outcomes of revisits`, makeStore, (add) => {
    add('a page whose content was fetched again and is the same keeps its version', async (harness) => {
      await harness.start(['a/'], { recrawl: 8 * DAY_MS, archive: 'all', keepDays: 10 })
      await commitOnly(harness, (lease, url) => ({ ...archivedVisit(harness, lease, url), freshness: NEW }))
      await requeueAfter(harness, 8 * DAY_MS)
      const payload = repeatedPayload(60)
      await commitOnly(harness, (lease, url) => ({ ...archivedVisit(harness, lease, url, payload), freshness: NEW }))
      harness.store.clock.advance(3 * DAY_MS)
      assert.equal(await countVersions(harness), 1)
    })

    add('content that expired under a shorter time to keep is fetched again', async (harness) => {
      await harness.start(['a/'], { recrawl: 4 * DAY_MS, archive: 'html', keepDays: 3 })
      await commitOnly(harness, (lease, url) => ({ ...archivedVisit(harness, lease, url), freshness: NEW }))
      await harness.store.control.changeSettings(harness.crawlId, { keepDays: 30 })
      await requeueAfter(harness, 4 * DAY_MS)
      assert.equal(await countVersions(harness), 0)
      await commitOnly(harness, (lease, url) => {
        assert.equal(url.lastVisit, null)
        return { ...archivedVisit(harness, lease, url), freshness: NEW }
      })
      assert.equal(await countVersions(harness), 1)
    })

    add('a longer time to keep holds for a page that stays the same', async (harness) => {
      await harness.start(['a/'], { recrawl: DAY_MS, archive: 'html', keepDays: 3 })
      await commitOnly(harness, (lease, url) => ({ ...archivedVisit(harness, lease, url), freshness: NEW }))
      await harness.store.control.changeSettings(harness.crawlId, { keepDays: 30 })
      await requeueAfter(harness, DAY_MS)
      await commitOnly(harness, (lease, url) => repeated(harness, lease, url))
      harness.store.clock.advance(20 * DAY_MS)
      assert.equal(await countVersions(harness), 1)
    })

    add('what was never archived is not fetched again for it', async (harness) => {
      await harness.start(['a/'], { recrawl: 8 * DAY_MS, archive: 'html', keepDays: 3 })
      await commitOnly(harness, (lease, url) => ({ ...harness.visitedReport(lease, url), freshness: NEW }))
      await requeueAfter(harness, 8 * DAY_MS)
      const lease = only((await harness.lease()).leases)
      assert.equal(only(lease.urls).lastVisit?.state, 'visited')
    })

    add('an unchanged page whose payload is damaged is fetched again', async (harness) => {
      await harness.start(['a/'], { recrawl: DAY_MS, archive: 'html', keepDays: 30 })
      await commitOnly(harness, (lease, url) => ({ ...archivedVisit(harness, lease, url), freshness: NEW }))
      assert.equal(await harness.store.contents.markDamaged([{ segment: 's1', offset: 0 }]), 1)
      await requeueAfter(harness, DAY_MS)
      await commitOnly(harness, (lease, url) => {
        assert.equal(url.lastVisit, null)
        const position = { segment: 's1', offset: 60, length: 50 }
        return { ...archivedVisit(harness, lease, url, { position }), freshness: NEW }
      })
      const last = (await harness.store.pages.history('http://a.test/')).at(-1)
      assert.deepEqual([last?.isDamaged, last?.payload?.offset, last?.changes], [false, 60, 0])
      await requeueAfter(harness, DAY_MS)
      assert.equal(only(only((await harness.lease()).leases).urls).lastVisit?.state, 'visited')
    })

    add('the last version of a page that is gone expires', async (harness) => {
      await harness.start(['a/'], { recrawl: DAY_MS, recrawlMaxMs: DAY_MS, archive: 'html', keepDays: 10 })
      await commitOnly(harness, (lease, url) => ({ ...archivedVisit(harness, lease, url), freshness: NEW }))
      for (let day = 0; day < 20; day++) {
        await requeueAfter(harness, DAY_MS)
        await commitOnly(harness, (lease, url) => {
          const isUnchanged = url.lastVisit?.state === 'not_found'
          const report = harness.endedReport(lease, url, { state: 'not_found', reason: null })
          return { ...report, freshness: { ...NEW, etag: null, isUnchanged } }
        })
      }
      assert.equal(await countVersions(harness), 0)
    })

    add('URLs that could not be requested at first are tried again', async (harness) => {
      await harness.start(['a/', 'b/'], { recrawl: HOUR_MS })
      for (const lease of (await harness.lease()).leases) {
        const outcome =
          lease.host === 'a.test'
            ? { state: 'excluded' as const, reason: 'robots_unreachable' }
            : { state: 'failed' as const, reason: 'host_unresponsive' }
        const report = { ...harness.visitedReport(lease, only(lease.urls)), facts: null, outcome }
        await harness.commit([report], { release: [lease.token] })
      }
      assert.equal((await harness.progress()).crawl.status, 'watching')
      assert.equal(await requeueAfter(harness, 2 * HOUR_MS), 2)
    })

    add('unblocking a host of a watching crawl makes it run', async (harness) => {
      await harness.start(['a/', 'b/'], { recrawl: DAY_MS })
      await harness.store.control.blockHost(harness.crawlId, 'b.test')
      await harness.crawlAll({})
      assert.equal((await harness.progress()).crawl.status, 'watching')
      assert.equal(await harness.store.control.unblockHost(harness.crawlId, 'b.test'), 1)
      assert.equal((await harness.progress()).crawl.status, 'running')
      assert.equal((await harness.lease()).leases.length, 1)
    })

    add('a revisit that waits for its retry survives turning recrawl off and on', async (harness) => {
      const { store } = harness
      await harness.start(['a/'], { recrawl: HOUR_MS })
      await harness.crawlAll({})
      await requeueAfter(harness, HOUR_MS)
      const outcome = { state: 'retry' as const, reason: 'timeout', dueAt: store.clock.now() + 10 }
      await commitOnly(harness, (lease, url) => harness.endedReport(lease, url, outcome))
      await store.control.changeSettings(harness.crawlId, { recrawl: 'off' })
      await store.control.changeSettings(harness.crawlId, { recrawl: HOUR_MS })
      assert.equal(await requeueAfter(harness, 5 * HOUR_MS), 1)
    })

    add('a failed revisit leaves the links of the page', async (harness) => {
      await harness.start(['a/'], { recrawl: HOUR_MS })
      await harness.crawlAll({ 'a/': ['a/1'] })
      await requeueAfter(harness, HOUR_MS)
      for (const lease of (await harness.lease()).leases)
        for (const url of lease.urls)
          await harness.commit([harness.endedReport(lease, url, { state: 'failed', reason: 'timeout' })], {})
      assert.equal((await Array.fromAsync(harness.store.urls.edges(harness.crawlId))).length, 1)
    })

    add('pages that never answered do not use up the budget', async (harness) => {
      const seeds = [1, 2, 3, 4].flatMap((n) => [`a/bad${n}`, `b/good${n}`])
      const bounds = { recrawlMinMs: HOUR_MS, recrawlMaxMs: 30 * DAY_MS }
      await harness.start(seeds, { recrawl: 'adaptive', ...bounds, recrawlBudget: 24 })
      const visits = { bad: 0, good: 0 }
      let isAnyQueued = true
      for (let step = 0; step < 10 * 6; step++) {
        const leases = isAnyQueued ? (await harness.lease()).leases : []
        for (const lease of leases) {
          const reports = lease.urls.map((url) => {
            const isBad = url.url.includes('bad')
            visits[isBad ? 'bad' : 'good'] += 1
            return isBad
              ? harness.endedReport(lease, url, { state: 'forbidden', reason: 'http_403' })
              : harness.visitedReport(lease, url)
          })
          await harness.commit(reports, { release: [lease.token] })
        }
        isAnyQueued = (await requeueAfter(harness, 4 * HOUR_MS)) > 0
      }
      assert.ok(visits.bad < visits.good, JSON.stringify(visits))
    })
  })
}
