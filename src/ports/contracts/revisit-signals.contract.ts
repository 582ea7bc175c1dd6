// Signals that decide about revisits besides the visits of a URL: sitemaps and feeds that announce changes, and URLs
// of the same kind.

import assert from 'node:assert/strict'
import type { Lease, LeasedUrl } from '../leases.ts'
import type { FoundUrl, SignalKind, VisitReport } from '../visits.ts'
import { describeStore, foundUrl, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ADAPTIVE = { recrawl: 'adaptive', recrawlMinMs: HOUR_MS, recrawlMaxMs: 30 * DAY_MS } as const

/** After a while, requeues and visits the URLs that are due then. Returns their names. */
async function visitAfter(
  harness: StoreHarness,
  ms: number,
  report: (lease: Lease, url: LeasedUrl) => VisitReport,
): Promise<string[]> {
  const { store } = harness
  store.clock.advance(ms)
  let isIdle = true
  for (let hasMore = true; hasMore; ) {
    const done = await store.revisits.requeueDue(50)
    hasMore = done.hasMore
    isIdle &&= done.requeued === 0
  }
  if (isIdle && (await harness.progress()).crawl.status === 'watching') return []
  const visited: string[] = []
  for (const lease of (await harness.lease()).leases) {
    visited.push(...lease.urls.map(({ url }) => nameOf(url)))
    await harness.commit(
      lease.urls.map((url) => report(lease, url)),
      { release: [lease.token] },
    )
  }
  return visited
}

function nameOf(url: string): string {
  return url.replace('http://', '').replace('.test/', '/')
}

/** The page has this content. */
function contentReport(harness: StoreHarness, lease: Lease, url: LeasedUrl, content: number): VisitReport {
  const report = harness.visitedReport(lease, url)
  const facts = report.facts === null ? null : { ...report.facts, contentHash: content.toString(16).padStart(64, '0') }
  return { ...report, facts }
}

function listed(name: string, source: SignalKind, lastmod: number): FoundUrl {
  return { ...foundUrl(name), listing: { source, lastmod, changefreq: null, priority: null } }
}

const PAGES = 12
const pagesOf = (host: string) => Array.from({ length: PAGES }, (_, i) => `${host}/${i}`)

/** Every six hours both hosts announce a change. On host a it has happened. */
async function learnSignals(harness: StoreHarness, source: SignalKind): Promise<Map<string, number>> {
  const contents = new Map<string, number>()
  const { clock } = harness.store
  const report = (lease: Lease, url: LeasedUrl) =>
    contentReport(harness, lease, url, contents.get(nameOf(url.url)) ?? 0)
  await harness.start([...pagesOf('a'), ...pagesOf('b')], ADAPTIVE)
  await visitAfter(harness, 0, report)
  for (let step = 1; step <= 80; step++) {
    const page = (step * 7) % PAGES
    contents.set(`a/${page}`, step)
    const found = [`a/${page}`, `b/${page}`].map((name) => listed(name, source, clock.now()))
    await harness.commit([], { found })
    await visitAfter(harness, 6 * HOUR_MS, report)
  }
  return contents
}

export function revisitSignalsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: signals of changes`, makeStore, (add) => {
    for (const source of ['sitemap', 'feed'] as const) {
      add(`a ${source} that has been right makes a URL due sooner, one that lied does not`, async (harness) => {
        const contents = await learnSignals(harness, source)
        const report = (lease: Lease, url: LeasedUrl) =>
          contentReport(harness, lease, url, contents.get(nameOf(url.url)) ?? 0)
        // After these visits, only announced URLs are due.
        for (let i = 0; i < 3; i++) await visitAfter(harness, 6 * HOUR_MS, report)
        const now = harness.store.clock.now()
        const names = [...pagesOf('a'), ...pagesOf('b')]
        await harness.commit([], { found: names.map((page) => listed(page, source, now)) })
        const visited = await visitAfter(harness, HOUR_MS, report)
        const [right = 0, wrong = 0] = ['a/', 'b/'].map(
          (host) => visited.filter((page) => page.startsWith(host)).length,
        )
        assert.ok(right >= PAGES / 2 && wrong <= right / 3, visited.join(' '))
      })
    }

    add('an interval is kept, whatever is announced', async (harness) => {
      await harness.start(['a/1'], { recrawl: DAY_MS })
      const report = (lease: Lease, url: LeasedUrl) => contentReport(harness, lease, url, 1)
      await visitAfter(harness, 0, report)
      harness.store.clock.advance(HOUR_MS)
      await harness.commit([], { found: [listed('a/1', 'sitemap', harness.store.clock.now())] })
      assert.deepEqual(await visitAfter(harness, 22 * HOUR_MS, report), [])
      assert.deepEqual(await visitAfter(harness, HOUR_MS, report), ['a/1'])
    })

    add('a signal about a URL that is queued or in flight changes nothing', async (harness) => {
      const { store } = harness
      await harness.start(['a/1', 'b/1'], ADAPTIVE)
      const report = (lease: Lease, url: LeasedUrl) => contentReport(harness, lease, url, 1)
      await visitAfter(harness, 0, report)
      store.clock.advance(30 * DAY_MS)
      assert.equal((await store.revisits.requeueDue(10)).requeued, 2)
      const found = ['a/1', 'b/1'].map((page) => listed(page, 'sitemap', store.clock.now()))
      const lease = only((await harness.lease({ maxHosts: 1 })).leases)
      await harness.commit([], { found })
      await harness.assertSound()
      assert.equal((await store.revisits.requeueDue(10)).requeued, 0)
      await harness.commit([report(lease, only(lease.urls))], { release: [lease.token] })
      assert.equal((await harness.progress()).ledger.queued, 1)
    })

    add('sitemaps are visited again, even if they always change and visits are scarce', async (harness) => {
      const pages = Array.from({ length: 10 }, (_, i) => `a/${i}`)
      await harness.start(pages, { ...ADAPTIVE, recrawlBudget: 24 })
      await harness.commit([], { found: [{ ...foundUrl('a/map'), kind: 'sitemap' }] })
      let visits = 0
      for (let step = 0; step < 6 * 24; step++) {
        const visited = await visitAfter(harness, HOUR_MS, (lease, url) =>
          contentReport(harness, lease, url, url.kind === 'sitemap' ? step : 0),
        )
        if (visited.includes('a/map')) visits += 1
      }
      assert.ok(visits >= 5, `${visits} visits in 6 days`)
    })
  })

  describeStore(`${name}: link ranks`, makeStore, (add) => {
    add('with a budget, pages that others link to are due sooner', async (harness) => {
      const { store } = harness
      const pages = Array.from({ length: 10 }, (_, i) => `a/${i}`)
      await harness.start(pages, { ...ADAPTIVE, recrawlBudget: 2 * pages.length })
      const report = (lease: Lease, url: LeasedUrl) => contentReport(harness, lease, url, store.clock.now())
      await visitAfter(harness, 0, report)
      // Starts the budget, which is saved up until all are due.
      assert.equal((await store.revisits.requeueDue(1)).requeued, 0)
      const isLinked = (url: string) => Number(url.at(-1)) < 5
      const rows = await harness.rows()
      const ranks = rows.map(({ id, url }) => ({ urlId: id, linkRank: isLinked(url) ? 1 : 0 }))
      await store.revisits.saveLinkRanks(harness.crawlId, ranks)
      assert.equal((await visitAfter(harness, 31 * DAY_MS, report)).length, pages.length)
      const dueAt = { linked: new Set<number>(), others: new Set<number>() }
      for (const { id, url } of rows) {
        const revisit = (await store.browse.urlDetails(harness.crawlId, id))?.revisit
        dueAt[isLinked(url) ? 'linked' : 'others'].add(revisit?.dueAt ?? 0)
        assert.deepEqual([revisit?.linkRank, revisit?.importance], isLinked(url) ? [1, 3] : [0, 1])
      }
      const now = store.clock.now()
      assert.ok(Math.min(...dueAt.linked) > now && Math.max(...dueAt.linked) < Math.min(...dueAt.others))
    })

    add('a rank is not known until it is saved, for URLs of the crawl', async (harness) => {
      await harness.start(['a/1'], ADAPTIVE)
      await visitAfter(harness, 0, (lease, url) => contentReport(harness, lease, url, 1))
      const { id } = only(await harness.rows())
      await harness.store.revisits.saveLinkRanks('another', [{ urlId: id, linkRank: 1 }])
      const details = await harness.store.browse.urlDetails(harness.crawlId, id)
      assert.deepEqual([details?.revisit?.linkRank, details?.revisit?.importance], [null, 2])
    })
  })

  describeStore(`${name}: pages alike`, makeStore, (add) => {
    add('a new page is visited about as often as others of its kind', async (harness) => {
      const known = [1, 2, 3, 4, 5].flatMap((i) => [`a/news/${i}`, `a/about/${i}`])
      await harness.start(known, ADAPTIVE)
      const report = (lease: Lease, url: LeasedUrl) =>
        contentReport(harness, lease, url, url.url.includes('/news/') ? harness.store.clock.now() : 1)
      for (let i = 0; i < 60; i++) await visitAfter(harness, 12 * HOUR_MS, report)
      await harness.commit([], { found: [foundUrl('a/news/new'), foundUrl('a/about/new')] })
      await visitAfter(harness, 0, report)
      const visitedAt: Record<string, number> = {}
      for (let step = 1; step <= 40; step++)
        for (const page of await visitAfter(harness, 6 * HOUR_MS, report)) visitedAt[page] ??= step
      const [news = 0, about = Number.POSITIVE_INFINITY] = [visitedAt['a/news/new'], visitedAt['a/about/new']]
      assert.ok(news > 0 && news * 3 < about, JSON.stringify({ news, about }))
    })

    add('a page that joins a kind leaves what was learned about it', async (harness) => {
      const still = [1, 2, 3, 4, 5, 6].map((i) => `a/docs/still${i}`)
      await harness.start(['a/docs/moves', 'a/docs/live1', 'a/docs/live2', 'a/docs/live3', ...still], ADAPTIVE)
      let hasMoved = false
      const report = (lease: Lease, url: LeasedUrl) => {
        const isMoved = hasMoved && url.url.endsWith('moves')
        const isLive = url.url.includes('live')
        const content = isLive ? harness.store.clock.now() : isMoved ? 2 : 1
        const visit = contentReport(harness, lease, url, content)
        const contentType = isLive || isMoved ? 'text/html' : 'application/pdf'
        return { ...visit, facts: visit.facts === null ? null : { ...visit.facts, contentType } }
      }
      for (let i = 0; i < 40; i++) await visitAfter(harness, 12 * HOUR_MS, report)
      hasMoved = true
      while (!(await visitAfter(harness, DAY_MS, report)).includes('a/docs/moves'));
      await harness.commit([], { found: [foundUrl('a/docs/live-new'), foundUrl('a/docs/still-new')] })
      await visitAfter(harness, 0, report)
      const visitedAt: Record<string, number> = {}
      for (let step = 1; step <= 20; step++)
        for (const page of await visitAfter(harness, 6 * HOUR_MS, report)) visitedAt[page] ??= step
      const { 'a/docs/live-new': live = 99, 'a/docs/still-new': stays = 99 } = visitedAt
      assert.ok(live <= 4 && stays > 8, JSON.stringify({ live, stays }))
    })
  })
}
