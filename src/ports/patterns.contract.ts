// Links that are held back as a possible trap: they wait for everything else, some are tried, and what those bring
// decides about the rest.

import assert from 'node:assert/strict'
import type { Lease, LeasedUrl, TrapFindings, VisitReport } from './frontier.ts'
import { type Bench, describeStore, found, only, type TestStore } from './store.contract.ts'

/** Short patterns, so that few trials are allowed: a query counts as a generator. */
const PATTERN = 'a.test/x?*'
const SKELETONS = [1, -2]
const STALE: TrapFindings = { skeletons: SKELETONS, held: null, lines: [7] }

function holding(bench: Bench, lease: Lease, url: LeasedUrl, names: string[]): VisitReport {
  const held = { pattern: PATTERN, found: names.map(found) }
  return { ...bench.visited(lease, url), traps: { skeletons: SKELETONS, held, lines: [7] } }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `a/${from + i}`)

/** Visits the start url, which holds these. */
async function startHolding(bench: Bench, names: string[]): Promise<void> {
  await bench.start(['a/1'])
  const lease = only((await bench.lease()).leases)
  await bench.commit([holding(bench, lease, only(lease.urls), names)], { release: [lease.token] })
}

/** Visits all that is granted, until nothing is; answers the names in order. */
async function visitAll(bench: Bench, reportOf: (lease: Lease, url: LeasedUrl) => VisitReport): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const { leases } = await bench.lease()
    if (leases.length === 0) return names
    for (const lease of leases) {
      names.push(...lease.urls.map(({ url }) => url.replace('http://', '').replace('.test/', '/')))
      await bench.commit(
        lease.urls.map((url) => reportOf(lease, url)),
        { release: [lease.token] },
      )
    }
  }
}

const fruitless = (bench: Bench) => (lease: Lease, url: LeasedUrl) => ({ ...bench.visited(lease, url), traps: STALE })
let nextLine = 100
const fruitful = (bench: Bench) => (lease: Lease, url: LeasedUrl) => {
  return { ...bench.visited(lease, url), traps: { ...STALE, lines: [nextLine++, nextLine++, nextLine++, nextLine++] } }
}

export function patternsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: patterns`, makeStore, (add) => {
    add('held links are not in the ledger while anything else is open', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease()).leases)
      const [one, two] = lease.urls
      assert.ok(one !== undefined && two !== undefined)
      await bench.commit([holding(bench, lease, one, ['a/3'])])
      assert.equal((await bench.rows()).length, 2)
      assert.deepEqual((await bench.lease()).leases, [])
      await bench.commit([bench.visited(lease, two)], { release: [lease.token] })
      assert.equal((await bench.progress()).crawl.status, 'running')
      const tried = only(only((await bench.lease()).leases).urls)
      assert.equal(tried.url, 'http://a.test/3')
      assert.deepEqual(tried.ancestry, { skeletons: SKELETONS, trial: PATTERN })
      assert.equal(tried.depth, 1)
    })

    add('a link that another page has too is not held', async (bench) => {
      await startHolding(bench, ['a/2', 'a/3'])
      await bench.store.crawls.setPaused(bench.crawlId, true)
      await bench.commit([], { found: [found('a/2')] })
      await bench.store.crawls.setPaused(bench.crawlId, false)
      const lease = only((await bench.lease()).leases)
      assert.deepEqual(
        lease.urls.map(({ url, ancestry }) => [url, ancestry]),
        [['http://a.test/2', null]],
      )
    })

    add('after trials that bring nothing the rest is excluded, and the crawl completes', async (bench) => {
      await startHolding(bench, range(2, 40))
      const tried = await visitAll(bench, fruitless(bench))
      assert.equal(tried.length, 8)
      const { crawl, ledger } = await bench.progress()
      assert.deepEqual([crawl.status, ledger.visited, ledger.excluded], ['completed', 9, 30])
      const row = only(await bench.store.manners.patterns(bench.crawlId))
      const { pattern, state, visits, saved, example } = row
      assert.deepEqual([pattern, state, visits, row.fruitless, saved], [PATTERN, 'capped', 8, 8, 30])
      const excluded = (await bench.rows()).filter((url) => url.state === 'excluded')
      assert.ok(excluded.every(({ reason }) => reason === `trap:${PATTERN}`))
      assert.equal(example, excluded.map(({ url }) => url).sort()[0])
    })

    add('after trials with new text all are let in, and variations are followed from then on', async (bench) => {
      await startHolding(bench, range(2, 40))
      assert.equal((await visitAll(bench, fruitful(bench))).length, 38)
      assert.equal((await bench.progress()).crawl.status, 'completed')
      const last = await bench.lease({ maxUrls: 0 })
      assert.equal(only(last.patterns).state, 'open')
      assert.deepEqual((await bench.lease({ maxUrls: 0, patternsVersion: last.patternsVersion })).patterns, [])
    })

    add('trials that lead to new urls are worth it too', async (bench) => {
      await startHolding(bench, range(2, 40))
      const visited = await visitAll(bench, (lease, url) => {
        const links = url.depth === 1 ? [`a/more-${url.id}`] : []
        return { ...bench.visited(lease, url, links), traps: STALE }
      })
      assert.equal(visited.length, 76)
    })

    add('the same links are tried whoever held them first', async (bench) => {
      const tried: string[][] = []
      for (const names of [range(2, 40), range(2, 40).reverse()]) {
        await startHolding(bench, names)
        tried.push((await visitAll(bench, fruitless(bench))).sort())
        await bench.assertSound()
      }
      assert.deepEqual(tried[0], tried[1])
    })

    add('held links, trials and verdicts outlive a crash', async (bench) => {
      await startHolding(bench, range(2, 40))
      bench.store = await bench.store.reopen()
      const lease = only((await bench.lease()).leases)
      assert.equal(lease.urls.length, 8)
      bench.store = await bench.store.reopen()
      const again = only((await bench.lease()).leases)
      assert.equal(only([...new Set(again.urls.map(({ ancestry }) => ancestry?.trial))]), PATTERN)
      const reports = again.urls.map((url) => fruitless(bench)(again, url))
      await bench.commit(reports, { release: [again.token] })
      bench.store = await bench.store.reopen()
      assert.deepEqual(await visitAll(bench, fruitless(bench)), [])
      assert.equal((await bench.progress()).ledger.excluded, 30)
    })

    add('a page that holds links again, as a trial, is judged with them', async (bench) => {
      await startHolding(bench, ['a/2'])
      let next = 3
      const visited = await visitAll(bench, (lease, url) => holding(bench, lease, url, [`a/${next++}`]))
      assert.equal(visited.length, 8)
      assert.equal((await bench.progress()).ledger.excluded, 1)
    })

    add('releasing a pattern queues its urls again and lets a finished crawl be resumed', async (bench) => {
      await startHolding(bench, range(2, 40))
      await visitAll(bench, fruitless(bench))
      await assert.rejects(bench.store.crawls.releasePattern(bench.crawlId, 'nope'), { code: 'PATTERN_NOT_FOUND' })
      assert.equal(await bench.store.crawls.releasePattern(bench.crawlId, PATTERN), 30)
      assert.equal((await bench.progress()).crawl.status, 'paused')
      await bench.store.crawls.setPaused(bench.crawlId, false)
      assert.equal(only((await bench.lease({ maxUrls: 0 })).patterns).state, 'released')
      assert.equal((await visitAll(bench, fruitless(bench))).length, 30)
      assert.equal((await bench.progress()).crawl.status, 'completed')
      assert.equal(only((await bench.lease({ maxUrls: 0 })).patterns).state, 'released')
    })

    add('a crawl that has its pages, or is cancelled, does not wait for what is held', async (bench) => {
      await bench.start(['a/1'], { maxPages: 1 })
      const lease = only((await bench.lease()).leases)
      await bench.commit([holding(bench, lease, only(lease.urls), ['a/2'])], { release: [lease.token] })
      await bench.lease()
      assert.equal((await bench.progress()).crawl.status, 'completed')
      await bench.assertSound()
      await startHolding(bench, ['a/2'])
      await bench.store.crawls.close(bench.crawlId, 'cancelled')
      await bench.lease()
      assert.equal((await bench.progress()).crawl.status, 'cancelled')
    })
  })
}
