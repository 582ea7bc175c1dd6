// What a revisit does to page versions and links: unchanged content makes no version, and validators are sent once they
// were tested (G14).

import assert from 'node:assert/strict'
import type { Lease } from '../leases.ts'
import { observedHash } from '../revisits.ts'
import type { VisitFacts, VisitReport } from '../visits.ts'
import { archivedVisit, hashOf, PAGE_REPORT, repeatedPayload } from './testing/page-visits.ts'
import { endAll, endAs, requeueAfter } from './testing/revisit-steps.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const HOURLY = { recrawl: HOUR_MS } as const

export function revisitedContentContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: revisited content`, makeStore, (add) => {
    const settings = { ...HOURLY, archive: 'all', keepDays: 10 } as const
    const VALIDATORS = { etag: '"1"', lastModified: 'Tue, 17 Nov 2026 10:00:00 GMT' }
    const HEADERS = { ...VALIDATORS, maxAgeMs: null }

    /** Visits the only URL, which has this content. */
    async function visit(harness: StoreHarness, change: (report: VisitReport, lease: Lease) => VisitReport) {
      const lease = only((await harness.lease()).leases)
      const report = change(archivedVisit(harness, lease, only(lease.urls)), lease)
      await harness.commit([report], { release: [lease.token] })
    }
    const withValidators = (report: VisitReport) => ({ ...report, freshness: { ...HEADERS, isUnchanged: false } })
    const unchanged = (report: VisitReport) => ({
      ...report,
      page: null,
      freshness: { ...HEADERS, isUnchanged: true },
    })
    async function leaseAfter(harness: StoreHarness, ms: number) {
      await requeueAfter(harness, ms)
      return only(only((await harness.lease()).leases).urls)
    }
    const historyOf = (harness: StoreHarness) => harness.store.pages.history('http://a.test/')

    add('a lease says what the last visit found, with validators once they were tested', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      for (let test = 0; test < 3; test++) {
        const { lastVisit } = await leaseAfter(harness, HOUR_MS)
        assert.equal(lastVisit?.validators, null)
        harness.store.clock.advance(harness.store.leaseMs)
        await visit(harness, unchanged)
      }
      const { lastVisit } = await leaseAfter(harness, HOUR_MS)
      const facts = { ...harness.visitFacts(200), contentHash: PAGE_REPORT.digest } as VisitFacts
      const seen = observedHash('visited', facts)
      assert.deepEqual(lastVisit, { state: 'visited', reason: null, observedHash: seen, validators: VALIDATORS })
    })

    add('an unchanged page has one version and one visit, with the time of the last observation', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      for (let round = 0; round < 3; round++) {
        await requeueAfter(harness, HOUR_MS)
        await visit(harness, unchanged)
      }
      assert.equal((await historyOf(harness)).length, 1)
      const { attempts, visitedAt, title, httpStatus } = only(await harness.rows())
      assert.deepEqual([attempts, visitedAt, title, httpStatus], [1, harness.store.clock.now(), 'A title', 200])
      assert.equal((await leaseAfter(harness, HOUR_MS)).lastVisit?.validators?.etag, '"1"')
    })

    add('a host whose validators lie gets no conditional requests', async (harness) => {
      await harness.start(['a/', 'b/'], settings)
      let round = 0
      const withContent = (lease: Lease) => {
        const isLiar = lease.host === 'a.test'
        const digest = isLiar ? hashOf(100 + round) : hashOf(1)
        const position = { segment: 's1', offset: 100 * round + (isLiar ? 0 : 50), length: 10 }
        const report = archivedVisit(harness, lease, only(lease.urls), { digest, position })
        const isUnchanged = !isLiar && round > 0
        return { ...report, ...(isUnchanged ? { page: null } : {}), freshness: { ...HEADERS, isUnchanged } }
      }
      for (; round < 5; round++) {
        const { leases } = await harness.lease()
        for (const lease of leases) await harness.commit([withContent(lease)], { release: [lease.token] })
        await requeueAfter(harness, HOUR_MS)
      }
      const { leases } = await harness.lease()
      assert.deepEqual(leases.map(({ host, urls }) => [host, only(urls).lastVisit?.validators ?? null]).toSorted(), [
        ['a.test', null],
        ['b.test', VALIDATORS],
      ])
    })

    add('changed content makes a version', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      await requeueAfter(harness, HOUR_MS)
      await visit(harness, (_report, lease) => {
        const position = { segment: 's1', offset: 60, length: 10 }
        return archivedVisit(harness, lease, only(lease.urls), { digest: hashOf(2), position })
      })
      const versions = await historyOf(harness)
      assert.deepEqual(
        versions.map(({ version, changes }) => [version, changes]),
        [
          [1, 0],
          [2, 1],
        ],
      )
    })

    add('the same content after a failed visit makes no version', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      await requeueAfter(harness, HOUR_MS)
      await endAs(harness, 'http_error')
      assert.equal((await leaseAfter(harness, HOUR_MS)).lastVisit, null)
      harness.store.clock.advance(harness.store.leaseMs)
      await visit(harness, withValidators)
      assert.equal((await historyOf(harness)).length, 1)
      assert.equal((await harness.progress()).ledger.visited, 1)
    })

    add('a page that opts out of search makes a version, even with the same content', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      await requeueAfter(harness, HOUR_MS)
      await visit(harness, (_report, lease) =>
        archivedVisit(harness, lease, only(lease.urls), repeatedPayload(60), { noindex: true }),
      )
      assert.deepEqual(
        (await historyOf(harness)).map(({ noindex }) => noindex),
        [false, true],
      )
    })

    add('a version of a page that stays the same does not expire', async (harness) => {
      const { store } = harness
      await harness.start(['a/'], { ...settings, recrawl: 24 * HOUR_MS })
      await visit(harness, withValidators)
      for (let day = 0; day < 15; day++) {
        await requeueAfter(harness, 24 * HOUR_MS)
        await visit(harness, unchanged)
      }
      const { expiresAt } = only(await historyOf(harness))
      assert.ok(expiresAt !== null && expiresAt > store.clock.now() + 7 * 24 * HOUR_MS)
    })

    add('a page whose version may have expired is fetched as if for the first time', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      assert.equal((await leaseAfter(harness, 10 * 24 * HOUR_MS - 1)).lastVisit, null)
    })

    add('a retry of a revisit fetches the content', async (harness) => {
      await harness.start(['a/'], settings)
      await visit(harness, withValidators)
      await requeueAfter(harness, HOUR_MS)
      const dueAt = harness.store.clock.now() + 10
      await endAll(harness, (lease, url) =>
        harness.endedReport(lease, url, { state: 'retry', reason: 'timeout', dueAt }),
      )
      assert.equal((await leaseAfter(harness, 10)).lastVisit, null)
    })

    add('links that a page no longer has are forgotten', async (harness) => {
      await harness.start(['a/'], HOURLY)
      await harness.crawlAll({ 'a/': ['a/1'] })
      assert.equal((await Array.fromAsync(harness.store.urls.edges(harness.crawlId))).length, 1)
      await requeueAfter(harness, HOUR_MS)
      await harness.crawlAll({})
      assert.deepEqual(await Array.fromAsync(harness.store.urls.edges(harness.crawlId)), [])
    })
  })
}
