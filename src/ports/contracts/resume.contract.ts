// How crawls continue: after a crash, and when URLs are retried.

import assert from 'node:assert/strict'
import { HEALTHY_HOST } from '../leases.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

/** Visits the next URL of the only host and releases it. The host is due at once. */
async function visitOne(storeHarness: StoreHarness, gapMs: number): Promise<void> {
  const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
  const { hostId, token } = lease
  const nextAt = storeHarness.store.clock.now()
  const report = { hostId, nextAt, responseMs: 50, gapMs, concurrencyLimit: null, health: HEALTHY_HOST }
  const visit = storeHarness.visitedReport(lease, only(lease.urls))
  await storeHarness.commit([visit], { hosts: [report], release: [token] })
}

/** The host was requested now, and the process is killed before it reports that. */
async function assertWaitsAfterCrash(storeHarness: StoreHarness, gapMs: number): Promise<void> {
  const requestedAt = storeHarness.store.clock.now()
  storeHarness.store = await storeHarness.store.reopen()
  const { clock } = storeHarness.store
  assert.deepEqual((await storeHarness.lease()).leases, [])
  clock.advance(requestedAt + gapMs - 1 - clock.now())
  assert.deepEqual((await storeHarness.lease()).leases, [])
}

export function resumeContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: retry`, makeStore, (add) => {
    add(
      'failed URLs are requeued for one more visit, and a finished crawl waits to be resumed',
      async (storeHarness) => {
        await storeHarness.start(['a/', 'a/2', 'b/'])
        const { leases } = await storeHarness.lease()
        for (const lease of leases) {
          const visits = lease.urls.map((url) =>
            lease.host === 'a.test'
              ? storeHarness.endedReport(lease, url, { state: 'failed', reason: 'connect_refused' })
              : storeHarness.endedReport(lease, url, { state: 'not_found', reason: null }),
          )
          await storeHarness.commit(visits, { release: [lease.token] })
        }
        assert.equal((await storeHarness.progress()).crawl.status, 'completed')
        assert.equal(await storeHarness.store.crawls.retry(storeHarness.crawlId, 'failed'), 2)
        const { crawl, ledger } = await storeHarness.progress()
        assert.deepEqual([crawl.status, crawl.finishedAt], ['paused', null])
        assert.deepEqual([ledger.queued, ledger.failed, ledger.not_found], [2, 0, 1])
        await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
        const lease = only((await storeHarness.lease()).leases)
        assert.deepEqual(
          lease.urls.map(({ attempts }) => attempts),
          [1, 1],
        )
        await storeHarness.commit(lease.urls.map((url) => storeHarness.visitedReport(lease, url)))
        assert.equal((await storeHarness.progress()).crawl.status, 'completed')
        assert.equal((await storeHarness.progress()).ledger.visited, 2)
      },
    )

    add('is possible for URLs whose worker is gone', async (storeHarness) => {
      await storeHarness.start(['a/', 'b/'])
      const [first, ...others] = (await storeHarness.lease()).leases
      assert.ok(first !== undefined && others.length === 1)
      const failed = { state: 'failed', reason: 'timeout' } as const
      await storeHarness.commit(
        first.urls.map((url) => storeHarness.endedReport(first, url, failed)),
        { release: [first.token] },
      )
      await assert.rejects(storeHarness.store.crawls.retry(storeHarness.crawlId, 'failed'), { code: 'CRAWL_RUNNING' })
      storeHarness.store.clock.advance(storeHarness.store.leaseMs)
      assert.equal(await storeHarness.store.crawls.retry(storeHarness.crawlId, 'failed'), 1)
    })

    add(
      'a host released while its crawl is paused is due after its gap once the crawl is resumed',
      async (storeHarness) => {
        await storeHarness.start(['a/', 'a/2'], { delayMs: 1000 })
        const lease = only((await storeHarness.lease()).leases)
        const [url] = lease.urls
        assert.ok(url !== undefined)
        await storeHarness.store.crawls.setPaused(storeHarness.crawlId, true)
        await storeHarness.commit([storeHarness.visitedReport(lease, url)], { release: [lease.token] })
        await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
        storeHarness.store.clock.advance(2000)
        assert.equal(only((await storeHarness.lease()).leases).host, 'a.test')
      },
    )

    add('changes nothing if there is nothing to retry, or the crawl was cancelled', async (storeHarness) => {
      await storeHarness.start(['a/'])
      assert.equal(await storeHarness.store.crawls.retry(storeHarness.crawlId, 'failed'), 0)
      assert.equal((await storeHarness.progress()).crawl.status, 'running')
      await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
      await assert.rejects(storeHarness.store.crawls.retry(storeHarness.crawlId, 'excluded'), { code: 'CRAWL_CLOSED' })
    })
  })

  describeStore(`${name}: crash`, makeStore, (add) => {
    add('URLs in flight are queued again', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      await storeHarness.lease()
      storeHarness.store = await storeHarness.store.reopen()
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 1)
      assert.equal((await storeHarness.lease()).leases.length, 2)
    })

    add('a report under a lease from before the crash is rejected', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const before = only((await storeHarness.lease()).leases)
      storeHarness.store = await storeHarness.store.reopen()
      const after = only((await storeHarness.lease()).leases)
      assert.ok(after.token > before.token)
      assert.equal((await storeHarness.commit([storeHarness.visitedReport(before, only(before.urls))])).late, 1)
    })

    add('a host requested just before waits for its gap', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'], { delayMs: 5000 })
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const hosts = [
        {
          hostId: lease.hostId,
          nextAt: storeHarness.store.clock.now() + 100,
          responseMs: 50,
          gapMs: 5000,
          concurrencyLimit: null,
          health: HEALTHY_HOST,
        },
      ]
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls))], {
        hosts,
        release: [lease.token],
      })
      storeHarness.store.clock.advance(200)
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(5000)
      assert.equal((await storeHarness.lease()).leases.length, 1)
    })

    add('a host requested just before, after it was due for minutes, waits for its gap', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'], { delayMs: 5000 })
      await visitOne(storeHarness, 5000)
      storeHarness.store.clock.advance(600_000)
      only((await storeHarness.lease()).leases)
      await assertWaitsAfterCrash(storeHarness, 5000)
    })

    add('a host requested just before, after it was leased for minutes, waits for its gap', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'], { delayMs: 5000 })
      await visitOne(storeHarness, 5000)
      storeHarness.store.clock.advance(5000)
      const lease = only((await storeHarness.lease()).leases)
      const stepMs = storeHarness.store.leaseMs / 2
      for (let leasedMs = 0; leasedMs < 600_000; leasedMs += stepMs) {
        storeHarness.store.clock.advance(stepMs)
        assert.deepEqual(await storeHarness.store.frontier.renew([lease.token]), [])
      }
      await assertWaitsAfterCrash(storeHarness, 5000)
    })

    add('a host last requested by a crawl with a shorter delay waits for the longer one', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await visitOne(storeHarness, 0)
      await storeHarness.start(['a/2'], { delayMs: 5000 })
      only((await storeHarness.lease()).leases)
      await assertWaitsAfterCrash(storeHarness, 5000)
    })

    add('everything committed is still there, and the crawl runs to its end', async (storeHarness) => {
      const links = { 'a/1': ['a/2', 'b/1'], 'b/1': ['b/2', 'a/1'], 'b/2': ['c/1'] }
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), links['a/1'])])
      storeHarness.store = await storeHarness.store.reopen()
      await storeHarness.crawlAll(links)
      const { ledger, crawl } = await storeHarness.progress()
      assert.deepEqual([ledger.visited, crawl.status], [5, 'completed'])
    })
  })
}
