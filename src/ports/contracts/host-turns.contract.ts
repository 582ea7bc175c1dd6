// Crawls that want the same host take turns, so that none waits for another to end.

import assert from 'node:assert/strict'
import type { Crawl } from '../crawls.ts'
import type { Lease } from '../leases.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

/** Lengths of a turn and of a reservation, as in the stores. */
const TURN_MS = 1000
const KEPT_MS = 500

export function hostTurnsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: turns`, makeStore, (add) => {
    add('after its turn a crawl leaves a host to one that waits', async (storeHarness) => {
      const { first, second, lease } = await twoAtOneHost(storeHarness)
      storeHarness.store.clock.advance(TURN_MS)
      storeHarness.crawl = first
      assert.deepEqual((await storeHarness.lease({ topUp: [lease.token] })).leases, [])
      await visitAll(storeHarness, lease)
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.crawl = second
      const next = only((await storeHarness.lease()).leases)
      assert.equal(only(next.urls).url, 'http://a.test/second')
      await visitAll(storeHarness, next)
      storeHarness.crawl = first
      assert.equal(only((await storeHarness.lease()).leases).host, 'a.test')
    })

    add('until then its lease is topped up', async (storeHarness) => {
      const { first, lease } = await twoAtOneHost(storeHarness)
      storeHarness.store.clock.advance(TURN_MS - 1)
      storeHarness.crawl = first
      assert.equal(only((await storeHarness.lease({ topUp: [lease.token] })).leases).token, lease.token)
    })

    add('a crawl keeps a host that no other crawl wants', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const first = storeHarness.crawl
      await storeHarness.start(['b/1'])
      only((await storeHarness.lease()).leases)
      storeHarness.store.clock.advance(TURN_MS)
      storeHarness.crawl = first
      assert.equal(only((await storeHarness.lease({ topUp: [lease.token] })).leases).token, lease.token)
    })

    add('a host is reserved for the next crawl only for a moment', async (storeHarness) => {
      const { first, lease } = await twoAtOneHost(storeHarness)
      storeHarness.crawl = first
      await visitAll(storeHarness, lease)
      const { leases, nextDueAt } = await storeHarness.lease()
      assert.deepEqual(leases, [])
      assert.equal(nextDueAt, storeHarness.store.clock.now() + KEPT_MS)
      storeHarness.store.clock.advance(KEPT_MS)
      only((await storeHarness.lease()).leases)
    })

    add('a paused crawl does not wait for a host', async (storeHarness) => {
      const { first, second, lease } = await twoAtOneHost(storeHarness)
      await storeHarness.store.crawls.setPaused(second.id, true)
      storeHarness.store.clock.advance(TURN_MS)
      storeHarness.crawl = first
      assert.equal(only((await storeHarness.lease({ topUp: [lease.token] })).leases).token, lease.token)
      await visitAll(storeHarness, lease)
      only((await storeHarness.lease()).leases)
    })

    add('of several waiting crawls the one that has waited longest is next', async (storeHarness) => {
      const crawls: Crawl[] = []
      for (const name of ['first', 'second', 'third']) {
        crawls.push(await storeHarness.start([`a/${name}1`, `a/${name}2`], { perHost: 1 }))
      }
      const order: string[] = []
      for (let turn = 0; turn < 6; turn++) {
        // All crawls ask before the host is released, the first crawl always first.
        let held: { crawl: Crawl; lease: Lease } | null = null
        for (const crawl of crawls) {
          storeHarness.crawl = crawl
          const [lease] = (await storeHarness.lease({ maxUrls: 1 })).leases
          if (lease === undefined) continue
          held = { crawl, lease }
          order.push(new URL(only(lease.urls).url).pathname.slice(1, -1))
        }
        storeHarness.crawl = held?.crawl ?? null
        storeHarness.store.clock.advance(TURN_MS)
        if (held !== null) await visitAll(storeHarness, held.lease)
      }
      assert.deepEqual(order, ['first', 'second', 'third', 'first', 'second', 'third'])
    })

    add('a crawl claims fewer URLs of a host with a gap while another crawl waits', async (storeHarness) => {
      const seeds = Array.from({ length: 20 }, (_, i) => `a/${i}`)
      const crawls: Crawl[] = []
      for (let i = 0; i < 3; i++) crawls.push(await storeHarness.start(seeds, { delayMs: 250 }))
      const [first = null, second = null, third = null] = crawls
      storeHarness.crawl = first
      const lease = only((await storeHarness.lease()).leases)
      assert.equal(lease.urls.length, 16)
      for (const waiting of [second, third]) {
        storeHarness.crawl = waiting
        assert.deepEqual((await storeHarness.lease()).leases, [])
      }
      storeHarness.crawl = first
      await visitAll(storeHarness, lease)
      storeHarness.crawl = second
      assert.equal(only((await storeHarness.lease()).leases).urls.length, 4)
    })

    add('crawls that share the slots of a host both get some', async (storeHarness) => {
      const seeds = Array.from({ length: 200 }, (_, i) => `a/${i}`)
      const settings = { perHost: 2 }
      const first = await storeHarness.start(seeds, settings)
      const one = only((await storeHarness.lease({ threadId: 'w1', maxUrls: 2 })).leases)
      only((await storeHarness.lease({ threadId: 'w2', maxUrls: 2 })).leases)
      const second = await storeHarness.start(seeds, settings)
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(TURN_MS)
      storeHarness.crawl = first
      await visitAll(storeHarness, one, 'w1')
      assert.deepEqual((await storeHarness.lease({ threadId: 'w1' })).leases, [])
      storeHarness.crawl = second
      const theirs = only((await storeHarness.lease()).leases)
      assert.equal(theirs.slots, 1)
      storeHarness.store.clock.advance(TURN_MS)
      assert.equal(only((await storeHarness.lease({ topUp: [theirs.token] })).leases).token, theirs.token)
    })
  })
}

/** The first crawl has a host with URLs left; the second waits for it. */
async function twoAtOneHost(storeHarness: StoreHarness) {
  const first = await storeHarness.start(['a/1', 'a/2', 'a/3'])
  const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
  const second = await storeHarness.start(['a/second'])
  assert.deepEqual((await storeHarness.lease()).leases, [])
  return { first, second, lease }
}

async function visitAll(storeHarness: StoreHarness, lease: Lease, threadId = 'w'): Promise<void> {
  const visits = lease.urls.map((url) => storeHarness.visitedReport(lease, url))
  await storeHarness.commit(visits, { threadId, release: [lease.token] })
}
