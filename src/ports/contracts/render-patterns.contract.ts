// URL patterns that `--render auto` learns: they reach every thread, and pages that were read without rendering are
// visited again.

import assert from 'node:assert/strict'
import { EMPTY_POLICY } from '../../config/policies/policy.ts'
import { CHECKED_PAGES } from '../../frontier/render-patterns.ts'
import type { CrawlSettings } from '../crawls.ts'
import type { Lease, LeasedUrl } from '../leases.ts'
import { RENDER_SKIPPED, type RenderReport, renderPatternOf } from '../render-patterns.ts'
import type { VisitReport } from '../visits.ts'
import { describeStore, foundUrl, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const AUTO: Partial<CrawlSettings> = { render: 'auto' }
const ITEMS = renderPatternOf('http://a.test/items/1', 'complete')
const PLAIN: RenderReport = { kind: 'plain', completeness: 'complete' }
const GAINED: RenderReport = { kind: 'gained', pattern: ITEMS }

const nameOf = ({ url }: { url: string }) => url.replace('http://', '').replace('.test/', '/')

/** Visits all URLs that are due, and reports each with the report of its name. Returns the names in order. */
async function visitAll(storeHarness: StoreHarness, reports: Record<string, RenderReport>): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const { leases } = await storeHarness.lease()
    if (leases.length === 0) return names.toSorted()
    for (const lease of leases) {
      const visits = lease.urls.map((url) => report(storeHarness, lease, url, reports[nameOf(url)]))
      names.push(...lease.urls.map(nameOf))
      await storeHarness.commit(visits, { release: [lease.token] })
    }
  }
}

function report(storeHarness: StoreHarness, lease: Lease, url: LeasedUrl, render?: RenderReport): VisitReport {
  const visit = storeHarness.visitedReport(lease, url)
  return render === undefined ? visit : { ...visit, render }
}

export function renderPatternsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: patterns to render`, makeStore, (add) => {
    add('a pattern that gains is in the grants of every thread, also after a crash', async (storeHarness) => {
      await storeHarness.start(['a/items/1', 'a/about'], AUTO)
      await visitAll(storeHarness, { 'a/items/1': GAINED })
      const patternsOf = async (threadId: string, renderPatterns: number) =>
        (await storeHarness.lease({ threadId, renderPatterns })).renderPatterns
      assert.deepEqual(await patternsOf('w', 0), [ITEMS])
      assert.deepEqual(await patternsOf('other', 0), [ITEMS])
      assert.equal(await patternsOf('w', 1), undefined)
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await patternsOf('w', 0), [ITEMS])
    })

    add('pages of the pattern that were read without rendering are visited again, once', async (storeHarness) => {
      const seeds = ['a/items/1', 'a/items/2', 'a/items/3', 'a/about', 'b/items/4']
      await storeHarness.start(seeds, AUTO)
      const lease = (await storeHarness.lease()).leases.find(({ host }) => host === 'a.test')
      assert.ok(lease !== undefined)
      const [first, ...others] = lease.urls
      assert.ok(first !== undefined)
      await storeHarness.commit(others.map((url) => report(storeHarness, lease, url, PLAIN)))
      await storeHarness.commit([report(storeHarness, lease, first, GAINED)], { release: [lease.token] })
      assert.equal((await storeHarness.progress()).crawl.status, 'running')
      await storeHarness.assertSound()
      assert.deepEqual(await visitAll(storeHarness, {}), ['a/items/2', 'a/items/3'])
    })

    add('a page of the same commit, and one in flight elsewhere, is visited again', async (storeHarness) => {
      await storeHarness.start(['a/items/1', 'a/items/2', 'a/items/3'], AUTO)
      const lease = only((await storeHarness.lease()).leases)
      const [one, two, three] = lease.urls
      assert.ok(one !== undefined && two !== undefined && three !== undefined)
      const visits = [report(storeHarness, lease, one, PLAIN), report(storeHarness, lease, two, GAINED)]
      await storeHarness.commit(visits)
      await storeHarness.commit([report(storeHarness, lease, three, PLAIN)], { release: [lease.token] })
      assert.deepEqual(await visitAll(storeHarness, {}), ['a/items/1', 'a/items/3'])
      assert.equal((await storeHarness.progress()).ledger.visited, 3)
    })

    add('pages that were rendered, or have no scripts, are not visited again', async (storeHarness) => {
      await storeHarness.start(['a/items/1', 'a/items/2', 'a/items/3', 'a/items/4'], AUTO)
      const lease = only((await storeHarness.lease()).leases)
      const [one, two, three, four] = lease.urls
      assert.ok(one !== undefined && two !== undefined && three !== undefined && four !== undefined)
      await storeHarness.commit([report(storeHarness, lease, one), report(storeHarness, lease, two, PLAIN)])
      await storeHarness.commit([report(storeHarness, lease, three, GAINED)])
      await storeHarness.commit([report(storeHarness, lease, four)], { release: [lease.token] })
      assert.deepEqual(await visitAll(storeHarness, {}), ['a/items/2'])
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
    })

    add('a crawl does not complete before its pages are checked, also after a crash', async (storeHarness) => {
      await storeHarness.start(['a/items/1', 'a/items/2'], AUTO)
      const lease = only((await storeHarness.lease()).leases)
      const [one, two] = lease.urls
      assert.ok(one !== undefined && two !== undefined)
      await storeHarness.commit([report(storeHarness, lease, one, PLAIN)])
      await storeHarness.commit([report(storeHarness, lease, two, GAINED)], { release: [lease.token] })
      const { crawl, ledger } = await storeHarness.progress()
      assert.deepEqual([crawl.status, ledger.visited], ['running', 2])
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await visitAll(storeHarness, {}), ['a/items/1'])
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      await storeHarness.assertSound()
    })

    add('commits and checks that race with a new pattern leave no page as it was read', async (storeHarness) => {
      const numbers = Array.from({ length: 8 }, (_, i) => i)
      for (const round of numbers.slice(0, 2)) {
        await storeHarness.start(
          numbers.map((i) => `a/items/${i}`),
          AUTO,
        )
        const lease = only((await storeHarness.lease()).leases)
        const gained = new Set([`a/items/${round}`, `a/items/${(round + 3) % numbers.length}`])
        const commits = lease.urls.map((url) => () => {
          const visit = report(storeHarness, lease, url, gained.has(nameOf(url)) ? GAINED : PLAIN)
          return storeHarness.commit([visit], { threadId: `thread ${url.id}` })
        })
        const checks = numbers.map(() => () => storeHarness.lease({ threadId: 'other' }))
        await Promise.all([...commits, ...checks].map((start) => start()))
        await storeHarness.commit([], { release: [lease.token] })
        const plain = numbers.map((i) => `a/items/${i}`).filter((name) => !gained.has(name))
        assert.deepEqual(await visitAll(storeHarness, {}), plain, `round ${round}`)
        const { crawl, ledger } = await storeHarness.progress()
        assert.deepEqual([crawl.status, ledger.visited], ['completed', numbers.length])
        await storeHarness.assertSound()
      }
    })

    add('pages are checked in batches, also after a crash between them', async (storeHarness) => {
      const others = Array.from({ length: CHECKED_PAGES }, (_, i) => foundUrl(`b/${i}`))
      await storeHarness.start(['a/items/1'], AUTO)
      await storeHarness.store.control.blockHost(storeHarness.crawlId, 'b.test')
      const found = [...others, foundUrl('a/items/2'), foundUrl('a/items/3')]
      const lease = only((await storeHarness.lease()).leases)
      const first = { ...report(storeHarness, lease, only(lease.urls), PLAIN), found }
      await storeHarness.commit([first], { release: [lease.token] })
      const next = only((await storeHarness.lease()).leases)
      const renders: Record<string, RenderReport> = { 'a/items/2': PLAIN, 'a/items/3': GAINED }
      const visits = next.urls.map((url) => report(storeHarness, next, url, renders[nameOf(url)]))
      for (const visit of visits) await storeHarness.commit([visit])
      await storeHarness.commit([], { release: [next.token] })
      // Checks one batch.
      await storeHarness.lease({ maxUrls: 0, maxHosts: 0 })
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await visitAll(storeHarness, {}), ['a/items/1', 'a/items/2'])
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      await storeHarness.assertSound()
    })

    add('pages of a blocked host, or of one with a page limit, stay as they were read', async (storeHarness) => {
      await storeHarness.store.policies.set([{ ...EMPTY_POLICY, host: 'b.test', maxPages: 2 }])
      await storeHarness.start(['a/items/1', 'a/items/2', 'b/items/1', 'b/items/2', 'b/items/3'], AUTO)
      const gained = (host: string): RenderReport => {
        return { kind: 'gained', pattern: renderPatternOf(`http://${host}.test/items/1`, 'complete') }
      }
      const { leases } = await storeHarness.lease()
      for (const lease of leases) {
        const [one, two] = lease.urls
        assert.ok(one !== undefined && two !== undefined)
        await storeHarness.commit([report(storeHarness, lease, one, PLAIN)])
        if (lease.host === 'a.test') await storeHarness.store.control.blockHost(storeHarness.crawlId, 'a.test')
        const report2 = report(storeHarness, lease, two, gained(lease.host.slice(0, 1)))
        await storeHarness.commit([report2], { release: [lease.token] })
      }
      assert.deepEqual(await visitAll(storeHarness, {}), [])
      const { crawl, ledger } = await storeHarness.progress()
      assert.deepEqual([crawl.status, ledger.visited, ledger.excluded], ['completed', 4, 1])
      await storeHarness.assertSound()
    })

    add('pages that looked empty are apart from those that looked complete', async (storeHarness) => {
      await storeHarness.start(['a/items/1', 'a/items/2', 'a/items/3'], AUTO)
      const lease = only((await storeHarness.lease()).leases)
      const [one, two, three] = lease.urls
      assert.ok(one !== undefined && two !== undefined && three !== undefined)
      const skipped = report(storeHarness, lease, one, { kind: 'plain', completeness: 'empty' })
      await storeHarness.commit([
        { ...skipped, outcome: { state: 'visited', reason: RENDER_SKIPPED } },
        report(storeHarness, lease, two, PLAIN),
      ])
      const pattern = renderPatternOf('http://a.test/items/1', 'empty')
      const gained = report(storeHarness, lease, three, { kind: 'gained', pattern })
      await storeHarness.commit([gained], { release: [lease.token] })
      assert.deepEqual(await visitAll(storeHarness, {}), ['a/items/1'])
    })

    add('with a page limit, and if the crawl is recrawled, nothing is visited out of turn', async (storeHarness) => {
      for (const settings of [{ maxPages: 3 }, { recrawl: 3_600_000 }]) {
        await storeHarness.start(['a/items/1', 'a/items/2'], { ...AUTO, ...settings })
        const lease = only((await storeHarness.lease()).leases)
        const [one, two] = lease.urls
        assert.ok(one !== undefined && two !== undefined)
        await storeHarness.commit([report(storeHarness, lease, one, PLAIN)])
        await storeHarness.commit([report(storeHarness, lease, two, GAINED)], { release: [lease.token] })
        assert.deepEqual(await visitAll(storeHarness, {}), [])
      }
    })
  })
}
