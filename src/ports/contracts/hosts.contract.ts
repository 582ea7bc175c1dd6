// What a store keeps about hosts: pace and health, no matter what happens to workers.

import assert from 'node:assert/strict'
import { HEALTHY_HOST, type Lease } from '../leases.ts'
import { describeStore, only, type TestStore } from './testing/store-harness.ts'

export function hostsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: hosts`, makeStore, (add) => {
    add('a crash resets the failures of a host, but not its strikes', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      assert.deepEqual(lease.health, HEALTHY_HOST)
      const health = { ...HEALTHY_HOST, strikes: 2, failures: 3, failingSince: 5 }
      const hosts = [{ hostId: lease.hostId, nextAt: 0, responseMs: 1, gapMs: 0, concurrencyLimit: null, health }]
      await storeHarness.commit([], { hosts, release: [lease.token] })
      storeHarness.store = await storeHarness.store.reopen()
      storeHarness.store.clock.advance(120_000)
      assert.deepEqual(only((await storeHarness.lease()).leases).health, { ...HEALTHY_HOST, strikes: 2 })
    })

    add('a pause requested by a host outlives a crash', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const nextAt = storeHarness.store.clock.now() + 600_000
      const hosts = [
        { hostId: lease.hostId, nextAt, responseMs: 1, gapMs: 0, concurrencyLimit: null, health: HEALTHY_HOST },
      ]
      await storeHarness.commit([], { hosts, release: [lease.token] })
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(600_001)
      assert.equal((await storeHarness.lease()).leases.length, 1)
    })

    add('a host whose lease expired waits a gap, since it may have been requested', async (storeHarness) => {
      await storeHarness.start(['a/1'], { delayMs: 5000 })
      only((await storeHarness.lease()).leases)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs)
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(5000)
      only((await storeHarness.lease()).leases)
    })

    add('a host without a report before a crash waits a gap', async (storeHarness) => {
      await storeHarness.start(['a/1'], { delayMs: 5000 })
      only((await storeHarness.lease()).leases)
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 5000)
      only((await storeHarness.lease()).leases)
    })

    add('a lease contains the gap last reported', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      assert.equal(lease.gapMs, 0)
      const hosts = [
        { hostId: lease.hostId, nextAt: 0, responseMs: 1, gapMs: 300, concurrencyLimit: null, health: HEALTHY_HOST },
      ]
      await storeHarness.commit([], { hosts, release: [lease.token] })
      assert.equal(only((await storeHarness.lease()).leases).gapMs, 300)
    })

    add(
      'the concurrency limit of a host is kept, even after a crash, until something else is learned',
      async (storeHarness) => {
        await storeHarness.start(['a/1', 'a/2'], { perHost: 4 })
        const limitAfter = async (concurrencyLimit: number | null) => {
          const { hostId, token } = only((await storeHarness.lease({ maxUrls: 1 })).leases)
          await storeHarness.commit([], {
            hosts: [{ hostId, nextAt: 0, responseMs: 1, gapMs: 0, concurrencyLimit, health: HEALTHY_HOST }],
            release: [token],
          })
          const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
          await storeHarness.commit([], { release: [lease.token] })
          return lease.concurrencyLimit
        }
        assert.deepEqual([await limitAfter(null), await limitAfter(2.5), await limitAfter(null)], [0, 2.5, 2.5])
        assert.equal(
          only(await Array.fromAsync(storeHarness.store.diagnostics.politeness(storeHarness.crawlId))).concurrencyLimit,
          2,
        )
        storeHarness.store = await storeHarness.store.reopen()
        storeHarness.store.clock.advance(120_000)
        assert.deepEqual([await limitAfter(null), await limitAfter(0)], [2.5, 0])
      },
    )

    add('a host that refuses concurrent requests is leased exclusively, and topped up', async (storeHarness) => {
      const urls = Array.from({ length: 6 }, (_, i) => `a/${i}`)
      await storeHarness.start(urls, { perHost: 4 })
      const ask = (threadId: string, topUp: number[] = []) =>
        storeHarness.lease({ threadId, maxUrls: 1, slotsPerHost: 2, topUp })
      const learn = (threadId: string, lease: Lease, concurrencyLimit: number, release: number[]) => {
        const { hostId } = lease
        const hosts = [{ hostId, nextAt: 0, responseMs: 1, gapMs: 0, concurrencyLimit, health: HEALTHY_HOST }]
        return storeHarness.commit([], { threadId, hosts, release })
      }
      const one = only((await ask('one')).leases)
      const two = only((await ask('two')).leases)
      assert.deepEqual([one.slots, two.slots], [2, 2])
      await learn('one', one, 1, [one.token])
      assert.deepEqual((await ask('two', [two.token])).leases, [])
      assert.deepEqual((await ask('one')).leases, [])
      await storeHarness.commit([], { threadId: 'two', release: [two.token] })
      const whole = only((await ask('two')).leases)
      assert.deepEqual([whole.slots, whole.concurrencyLimit], [4, 1])
      assert.deepEqual((await ask('one')).leases, [])
      assert.equal(only((await ask('two', [whole.token])).leases).token, whole.token)
      await learn('two', whole, 0, [])
      assert.deepEqual((await ask('two', [whole.token])).leases, [])
      await storeHarness.commit([], { threadId: 'two', release: [whole.token] })
      assert.deepEqual([only((await ask('one')).leases).slots, only((await ask('two')).leases).slots], [2, 2])
    })

    add('a suspended host is leased at once, and a crash ends the suspension', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'], { delayMs: 5000 })
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const now = storeHarness.store.clock.now()
      const health = { ...HEALTHY_HOST, strikes: 9, failures: 9, failingSince: 5, downUntil: now + 60_000 }
      const hosts = [
        { hostId: lease.hostId, nextAt: now + 25_000, responseMs: 1, gapMs: 5000, concurrencyLimit: null, health },
      ]
      await storeHarness.commit([], { hosts, release: [lease.token] })
      const again = only((await storeHarness.lease()).leases)
      assert.equal(again.health.downUntil, now + 60_000)
      storeHarness.store = await storeHarness.store.reopen()
      storeHarness.store.clock.advance(120_000)
      assert.equal(only((await storeHarness.lease()).leases).health.downUntil, 0)
    })
  })
}
