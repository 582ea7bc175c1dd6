// Crawls that want the same host take turns at it, so that none waits for another to end.

import assert from 'node:assert/strict'
import type { Crawl } from './crawls.ts'
import type { Lease } from './frontier.ts'
import { type Bench, describeStore, only, type TestStore } from './store.contract.ts'

/** As stores have them: how long a turn lasts, and how long a host is kept for the crawl that is next. */
const TURN_MS = 1000
const KEPT_MS = 500

export function turnsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: turns`, makeStore, (add) => {
    add('a crawl that has had a host for a while gives it up to one that waits', async (bench) => {
      const { first, second, lease } = await twoAtOneHost(bench)
      bench.store.clock.advance(TURN_MS)
      bench.crawl = first
      assert.deepEqual((await bench.lease({ topUp: [lease.token] })).leases, [])
      await visitAll(bench, lease)
      assert.deepEqual((await bench.lease()).leases, [])
      bench.crawl = second
      const next = only((await bench.lease()).leases)
      assert.equal(only(next.urls).url, 'http://a.test/second')
      await visitAll(bench, next)
      bench.crawl = first
      assert.equal(only((await bench.lease()).leases).host, 'a.test')
    })

    add('until then it gets more urls for it', async (bench) => {
      const { first, lease } = await twoAtOneHost(bench)
      bench.store.clock.advance(TURN_MS - 1)
      bench.crawl = first
      assert.equal(only((await bench.lease({ topUp: [lease.token] })).leases).token, lease.token)
    })

    add('it keeps a host that no other crawl wants', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const first = bench.crawl
      await bench.start(['b/1'])
      only((await bench.lease()).leases)
      bench.store.clock.advance(TURN_MS)
      bench.crawl = first
      assert.equal(only((await bench.lease({ topUp: [lease.token] })).leases).token, lease.token)
    })

    add('a host is kept for the next crawl only for a moment', async (bench) => {
      const { first, lease } = await twoAtOneHost(bench)
      bench.crawl = first
      await visitAll(bench, lease)
      const { leases, nextDueAt } = await bench.lease()
      assert.deepEqual(leases, [])
      assert.equal(nextDueAt, bench.store.clock.now() + KEPT_MS)
      bench.store.clock.advance(KEPT_MS)
      only((await bench.lease()).leases)
    })

    add('a crawl that is paused waits for no host', async (bench) => {
      const { first, second, lease } = await twoAtOneHost(bench)
      await bench.store.crawls.setPaused(second.id, true)
      bench.store.clock.advance(TURN_MS)
      bench.crawl = first
      assert.equal(only((await bench.lease({ topUp: [lease.token] })).leases).token, lease.token)
      await visitAll(bench, lease)
      only((await bench.lease()).leases)
    })

    add('of several that wait the one comes first that has waited longest', async (bench) => {
      const crawls: Crawl[] = []
      for (const name of ['first', 'second', 'third']) {
        crawls.push(await bench.start([`a/${name}1`, `a/${name}2`], { perHost: 1 }))
      }
      const order: string[] = []
      for (let turn = 0; turn < 6; turn++) {
        // All ask before the host comes back, the first created always foremost.
        let held: { crawl: Crawl; lease: Lease } | null = null
        for (const crawl of crawls) {
          bench.crawl = crawl
          const [lease] = (await bench.lease({ maxUrls: 1 })).leases
          if (lease === undefined) continue
          held = { crawl, lease }
          order.push(new URL(only(lease.urls).url).pathname.slice(1, -1))
        }
        bench.crawl = held?.crawl ?? null
        bench.store.clock.advance(TURN_MS)
        if (held !== null) await visitAll(bench, held.lease)
      }
      assert.deepEqual(order, ['first', 'second', 'third', 'first', 'second', 'third'])
    })

    add('of a host with a gap it takes fewer urls at a time while another crawl waits', async (bench) => {
      const seeds = Array.from({ length: 20 }, (_, i) => `a/${i}`)
      const crawls: Crawl[] = []
      for (let i = 0; i < 3; i++) crawls.push(await bench.start(seeds, { delayMs: 250 }))
      const [first = null, second = null, third = null] = crawls
      bench.crawl = first
      const lease = only((await bench.lease()).leases)
      assert.equal(lease.urls.length, 16)
      for (const waiting of [second, third]) {
        bench.crawl = waiting
        assert.deepEqual((await bench.lease()).leases, [])
      }
      bench.crawl = first
      await visitAll(bench, lease)
      bench.crawl = second
      assert.equal(only((await bench.lease()).leases).urls.length, 4)
    })

    add('crawls that share the slots of a host both get some', async (bench) => {
      const seeds = Array.from({ length: 200 }, (_, i) => `a/${i}`)
      const settings = { perHost: 2 }
      const first = await bench.start(seeds, settings)
      const one = only((await bench.lease({ workerId: 'w1', maxUrls: 2 })).leases)
      only((await bench.lease({ workerId: 'w2', maxUrls: 2 })).leases)
      const second = await bench.start(seeds, settings)
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(TURN_MS)
      bench.crawl = first
      await visitAll(bench, one, 'w1')
      assert.deepEqual((await bench.lease({ workerId: 'w1' })).leases, [])
      bench.crawl = second
      const theirs = only((await bench.lease()).leases)
      assert.equal(theirs.slots, 1)
      bench.store.clock.advance(TURN_MS)
      assert.equal(only((await bench.lease({ topUp: [theirs.token] })).leases).token, theirs.token)
    })
  })
}

/** The first crawl has a host, with urls left; the second waits for it. */
async function twoAtOneHost(bench: Bench) {
  const first = await bench.start(['a/1', 'a/2', 'a/3'])
  const lease = only((await bench.lease({ maxUrls: 1 })).leases)
  const second = await bench.start(['a/second'])
  assert.deepEqual((await bench.lease()).leases, [])
  return { first, second, lease }
}

async function visitAll(bench: Bench, lease: Lease, workerId = 'w'): Promise<void> {
  const visits = lease.urls.map((url) => bench.visited(lease, url))
  await bench.commit(visits, { workerId, release: [lease.token] })
}
