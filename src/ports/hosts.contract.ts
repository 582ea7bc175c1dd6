// What a store keeps of hosts: their pace and their health, whatever becomes of those who asked them.

import assert from 'node:assert/strict'
import { HEALTHY } from './frontier.ts'
import { describeStore, only, type TestStore } from './store.contract.ts'

export function hostsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: hosts`, makeStore, (add) => {
    add('a crash forgets that a host was silent, but not its strikes', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      assert.deepEqual(lease.health, HEALTHY)
      const health = { ...HEALTHY, strikes: 2, failures: 3, failingSince: 5 }
      const hosts = [{ hostId: lease.hostId, nextAt: 0, responseMs: 1, gapMs: 0, concurrencyLimit: null, health }]
      await bench.commit([], { hosts, release: [lease.token] })
      bench.store = await bench.store.reopen()
      bench.store.clock.advance(120_000)
      assert.deepEqual(only((await bench.lease()).leases).health, { ...HEALTHY, strikes: 2 })
    })

    add('a pause that a host asked for outlives a crash', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const nextAt = bench.store.clock.now() + 600_000
      const hosts = [{ hostId: lease.hostId, nextAt, responseMs: 1, gapMs: 0, concurrencyLimit: null, health: HEALTHY }]
      await bench.commit([], { hosts, release: [lease.token] })
      bench.store = await bench.store.reopen()
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(600_001)
      assert.equal((await bench.lease()).leases.length, 1)
    })

    add('a host whose lease lapsed waits a gap, for it may have been asked', async (bench) => {
      await bench.start(['a/1'], { delayMs: 5000 })
      only((await bench.lease()).leases)
      bench.store.clock.advance(bench.store.leaseMs)
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(5000)
      only((await bench.lease()).leases)
    })

    add('a host of which nothing was told before a crash waits a gap', async (bench) => {
      await bench.start(['a/1'], { delayMs: 5000 })
      only((await bench.lease()).leases)
      bench.store = await bench.store.reopen()
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(bench.store.leaseMs + 5000)
      only((await bench.lease()).leases)
    })

    add('a lease tells the gap that was last kept', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      assert.equal(lease.gapMs, 0)
      const hosts = [
        { hostId: lease.hostId, nextAt: 0, responseMs: 1, gapMs: 300, concurrencyLimit: null, health: HEALTHY },
      ]
      await bench.commit([], { hosts, release: [lease.token] })
      assert.equal(only((await bench.lease()).leases).gapMs, 300)
    })

    add('a host that is down is handed out at once, and a crash forgets that it is', async (bench) => {
      await bench.start(['a/1', 'a/2'], { delayMs: 5000 })
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const now = bench.store.clock.now()
      const health = { ...HEALTHY, strikes: 9, failures: 9, failingSince: 5, downUntil: now + 60_000 }
      const hosts = [
        { hostId: lease.hostId, nextAt: now + 25_000, responseMs: 1, gapMs: 5000, concurrencyLimit: null, health },
      ]
      await bench.commit([], { hosts, release: [lease.token] })
      const again = only((await bench.lease()).leases)
      assert.equal(again.health.downUntil, now + 60_000)
      bench.store = await bench.store.reopen()
      bench.store.clock.advance(120_000)
      assert.equal(only((await bench.lease()).leases).health.downUntil, 0)
    })
  })
}
