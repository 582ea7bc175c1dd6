// What a store keeps so that a crawler stays polite: host health, copies of robots.txt, sitemaps and their listings,
// samples of rejected links.

import assert from 'node:assert/strict'
import type { VisitReport } from '../visits.ts'
import { endlessPathsContract } from './endless-paths.contract.ts'
import { hostsContract } from './hosts.contract.ts'
import { patternsContract } from './patterns.contract.ts'
import { describeStore, foundUrl, leaseOn, only, type TestStore } from './testing/store-harness.ts'
import { trialsContract } from './trials.contract.ts'

const sitemap = (name: string) => ({ ...foundUrl(name), kind: 'sitemap' as const })
const COPY = { origin: 'http://a.test', askedAt: 1, expiresAt: 2, status: 200, problem: null, goodAt: 1 }

export function politenessContract(name: string, makeStore: () => Promise<TestStore>): void {
  hostsContract(name, makeStore)
  patternsContract(name, makeStore)
  endlessPathsContract(name, makeStore)
  trialsContract(name, makeStore)

  describeStore(`${name}: robots`, makeStore, (add) => {
    add('a copy is found again, even after a crash', async (storeHarness) => {
      const body = new TextEncoder().encode('Disallow: /')
      await storeHarness.store.robots.save({ ...COPY, body })
      storeHarness.store = await storeHarness.store.reopen()
      const copy = await storeHarness.store.robots.find('http://a.test')
      assert.deepEqual({ ...copy, body: new Uint8Array(copy?.body ?? []) }, { ...COPY, body })
      assert.equal(await storeHarness.store.robots.find('https://a.test'), null)
    })

    add('a newer copy replaces the older', async (storeHarness) => {
      await storeHarness.store.robots.save({ ...COPY, body: null })
      await storeHarness.store.robots.save({ ...COPY, body: null, problem: 'http_503', status: 503 })
      assert.equal((await storeHarness.store.robots.find('http://a.test'))?.problem, 'http_503')
    })
  })

  describeStore(`${name}: sitemaps`, makeStore, (add) => {
    add('are leased as sitemaps, once, no matter who names them', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.commit([], { found: [sitemap('b/map')] })
      await storeHarness.commit([], { found: [sitemap('b/map')] })
      const { leases } = await storeHarness.lease()
      assert.equal(only(leaseOn(leases, 'b.test').urls).kind, 'sitemap')
      assert.equal(only(leaseOn(leases, 'a.test').urls).kind, 'page')
    })

    add('list pages one level deeper and sitemaps at the same depth', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.commit([], { found: [sitemap('a/map')] })
      const lease = only((await storeHarness.lease()).leases)
      const map = only(lease.urls.filter((url) => url.kind === 'sitemap'))
      const report = {
        ...storeHarness.visitedReport(lease, map),
        found: [foundUrl('a/2'), sitemap('a/more')],
        links: 0,
      }
      await storeHarness.commit([report])
      const depths = await storeHarness.depths()
      assert.deepEqual([depths['a/map'], depths['a/more'], depths['a/2']], [0, 0, 1])
    })

    add('are not pages: they do not count towards the page limit', async (storeHarness) => {
      await storeHarness.start(['a/1'], { maxPages: 2 })
      await storeHarness.commit([], { found: [sitemap('c/map')] })
      await storeHarness.crawlAll({ 'c/map': ['b/1', 'b/2', 'b/3'] })
      const { ledger, sitemaps, crawl } = await storeHarness.progress()
      assert.deepEqual([ledger.visited, sitemaps, crawl.reason], [3, 1, 'max_pages'])
    })

    add('that could not be fetched or read are listed', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const names = ['a/fine', 'a/gone', 'a/page', 'a/denied', 'a/open']
      await storeHarness.commit([], { found: names.map(sitemap) })
      const lease = only((await storeHarness.lease()).leases)
      const endOf: Record<string, VisitReport['outcome']> = {
        gone: { state: 'not_found', reason: null },
        page: { state: 'visited', reason: 'not_a_sitemap' },
        denied: { state: 'excluded', reason: 'robots' },
        1: { state: 'not_found', reason: null },
      }
      const ended = lease.urls.filter(({ url }) => !url.endsWith('/open'))
      const verdictOf = (url: string) => endOf[url.split('/').at(-1) ?? ''] ?? { state: 'visited', reason: null }
      await storeHarness.commit(ended.map((url) => storeHarness.endedReport(lease, url, verdictOf(url.url))))
      assert.deepEqual(await storeHarness.store.diagnostics.brokenSitemaps(storeHarness.crawlId), [
        { url: 'http://a.test/gone', state: 'not_found', reason: null },
        { url: 'http://a.test/page', state: 'visited', reason: 'not_a_sitemap' },
      ])
    })

    add('store their listing of a URL, even if the URL is known', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const listing = { lastmod: 1_700_000_000_000, changefreq: 'weekly', priority: 0.8 }
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const report = {
        ...storeHarness.visitedReport(lease, only(lease.urls)),
        found: [{ ...foundUrl('a/2'), listing: { ...listing, source: 'sitemap' as const } }],
        links: 0,
      }
      await storeHarness.commit([report])
      const row = (await storeHarness.rows()).find(({ url }) => url === 'http://a.test/2')
      assert.deepEqual(row?.listing, listing)
    })

    add('a page named as a sitemap before its visit is read as one', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/map'])
      await storeHarness.commit([], { found: [sitemap('a/map')] })
      const kinds = only((await storeHarness.lease()).leases).urls.map(({ kind }) => kind)
      assert.deepEqual(kinds.sort(), ['page', 'sitemap'])
    })

    for (const when of ['after its visit', 'during its visit'] as const) {
      add(`a page named as a sitemap ${when} is read again as one`, async (storeHarness) => {
        await storeHarness.start(['a/map'])
        const lease = only((await storeHarness.lease()).leases)
        if (when === 'during its visit') await storeHarness.commit([], { found: [sitemap('a/map')] })
        const visit = storeHarness.visitedReport(lease, only(lease.urls), ['a/1'])
        await storeHarness.commit([visit], { release: [lease.token] })
        if (when === 'after its visit') await storeHarness.commit([], { found: [sitemap('a/map')] })
        const urls = only((await storeHarness.lease()).leases).urls
        assert.deepEqual(urls.map(({ url, kind }) => `${url} ${kind}`).sort(), [
          'http://a.test/1 page',
          'http://a.test/map sitemap',
        ])
        await storeHarness.assertSound()
      })
    }
  })

  describeStore(`${name}: diagnostics`, makeStore, (add) => {
    add('requests, gaps and peaks are computed from the visits', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3'])
      const lease = only((await storeHarness.lease()).leases)
      const at = (visitedAt: number, fetchMs: number, index: number) => {
        const url = lease.urls[index]
        assert.ok(url)
        const report = storeHarness.visitedReport(lease, url)
        return { ...report, facts: { ...report.facts, visitedAt, fetchMs } as typeof report.facts }
      }
      await storeHarness.commit([at(1100, 100, 0), at(1250, 200, 1), at(1400, 50, 2)])
      const host = only(await Array.fromAsync(storeHarness.store.diagnostics.politeness(storeHarness.crawlId)))
      assert.deepEqual([host.requests, host.smallestGapMs, host.peak, host.denied], [3, 50, 2, 0])
    })

    add(
      'requests of rendered pages are counted by host, even without URLs there, and even if late',
      async (storeHarness) => {
        await storeHarness.start(['a/1'])
        const lease = only((await storeHarness.lease()).leases)
        const made = (rendered: number, sent = 0) => ({ sent, rendered })
        await storeHarness.commit([], { requests: { 'a.test': made(2), 'cdn.test': made(1) } })
        const late = { ...storeHarness.visitedReport(lease, only(lease.urls)), token: lease.token + 1000 }
        await storeHarness.commit([late], { requests: { 'cdn.test': made(4) } })
        const hosts = await Array.fromAsync(storeHarness.store.diagnostics.politeness(storeHarness.crawlId))
        assert.deepEqual(
          hosts.map(({ host, requests, subrequests }) => [host, requests, subrequests]),
          [
            ['a.test', 0, 2],
            ['cdn.test', 0, 5],
          ],
        )
      },
    )

    add('requests are counted as they are made, and never below the recorded visits', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'b/1'])
      const { leases } = await storeHarness.lease()
      const visitsOf = (host: string) => {
        const lease = leaseOn(leases, host)
        return lease.urls.map((url) => storeHarness.visitedReport(lease, url))
      }
      // A robots.txt that redirects elsewhere, and a retry.
      const requests = { 'a.test': { sent: 4, rendered: 0 }, 'c.test': { sent: 1, rendered: 0 } }
      await storeHarness.commit([...visitsOf('a.test'), ...visitsOf('b.test')], { requests })
      await storeHarness.commit([], { requests: { 'a.test': { sent: 1, rendered: 2 } } })
      const { diagnostics } = storeHarness.store
      const measured = (await Array.fromAsync(diagnostics.politeness(storeHarness.crawlId))).map(
        ({ host, requests, subrequests }) => [host, requests, subrequests],
      )
      assert.deepEqual(measured, [
        ['a.test', 5, 2],
        ['b.test', 1, 0],
        ['c.test', 1, 0],
      ])
      const named = await diagnostics.measureHosts(storeHarness.crawlId, ['a.test'])
      assert.deepEqual([only(named).requests, only(named).subrequests], [5, 2])
    })

    add('several hosts are measured in one call, each by its own visits', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'b/1', 'c/1'])
      const { leases } = await storeHarness.lease()
      for (const [name, ends] of Object.entries({ 'a.test': [1100, 1180], 'b.test': [1150] })) {
        const lease = leaseOn(leases, name)
        const visits = lease.urls.map((url, i) => {
          const report = storeHarness.visitedReport(lease, url)
          return { ...report, facts: { ...report.facts, visitedAt: ends[i], fetchMs: 100 } as typeof report.facts }
        })
        await storeHarness.commit(visits, { release: [lease.token] })
      }
      const all = await Array.fromAsync(storeHarness.store.diagnostics.politeness(storeHarness.crawlId))
      const names = ['a.test', 'b.test', 'nowhere.test']
      const measured = await storeHarness.store.diagnostics.measureHosts(storeHarness.crawlId, names)
      const expected = all.filter(({ host }) => names.includes(host)).map(({ robots: _robots, ...rest }) => rest)
      assert.deepEqual(measured, expected)
      assert.deepEqual(
        measured.map(({ requests, smallestGapMs, peak }) => [requests, smallestGapMs, peak]),
        [
          [2, 80, 2],
          [1, null, 1],
        ],
      )
    })

    add('a few rejected links are kept as samples', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const urlId = only(await storeHarness.rows()).id
      const samples = Array.from({ length: 30 }, (_, i) => ({ reason: 'malformed', text: `http://[${i}`, urlId }))
      await storeHarness.commit([], { samples, rejected: { malformed: 30 } })
      await storeHarness.commit([], { samples: samples.slice(0, 1), rejected: { malformed: 1 } })
      const examples = await storeHarness.store.diagnostics.rejectedExamples(storeHarness.crawlId)
      assert.equal(examples.length, 20)
      assert.equal(examples[0]?.pageUrl, 'http://a.test/1')
    })
  })
}
