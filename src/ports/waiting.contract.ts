// How workers wait for urls, and what crawls on one worker have to do with each other: nothing but the pace of hosts.

import assert from 'node:assert/strict'
import { describeStore, only, type TestStore } from './store.contract.ts'

export function waitingContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: waiting`, makeStore, (add) => {
    add('waiting for work ends when urls are found, and at the time-out', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      const waiting = bench.store.frontier.waitForWork(60_000, (await bench.lease()).heard)
      await bench.commit([bench.visited(lease, only(lease.urls), ['a/2'])])
      await waiting
      const timeout = bench.store.frontier.waitForWork(1000, (await bench.lease()).heard)
      bench.store.clock.advance(1000)
      await timeout
    })

    add('nobody waits for urls that were found after they were told of none', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      const { leases, heard } = await bench.lease()
      assert.deepEqual(leases, [])
      await bench.commit([bench.visited(lease, only(lease.urls), ['a/2'])])
      await bench.store.frontier.waitForWork(60_000, heard)
    })
  })

  describeStore(`${name}: crawls on one worker`, makeStore, (add) => {
    add('a report that comes too late fences the leases of its crawl alone', async (bench) => {
      const first = await bench.start(['a/1', 'b/1'])
      const lost = only((await bench.lease({ maxUrls: 1 })).leases)
      const second = await bench.start(['c/1'])
      bench.store.clock.advance(bench.store.leaseMs - 1)
      const kept = only((await bench.lease()).leases)
      bench.crawl = first
      const other = only((await bench.lease()).leases)
      bench.store.clock.advance(2)
      assert.equal((await bench.commit([bench.visited(lost, only(lost.urls))])).late, 1)
      assert.equal((await bench.commit([bench.visited(other, only(other.urls))])).late, 1)
      bench.crawl = second
      assert.equal((await bench.commit([bench.visited(kept, only(kept.urls))])).late, 0)
    })

    add('crawls share the pace of a host', async (bench) => {
      const first = await bench.start(['a/1'])
      only((await bench.lease()).leases)
      await bench.start(['a/2'])
      assert.notEqual(first.id, bench.crawlId)
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(bench.store.leaseMs + 1)
      assert.equal((await bench.lease()).leases.length, 1)
    })
  })
}
