// URL patterns that `--render auto` learns: they reach every thread, and pages that were read without rendering are
// visited again.

import assert from 'node:assert/strict'
import type { CrawlSettings } from '../crawls.ts'
import type { Lease, LeasedUrl, VisitReport } from '../frontier.ts'
import { RENDER_SKIPPED, type RenderReport, renderPatternOf } from '../render-patterns.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const AUTO: Partial<CrawlSettings> = { render: 'auto' }
const ITEMS = renderPatternOf('http://a.test/items/1', 'complete')
const PLAIN: RenderReport = { kind: 'plain', look: 'complete' }
const GAINED: RenderReport = { kind: 'gained', pattern: ITEMS }

const nameOf = ({ url }: { url: string }) => url.replace('http://', '').replace('.test/', '/')

/** Visits what is due, each page with the report of its name. Returns the names in order. */
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

    add('pages that looked empty are apart from those that looked complete', async (storeHarness) => {
      await storeHarness.start(['a/items/1', 'a/items/2', 'a/items/3'], AUTO)
      const lease = only((await storeHarness.lease()).leases)
      const [one, two, three] = lease.urls
      assert.ok(one !== undefined && two !== undefined && three !== undefined)
      const skipped = report(storeHarness, lease, one, { kind: 'plain', look: 'empty' })
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
