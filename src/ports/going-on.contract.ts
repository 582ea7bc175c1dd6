// How crawls go on: after a crash, and when urls are to be tried once more.

import assert from 'node:assert/strict'
import { HEALTHY } from './frontier.ts'
import { describeStore, only, type TestStore } from './store.contract.ts'

export function goingOnContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: retry`, makeStore, (add) => {
    add('urls that failed are queued for one more visit, and a finished crawl waits to be resumed', async (bench) => {
      await bench.start(['a/', 'a/2', 'b/'])
      const { leases } = await bench.lease()
      for (const lease of leases) {
        const visits = lease.urls.map((url) =>
          lease.host === 'a.test'
            ? bench.ended(lease, url, { state: 'failed', reason: 'connect_refused' })
            : bench.ended(lease, url, { state: 'not_found', reason: null }),
        )
        await bench.commit(visits, { release: [lease.token] })
      }
      assert.equal((await bench.progress()).crawl.status, 'completed')
      assert.equal(await bench.store.crawls.retry(bench.crawlId, 'failed'), 2)
      const { crawl, ledger } = await bench.progress()
      assert.deepEqual([crawl.status, crawl.finishedAt], ['paused', null])
      assert.deepEqual([ledger.queued, ledger.failed, ledger.not_found], [2, 0, 1])
      await bench.store.crawls.setPaused(bench.crawlId, false)
      const lease = only((await bench.lease()).leases)
      assert.deepEqual(
        lease.urls.map(({ attempts }) => attempts),
        [1, 1],
      )
      await bench.commit(lease.urls.map((url) => bench.visited(lease, url)))
      assert.equal((await bench.progress()).crawl.status, 'completed')
      assert.equal((await bench.progress()).ledger.visited, 2)
    })

    add('is not refused for urls whose worker is gone', async (bench) => {
      await bench.start(['a/', 'b/'])
      const [first, ...others] = (await bench.lease()).leases
      assert.ok(first !== undefined && others.length === 1)
      const failed = { state: 'failed', reason: 'timeout' } as const
      await bench.commit(
        first.urls.map((url) => bench.ended(first, url, failed)),
        { release: [first.token] },
      )
      await assert.rejects(bench.store.crawls.retry(bench.crawlId, 'failed'), { code: 'CRAWL_RUNNING' })
      bench.store.clock.advance(bench.store.leaseMs)
      assert.equal(await bench.store.crawls.retry(bench.crawlId, 'failed'), 1)
    })

    add('changes nothing where there is nothing, nor in a crawl that was cancelled', async (bench) => {
      await bench.start(['a/'])
      assert.equal(await bench.store.crawls.retry(bench.crawlId, 'failed'), 0)
      assert.equal((await bench.progress()).crawl.status, 'running')
      await bench.store.crawls.close(bench.crawlId, 'cancelled')
      await assert.rejects(bench.store.crawls.retry(bench.crawlId, 'excluded'), { code: 'CRAWL_CLOSED' })
    })
  })

  describeStore(`${name}: crash`, makeStore, (add) => {
    add('urls in flight are queued again', async (bench) => {
      await bench.start(['a/1', 'b/1'])
      await bench.lease()
      bench.store = await bench.store.reopen()
      bench.store.clock.advance(bench.store.leaseMs + 1)
      assert.equal((await bench.lease()).leases.length, 2)
    })

    add('a lease of the time before is refused', async (bench) => {
      await bench.start(['a/1'])
      const before = only((await bench.lease()).leases)
      bench.store = await bench.store.reopen()
      const after = only((await bench.lease()).leases)
      assert.ok(after.token > before.token)
      assert.equal((await bench.commit([bench.visited(before, only(before.urls))])).late, 1)
    })

    add('a host asked just before waits its gap', async (bench) => {
      await bench.start(['a/1', 'a/2'], { delayMs: 5000 })
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const hosts = [
        {
          hostId: lease.hostId,
          nextAt: bench.store.clock.now() + 100,
          responseMs: 50,
          gapMs: 5000,
          concurrencyLimit: null,
          health: HEALTHY,
        },
      ]
      await bench.commit([bench.visited(lease, only(lease.urls))], { hosts, release: [lease.token] })
      bench.store.clock.advance(200)
      bench.store = await bench.store.reopen()
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(5000)
      assert.equal((await bench.lease()).leases.length, 1)
    })

    add('everything committed is there, and the crawl goes on to its end', async (bench) => {
      const links = { 'a/1': ['a/2', 'b/1'], 'b/1': ['b/2', 'a/1'], 'b/2': ['c/1'] }
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      await bench.commit([bench.visited(lease, only(lease.urls), links['a/1'])])
      bench.store = await bench.store.reopen()
      await bench.crawlAll(links)
      const { ledger, crawl } = await bench.progress()
      assert.deepEqual([ledger.visited, crawl.status], [5, 'completed'])
    })
  })
}
