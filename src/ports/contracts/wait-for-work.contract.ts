// How workers wait for URLs, and that crawls on one worker share nothing but the pace of hosts.

import assert from 'node:assert/strict'
import { describeStore, only, type TestStore } from './testing/store-harness.ts'

export function waitForWorkContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: waiting`, makeStore, (add) => {
    add('waiting for work ends when URLs are found, and at the timeout', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const waiting = storeHarness.store.frontier.waitForWork(60_000, (await storeHarness.lease()).wakeCount)
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), ['a/2'])])
      await waiting
      const timeout = storeHarness.store.frontier.waitForWork(1000, (await storeHarness.lease()).wakeCount)
      storeHarness.store.clock.advance(1000)
      await timeout
    })

    add('URLs found after an empty grant end the wait at once', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const { leases, wakeCount } = await storeHarness.lease()
      assert.deepEqual(leases, [])
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), ['a/2'])])
      await storeHarness.store.frontier.waitForWork(60_000, wakeCount)
    })
  })

  describeStore(`${name}: crawls on one worker`, makeStore, (add) => {
    add('a late report fences only the leases of its crawl', async (storeHarness) => {
      const first = await storeHarness.start(['a/1', 'b/1'])
      const lost = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const second = await storeHarness.start(['c/1'])
      storeHarness.store.clock.advance(storeHarness.store.leaseMs - 1)
      const kept = only((await storeHarness.lease()).leases)
      storeHarness.crawl = first
      const other = only((await storeHarness.lease()).leases)
      storeHarness.store.clock.advance(2)
      assert.equal((await storeHarness.commit([storeHarness.visitedReport(lost, only(lost.urls))])).late, 1)
      assert.equal((await storeHarness.commit([storeHarness.visitedReport(other, only(other.urls))])).late, 1)
      storeHarness.crawl = second
      assert.equal((await storeHarness.commit([storeHarness.visitedReport(kept, only(kept.urls))])).late, 0)
    })

    add('crawls share the pace of a host', async (storeHarness) => {
      const first = await storeHarness.start(['a/1'])
      only((await storeHarness.lease()).leases)
      await storeHarness.start(['a/2'])
      assert.notEqual(first.id, storeHarness.crawlId)
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 1)
      assert.equal((await storeHarness.lease()).leases.length, 1)
    })
  })
}
