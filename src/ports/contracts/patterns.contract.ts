// Links held back because their pattern may be a trap: they wait for everything else, some are tried, and the results
// decide about the rest.

import assert from 'node:assert/strict'
import type { Lease, LeasedUrl } from '../leases.ts'
import type { TrapFindings, VisitReport } from '../visits.ts'
import { describeStore, foundUrl, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

/** A pattern with a query, for which few trials are allowed. */
const PATTERN = 'a.test/x?*'
const SKELETONS = [1, -2]
const STALE: TrapFindings = { skeletons: SKELETONS, held: null, lineHashes: [7] }

function holding(
  storeHarness: StoreHarness,
  lease: Lease,
  url: LeasedUrl,
  names: string[],
  pattern = PATTERN,
): VisitReport {
  const held = { pattern, found: names.map(foundUrl) }
  return { ...storeHarness.visitedReport(lease, url), traps: { skeletons: SKELETONS, held, lineHashes: [7] } }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `a/${from + i}`)

/** Visits the seed, which holds these links. */
async function startHolding(storeHarness: StoreHarness, names: string[]): Promise<void> {
  await storeHarness.start(['a/1'])
  const lease = only((await storeHarness.lease()).leases)
  await storeHarness.commit([holding(storeHarness, lease, only(lease.urls), names)], { release: [lease.token] })
}

/** Visits everything granted until nothing is left, and returns the names in order. */
async function visitAll(
  storeHarness: StoreHarness,
  reportOf: (lease: Lease, url: LeasedUrl) => VisitReport,
): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const { leases } = await storeHarness.lease()
    if (leases.length === 0) return names
    for (const lease of leases) {
      names.push(...lease.urls.map(({ url }) => url.replace('http://', '').replace('.test/', '/')))
      await storeHarness.commit(
        lease.urls.map((url) => reportOf(lease, url)),
        { release: [lease.token] },
      )
    }
  }
}

const fruitless = (storeHarness: StoreHarness) => (lease: Lease, url: LeasedUrl) => ({
  ...storeHarness.visitedReport(lease, url),
  traps: STALE,
})
let nextLine = 100
const fruitful = (storeHarness: StoreHarness) => (lease: Lease, url: LeasedUrl) => {
  return {
    ...storeHarness.visitedReport(lease, url),
    traps: { ...STALE, lineHashes: [nextLine++, nextLine++, nextLine++, nextLine++] },
  }
}

export function patternsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: patterns`, makeStore, (add) => {
    add('held links are not in the ledger while anything else is open', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease()).leases)
      const [one, two] = lease.urls
      assert.ok(one !== undefined && two !== undefined)
      await storeHarness.commit([holding(storeHarness, lease, one, ['a/3'])])
      assert.equal((await storeHarness.rows()).length, 2)
      assert.deepEqual((await storeHarness.lease()).leases, [])
      await storeHarness.commit([storeHarness.visitedReport(lease, two)], { release: [lease.token] })
      assert.equal((await storeHarness.progress()).crawl.status, 'running')
      const tried = only(only((await storeHarness.lease()).leases).urls)
      assert.equal(tried.url, 'http://a.test/3')
      assert.deepEqual(tried.ancestry, { skeletons: SKELETONS, trial: PATTERN })
      assert.equal(tried.depth, 1)
    })

    add('a link that another page has too is not held', async (storeHarness) => {
      await startHolding(storeHarness, ['a/2', 'a/3'])
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, true)
      await storeHarness.commit([], { found: [foundUrl('a/2')] })
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
      const lease = only((await storeHarness.lease()).leases)
      assert.deepEqual(
        lease.urls.map(({ url, ancestry }) => [url, ancestry]),
        [['http://a.test/2', null]],
      )
    })

    add('after fruitless trials the rest is excluded, and the crawl completes', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      const tried = await visitAll(storeHarness, fruitless(storeHarness))
      assert.equal(tried.length, 8)
      const { crawl, ledger } = await storeHarness.progress()
      assert.deepEqual([crawl.status, ledger.visited, ledger.excluded], ['completed', 9, 30])
      const row = only(await storeHarness.store.diagnostics.patterns(storeHarness.crawlId))
      const { pattern, state, visits, excludedUrls, example } = row
      assert.deepEqual([pattern, state, visits, row.fruitless, excludedUrls], [PATTERN, 'capped', 8, 8, 30])
      const excluded = (await storeHarness.rows()).filter((url) => url.state === 'excluded')
      assert.ok(excluded.every(({ reason }) => reason === `trap:${PATTERN}`))
      assert.deepEqual(await storeHarness.store.crawls.reasons(storeHarness.crawlId), { trap: 30 })
      assert.equal(example, excluded.map(({ url }) => url).sort()[0])
    })

    add(
      'after trials with new text all links are admitted, and later variations are followed at once',
      async (storeHarness) => {
        await startHolding(storeHarness, range(2, 40))
        assert.equal((await visitAll(storeHarness, fruitful(storeHarness))).length, 38)
        assert.equal((await storeHarness.progress()).crawl.status, 'completed')
        const last = await storeHarness.lease({ maxUrls: 0 })
        assert.equal(only(last.patterns).state, 'open')
        assert.deepEqual((await storeHarness.lease({ maxUrls: 0, patternsVersion: last.patternsVersion })).patterns, [])
      },
    )

    add('trials that lead to new URLs are fruitful too', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      const visited = await visitAll(storeHarness, (lease, url) => {
        const links = url.depth === 1 ? [`a/more-${url.id}`] : []
        return { ...storeHarness.visitedReport(lease, url, links), traps: STALE }
      })
      assert.equal(visited.length, 76)
    })

    add('sitemaps do not count as pages when a pattern is judged', async (storeHarness) => {
      // 31 pages are a small site, whose links are all tried; with the sitemaps counted it would have 56.
      await storeHarness.start(['a/1', ...range(1000, 1030)])
      const sitemaps = range(2000, 2025).map((name) => ({ ...foundUrl(name), kind: 'sitemap' as const }))
      await storeHarness.commit([], { found: sitemaps })
      const links = range(2, 40)
      await visitAll(storeHarness, (lease, url) => {
        if (url.url === 'http://a.test/1') return holding(storeHarness, lease, url, links, 'a.test/N')
        return links.includes(url.url.replace('http://a.test/', 'a/'))
          ? fruitless(storeHarness)(lease, url)
          : storeHarness.visitedReport(lease, url)
      })
      const { ledger } = await storeHarness.progress()
      assert.deepEqual([ledger.visited, ledger.excluded], [31 + 25 + 38, 0])
    })

    add('the same links are tried, no matter in which order they were found', async (storeHarness) => {
      const tried: string[][] = []
      for (const names of [range(2, 40), range(2, 40).reverse()]) {
        await startHolding(storeHarness, names)
        tried.push((await visitAll(storeHarness, fruitless(storeHarness))).sort())
        await storeHarness.assertSound()
      }
      assert.deepEqual(tried[0], tried[1])
    })

    add('links that several pages hold are counted once', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease()).leases)
      const visits = lease.urls.map((url) => holding(storeHarness, lease, url, range(10, 90)))
      await storeHarness.commit(visits, { release: [lease.token] })
      await visitAll(storeHarness, fruitless(storeHarness))
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      await storeHarness.assertSound()
    })

    add('a page whose depth another held link lowers passes the new depth on', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/q'])
      const links: Record<string, string[]> = { 'a/1': ['a/2'], 'a/2': ['a/3'], 'a/3': ['a/pp'] }
      const held: Record<string, string[]> = { 'a/q': ['a/pp'], 'a/pp': ['a/cc'] }
      await visitAll(storeHarness, (lease, url) => {
        const name = url.url.replace('http://', '').replace('.test/', '/')
        const names = held[name]
        if (names !== undefined) {
          const visit = storeHarness.withoutKnownLinks(storeHarness.visitedReport(lease, url, names), () => true)
          visit.traps = {
            skeletons: SKELETONS,
            held: { pattern: PATTERN, found: names.map(foundUrl) },
            lineHashes: [7],
          }
          return visit
        }
        return storeHarness.visitedReport(lease, url, links[name] ?? [])
      })
      const depths = await storeHarness.depths()
      assert.deepEqual([depths['a/pp'], depths['a/cc']], [1, 2])
      await storeHarness.assertSound()
    })

    add('held links, trials and verdicts outlive a crash', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      storeHarness.store = await storeHarness.store.reopen()
      const lease = only((await storeHarness.lease()).leases)
      assert.equal(lease.urls.length, 8)
      storeHarness.store = await storeHarness.store.reopen()
      const again = only((await storeHarness.lease()).leases)
      assert.equal(only([...new Set(again.urls.map(({ ancestry }) => ancestry?.trial))]), PATTERN)
      const reports = again.urls.map((url) => fruitless(storeHarness)(again, url))
      await storeHarness.commit(reports, { release: [again.token] })
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await visitAll(storeHarness, fruitless(storeHarness)), [])
      assert.equal((await storeHarness.progress()).ledger.excluded, 30)
    })

    add('a page on trial that holds links is judged together with them', async (storeHarness) => {
      await startHolding(storeHarness, ['a/2'])
      let next = 3
      const visited = await visitAll(storeHarness, (lease, url) => holding(storeHarness, lease, url, [`a/${next++}`]))
      assert.equal(visited.length, 8)
      assert.equal((await storeHarness.progress()).ledger.excluded, 1)
    })

    add('releasing a pattern requeues its URLs and lets a finished crawl be resumed', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      await visitAll(storeHarness, fruitless(storeHarness))
      await assert.rejects(storeHarness.store.crawls.releasePattern(storeHarness.crawlId, 'nope'), {
        code: 'PATTERN_NOT_FOUND',
      })
      assert.equal(await storeHarness.store.crawls.releasePattern(storeHarness.crawlId, PATTERN), 30)
      assert.equal((await storeHarness.progress()).crawl.status, 'paused')
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
      assert.equal(only((await storeHarness.lease({ maxUrls: 0 })).patterns).state, 'released')
      assert.equal((await visitAll(storeHarness, fruitless(storeHarness))).length, 30)
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      assert.equal(only((await storeHarness.lease({ maxUrls: 0 })).patterns).state, 'released')
    })

    add('a crawl that has its pages, or is cancelled, does not wait for held links', async (storeHarness) => {
      await storeHarness.start(['a/1'], { maxPages: 1 })
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([holding(storeHarness, lease, only(lease.urls), ['a/2'])], { release: [lease.token] })
      await storeHarness.lease()
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      await storeHarness.assertSound()
      await startHolding(storeHarness, ['a/2'])
      await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
      await storeHarness.lease()
      assert.equal((await storeHarness.progress()).crawl.status, 'cancelled')
    })
  })
}
