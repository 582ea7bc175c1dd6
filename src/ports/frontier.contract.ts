// The frontier's promises: leases, commits, retries, limits, completion.

import assert from 'node:assert/strict'
import { HEALTHY } from './frontier.ts'
import { describeStore, only, type TestStore } from './store.contract.ts'
import { turnsContract } from './turns.contract.ts'
import { waitingContract } from './waiting.contract.ts'

export function frontierContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: leases`, makeStore, (add) => {
    add('a new crawl hands out its seeds', async (bench) => {
      await bench.start(['a/1', 'b/1'])
      const { leases, status } = await bench.lease()
      assert.equal(status, 'running')
      assert.deepEqual(leases.flatMap((l) => l.urls.map((u) => u.url)).sort(), ['http://a.test/1', 'http://b.test/1'])
    })

    add('a url is in flight at most once', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3'], { perHost: 5 })
      const first = await bench.lease({ maxUrls: 2, workerId: 'one' })
      const second = await bench.lease({ workerId: 'two' })
      const third = await bench.lease({ workerId: 'three' })
      const ids = [first, second, third].flatMap((grant) => grant.leases.flatMap((l) => l.urls.map((u) => u.id)))
      assert.equal(new Set(ids).size, ids.length)
      assert.equal(ids.length, 3)
    })

    add('a host is leased to one worker at a time', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      only((await bench.lease({ maxUrls: 1 })).leases)
      assert.deepEqual((await bench.lease()).leases, [])
    })

    add('a host with a gap goes back to the worker that had it, for a moment', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3'], { delayMs: 10 })
      const lease = only((await bench.lease({ maxUrls: 1, workerId: 'one' })).leases)
      await bench.commit([], { release: [lease.token], workerId: 'one' })
      const other = await bench.lease({ workerId: 'two' })
      assert.deepEqual(other.leases, [])
      assert.ok((other.nextDueAt ?? 0) > bench.store.clock.now())
      const again = only((await bench.lease({ maxUrls: 1, workerId: 'one' })).leases)
      await bench.commit([], { release: [again.token], workerId: 'one' })
      bench.store.clock.advance((other.nextDueAt ?? 0) - bench.store.clock.now() + 1000)
      assert.equal((await bench.lease({ workerId: 'two' })).leases.length, 1)
    })

    add('a host that may have rules is leased whole until it is known, and not topped up', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3', 'a/4'], { perHost: 4, ignoreRobots: false })
      const ask = (workerId: string, topUp: number[] = []) =>
        bench.lease({ workerId, maxUrls: 1, slotsPerHost: 2, topUp })
      const one = only((await ask('one')).leases)
      assert.equal(one.slots, 4)
      assert.deepEqual((await ask('two')).leases, [])
      const hosts = [
        { hostId: one.hostId, nextAt: 0, responseMs: 5, gapMs: 0, concurrencyLimit: null, health: HEALTHY },
      ]
      await bench.commit([], { hosts })
      assert.deepEqual((await ask('one', [one.token])).leases, [])
      await bench.commit([], { release: [one.token] })
      assert.deepEqual([only((await ask('one')).leases).slots, only((await ask('two')).leases).slots], [2, 2])
    })

    add('slots of a host without a gap can be shared by workers', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3', 'a/4'], { perHost: 4 })
      const one = only((await bench.lease({ maxUrls: 1, slotsPerHost: 2, workerId: 'one', maxHosts: 1 })).leases)
      const two = only((await bench.lease({ maxUrls: 1, slotsPerHost: 2, workerId: 'two', maxHosts: 1 })).leases)
      assert.deepEqual([one.slots, two.slots], [2, 2])
      assert.deepEqual((await bench.lease({ slotsPerHost: 2 })).leases, [])
    })

    add('a worker gets no more slots of a host than it asked for, however often it asks', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3', 'a/4'], { perHost: 4 })
      only((await bench.lease({ maxUrls: 1, slotsPerHost: 2 })).leases)
      assert.deepEqual((await bench.lease({ maxUrls: 1, slotsPerHost: 2 })).leases, [])
      assert.equal(only((await bench.lease({ slotsPerHost: 2, workerId: 'other' })).leases).slots, 2)
    })

    add('a lease finds every free url, also after urls were handed back', async (bench) => {
      await bench.start(
        Array.from({ length: 40 }, (_, i) => `a/${i}`),
        { perHost: 2 },
      )
      const one = only((await bench.lease({ maxUrls: 8, workerId: 'one' })).leases)
      const two = only((await bench.lease({ maxUrls: 8, workerId: 'two' })).leases)
      await bench.commit([], { release: [one.token] })
      const again = only((await bench.lease({ maxUrls: 4, workerId: 'one' })).leases)
      const counts: number[] = []
      for (let i = 0; i < 4; i++) {
        const grant = await bench.lease({ maxUrls: 7, topUp: [again.token] })
        counts.push(grant.leases.flatMap((lease) => lease.urls).length)
      }
      assert.deepEqual(counts, [7, 7, 7, 7])
      assert.equal(two.urls.length + again.urls.length + 28, 40)
    })

    add('a host with a gap goes whole to one worker', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3'], { perHost: 4, delayMs: 100 })
      const lease = only((await bench.lease({ maxUrls: 1, slotsPerHost: 2 })).leases)
      assert.equal(lease.slots, 4)
      assert.deepEqual((await bench.lease()).leases, [])
    })

    add('a lease that runs short is topped up under its token', async (bench) => {
      await bench.start(['a/1', 'a/2', 'a/3'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const more = only((await bench.lease({ topUp: [lease.token] })).leases)
      assert.equal(more.token, lease.token)
      assert.equal(more.urls.length, 2)
    })

    add('a host is not handed out before its next time', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const nextAt = bench.store.clock.now() + 500
      const [url] = lease.urls
      assert.ok(url)
      const hosts = [
        { hostId: lease.hostId, nextAt, responseMs: 50, gapMs: 500, concurrencyLimit: null, health: HEALTHY },
      ]
      await bench.commit([bench.visited(lease, url)], { hosts, release: [lease.token] })
      const early = await bench.lease()
      assert.deepEqual(early.leases, [])
      assert.equal(early.nextDueAt, nextAt)
      bench.store.clock.advance(500)
      assert.equal(only((await bench.lease()).leases).responseMs, 50)
    })

    add('of two reports of a host in one commit the one with the later time counts', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lapsed = only((await bench.lease({ maxUrls: 1 })).leases)
      bench.store.clock.advance(bench.store.leaseMs + 1)
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const now = bench.store.clock.now()
      const report = {
        hostId: lease.hostId,
        nextAt: now + 500,
        responseMs: 50,
        gapMs: 500,
        concurrencyLimit: null,
        health: HEALTHY,
      }
      const old = { ...report, hostId: lapsed.hostId, nextAt: now - 1, responseMs: 9, gapMs: 0 }
      const visits = lease.urls.map((url) => bench.visited(lease, url))
      await bench.commit(visits, { hosts: [report, old], release: [lease.token] })
      const early = await bench.lease()
      assert.deepEqual([early.leases, early.nextDueAt], [[], now + 500])
      bench.store.clock.advance(500)
      const next = only((await bench.lease()).leases)
      assert.deepEqual([next.gapMs, next.responseMs], [500, 50])
    })

    add('an expired lease returns its urls', async (bench) => {
      await bench.start(['a/1'])
      const lost = only((await bench.lease()).leases)
      bench.store.clock.advance(bench.store.leaseMs + 1)
      const next = only((await bench.lease()).leases)
      assert.deepEqual(next.urls, lost.urls)
      assert.ok(next.token > lost.token)
    })

    add('a renewed lease does not expire', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      bench.store.clock.advance(bench.store.leaseMs - 1)
      assert.deepEqual(await bench.store.frontier.renew([lease.token]), [])
      bench.store.clock.advance(bench.store.leaseMs - 1)
      assert.deepEqual((await bench.lease()).leases, [])
    })

    add('renewing tells which leases are lost', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      bench.store.clock.advance(bench.store.leaseMs + 1)
      assert.deepEqual(await bench.store.frontier.renew([lease.token]), [lease.token])
    })

    add('what a worker holds can be taken back at once, in one crawl and from no other worker', async (bench) => {
      const first = await bench.start(['a/1', 'a/2', 'b/1'], { perHost: 2 })
      const { leases } = await bench.lease({ workerId: 'gone', maxHosts: 1 })
      const lost = only(leases)
      const kept = only((await bench.lease({ workerId: 'kept' })).leases.filter(({ host }) => host !== lost.host))
      await bench.start(['c/1'])
      const elsewhere = only((await bench.lease({ workerId: 'gone' })).leases)
      await bench.store.frontier.takeBack(first.id, 'gone')
      bench.crawl = first
      const again = (await bench.lease({ workerId: 'other' })).leases.flatMap(({ urls }) => urls.map(({ url }) => url))
      assert.deepEqual(again.sort(), lost.urls.map(({ url }) => url).sort())
      assert.deepEqual(await bench.store.frontier.renew([lost.token, kept.token, elsewhere.token]), [lost.token])
      const { ledger, total } = await bench.progress()
      assert.equal(ledger.queued + ledger.in_progress, total)
      // Nothing was visited: a lease that is taken back costs no attempt.
      for await (const { attempts } of bench.store.urls.rows(first.id)) assert.equal(attempts, 0)
    })

    add('a host that is taken back waits for its gap', async (bench) => {
      await bench.start(['a/1', 'a/2'], { delayMs: 1_000 })
      only((await bench.lease({ workerId: 'gone' })).leases)
      await bench.store.frontier.takeBack(bench.crawlId, 'gone')
      const early = await bench.lease({ workerId: 'other' })
      assert.deepEqual([early.leases, early.nextDueAt], [[], bench.store.clock.now() + 1_000])
      bench.store.clock.advance(1_000)
      assert.equal(only((await bench.lease({ workerId: 'other' })).leases).urls.length, 2)
    })

    add('a late report changes nothing and is counted', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      const url = only(lease.urls)
      bench.store.clock.advance(bench.store.leaseMs + 1)
      const result = await bench.commit([bench.visited(lease, url, ['a/2'])])
      assert.equal(result.late, 1)
      const { ledger, total, lateReports } = await bench.progress()
      assert.deepEqual([total, ledger.visited, ledger.queued, lateReports], [1, 0, 1, 1])
    })

    add('a late report takes its whole commit with it, and the leases of its worker', async (bench) => {
      await bench.start(['a/1', 'b/1', 'c/1'])
      const lost = only((await bench.lease({ maxHosts: 1 })).leases)
      bench.store.clock.advance(bench.store.leaseMs - 1)
      const [kept, other] = (await bench.lease()).leases
      assert.ok(kept && other)
      bench.store.clock.advance(2)
      const visits = [lost, kept].map((lease) => bench.visited(lease, only(lease.urls)))
      assert.equal((await bench.commit(visits)).late, 1)
      assert.equal((await bench.progress()).ledger.visited, 0)
      const tokens = [kept.token, other.token]
      assert.deepEqual(await bench.store.frontier.renew(tokens), tokens)
      // It may have requests under way, so nobody gets its hosts before it says that they are over.
      assert.equal(only((await bench.lease({ workerId: 'other' })).leases).host, lost.host)
      await bench.commit([], { release: tokens })
      assert.equal((await bench.lease()).leases.length, 2)
    })

    add('a report made twice counts once', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      const report = bench.visited(lease, only(lease.urls), ['a/2'])
      await bench.commit([report])
      const again = await bench.commit([report])
      assert.equal(again.late, 1)
      assert.equal((await bench.progress()).ledger.visited, 1)
    })

    add('released urls are free at once', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease()).leases)
      await bench.commit([], { release: [lease.token] })
      assert.equal(only((await bench.lease()).leases).urls.length, 2)
    })

    add('urls nearer to the seeds go first', async (bench) => {
      await bench.start(['a/1'])
      const order = await bench.crawlAll({ 'a/1': ['a/2', 'a/3'], 'a/2': ['a/4'], 'a/3': ['a/5'] })
      assert.deepEqual(order, ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'])
    })
  })

  describeStore(`${name}: retries`, makeStore, (add) => {
    add('a retried url comes back when it is due, with its attempts', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      const dueAt = bench.store.clock.now() + 1000
      await bench.commit([bench.ended(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })], {
        release: [lease.token],
      })
      const early = await bench.lease()
      assert.deepEqual(early.leases, [])
      assert.equal(early.nextDueAt, dueAt)
      bench.store.clock.advance(1000)
      assert.equal(only(only((await bench.lease()).leases).urls).attempts, 1)
    })

    add('a leased url tells since when it could be asked for', async (bench) => {
      const { clock } = bench.store
      await bench.start(['a/1'])
      const foundAt = clock.now()
      clock.advance(500)
      const lease = only((await bench.lease()).leases)
      assert.equal(only(lease.urls).dueAt, foundAt)
      const dueAt = clock.now() + 1000
      await bench.commit([bench.ended(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })], {
        release: [lease.token],
      })
      clock.advance(3000)
      assert.equal(only(only((await bench.lease()).leases).urls).dueAt, dueAt)
    })

    add('a waiting retry does not hold up other urls of its host', async (bench) => {
      await bench.start(['a/1', 'a/2'])
      const lease = only((await bench.lease({ maxUrls: 1 })).leases)
      const dueAt = bench.store.clock.now() + 1000
      await bench.commit([bench.ended(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })], {
        release: [lease.token],
      })
      assert.equal(only(only((await bench.lease()).leases).urls).url, 'http://a.test/2')
    })

    add('a retry waits across a restart', async (bench) => {
      await bench.start(['a/1'])
      const lease = only((await bench.lease()).leases)
      const dueAt = bench.store.clock.now() + 100_000
      await bench.commit([bench.ended(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })])
      bench.store = await bench.store.reopen()
      assert.deepEqual((await bench.lease()).leases, [])
      bench.store.clock.advance(100_000)
      assert.equal(only(only((await bench.lease()).leases).urls).attempts, 1)
    })
  })

  waitingContract(name, makeStore)
  turnsContract(name, makeStore)
}
