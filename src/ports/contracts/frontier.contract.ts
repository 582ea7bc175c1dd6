// What the frontier guarantees: leases, commits, retries, limits, completion.

import assert from 'node:assert/strict'
import { HEALTHY_HOST } from '../leases.ts'
import { hostTurnsContract } from './host-turns.contract.ts'
import { describeStore, only, type TestStore } from './testing/store-harness.ts'
import { waitForWorkContract } from './wait-for-work.contract.ts'

export function frontierContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: leases`, makeStore, (add) => {
    add('a new crawl grants its seeds', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const { leases, status } = await storeHarness.lease()
      assert.equal(status, 'running')
      assert.deepEqual(leases.flatMap((l) => l.urls.map((u) => u.url)).sort(), ['http://a.test/1', 'http://b.test/1'])
    })

    add('a URL is in flight at most once', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3'], { perHost: 5 })
      const first = await storeHarness.lease({ maxUrls: 2, threadId: 'one' })
      const second = await storeHarness.lease({ threadId: 'two' })
      const third = await storeHarness.lease({ threadId: 'three' })
      const ids = [first, second, third].flatMap((grant) => grant.leases.flatMap((l) => l.urls.map((u) => u.id)))
      assert.equal(new Set(ids).size, ids.length)
      assert.equal(ids.length, 3)
    })

    add('a host is leased to one worker at a time', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      only((await storeHarness.lease({ maxUrls: 1 })).leases)
      assert.deepEqual((await storeHarness.lease()).leases, [])
    })

    add('a released host with a gap is reserved for its last worker for a moment', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3'], { delayMs: 10 })
      const lease = only((await storeHarness.lease({ maxUrls: 1, threadId: 'one' })).leases)
      await storeHarness.commit([], { release: [lease.token], threadId: 'one' })
      const other = await storeHarness.lease({ threadId: 'two' })
      assert.deepEqual(other.leases, [])
      assert.ok((other.nextDueAt ?? 0) > storeHarness.store.clock.now())
      const again = only((await storeHarness.lease({ maxUrls: 1, threadId: 'one' })).leases)
      await storeHarness.commit([], { release: [again.token], threadId: 'one' })
      storeHarness.store.clock.advance((other.nextDueAt ?? 0) - storeHarness.store.clock.now() + 1000)
      assert.equal((await storeHarness.lease({ threadId: 'two' })).leases.length, 1)
    })

    add('a host with unknown robots.txt is leased exclusively, and not topped up', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3', 'a/4'], { perHost: 4, ignoreRobots: false })
      const ask = (threadId: string, topUp: number[] = []) =>
        storeHarness.lease({ threadId, maxUrls: 1, slotsPerHost: 2, topUp })
      const one = only((await ask('one')).leases)
      assert.equal(one.slots, 4)
      assert.deepEqual((await ask('two')).leases, [])
      const hosts = [
        { hostId: one.hostId, nextAt: 0, responseMs: 5, gapMs: 0, concurrencyLimit: null, health: HEALTHY_HOST },
      ]
      await storeHarness.commit([], { hosts })
      assert.deepEqual((await ask('one', [one.token])).leases, [])
      await storeHarness.commit([], { release: [one.token] })
      assert.deepEqual([only((await ask('one')).leases).slots, only((await ask('two')).leases).slots], [2, 2])
    })

    add('workers can share the slots of a host without a gap', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3', 'a/4'], { perHost: 4 })
      const one = only((await storeHarness.lease({ maxUrls: 1, slotsPerHost: 2, threadId: 'one', maxHosts: 1 })).leases)
      const two = only((await storeHarness.lease({ maxUrls: 1, slotsPerHost: 2, threadId: 'two', maxHosts: 1 })).leases)
      assert.deepEqual([one.slots, two.slots], [2, 2])
      assert.deepEqual((await storeHarness.lease({ slotsPerHost: 2 })).leases, [])
    })

    add('a worker gets no more slots of a host than it asked for, however often it asks', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3', 'a/4'], { perHost: 4 })
      only((await storeHarness.lease({ maxUrls: 1, slotsPerHost: 2 })).leases)
      assert.deepEqual((await storeHarness.lease({ maxUrls: 1, slotsPerHost: 2 })).leases, [])
      assert.equal(only((await storeHarness.lease({ slotsPerHost: 2, threadId: 'other' })).leases).slots, 2)
    })

    add('a lease finds every free URL, even after URLs were released', async (storeHarness) => {
      await storeHarness.start(
        Array.from({ length: 40 }, (_, i) => `a/${i}`),
        { perHost: 2 },
      )
      const one = only((await storeHarness.lease({ maxUrls: 8, threadId: 'one' })).leases)
      const two = only((await storeHarness.lease({ maxUrls: 8, threadId: 'two' })).leases)
      await storeHarness.commit([], { release: [one.token] })
      const again = only((await storeHarness.lease({ maxUrls: 4, threadId: 'one' })).leases)
      const counts: number[] = []
      for (let i = 0; i < 4; i++) {
        const grant = await storeHarness.lease({ maxUrls: 7, topUp: [again.token] })
        counts.push(grant.leases.flatMap((lease) => lease.urls).length)
      }
      assert.deepEqual(counts, [7, 7, 7, 7])
      assert.equal(two.urls.length + again.urls.length + 28, 40)
    })

    add('a host with a gap is exclusive', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3'], { perHost: 4, delayMs: 100 })
      const lease = only((await storeHarness.lease({ maxUrls: 1, slotsPerHost: 2 })).leases)
      assert.equal(lease.slots, 4)
      assert.deepEqual((await storeHarness.lease()).leases, [])
    })

    add('a lease that runs low is topped up under its token', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const more = only((await storeHarness.lease({ topUp: [lease.token] })).leases)
      assert.equal(more.token, lease.token)
      assert.equal(more.urls.length, 2)
    })

    add('a host is not leased before it is due', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const nextAt = storeHarness.store.clock.now() + 500
      const [url] = lease.urls
      assert.ok(url)
      const hosts = [
        { hostId: lease.hostId, nextAt, responseMs: 50, gapMs: 500, concurrencyLimit: null, health: HEALTHY_HOST },
      ]
      await storeHarness.commit([storeHarness.visitedReport(lease, url)], { hosts, release: [lease.token] })
      const early = await storeHarness.lease()
      assert.deepEqual(early.leases, [])
      assert.equal(early.nextDueAt, nextAt)
      storeHarness.store.clock.advance(500)
      assert.equal(only((await storeHarness.lease()).leases).responseMs, 50)
    })

    add('of two reports of a host in one commit, the one with the later time is recorded', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lapsed = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 1)
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const now = storeHarness.store.clock.now()
      const report = {
        hostId: lease.hostId,
        nextAt: now + 500,
        responseMs: 50,
        gapMs: 500,
        concurrencyLimit: null,
        health: HEALTHY_HOST,
      }
      const old = { ...report, hostId: lapsed.hostId, nextAt: now - 1, responseMs: 9, gapMs: 0 }
      const visits = lease.urls.map((url) => storeHarness.visitedReport(lease, url))
      await storeHarness.commit(visits, { hosts: [report, old], release: [lease.token] })
      const early = await storeHarness.lease()
      assert.deepEqual([early.leases, early.nextDueAt], [[], now + 500])
      storeHarness.store.clock.advance(500)
      const next = only((await storeHarness.lease()).leases)
      assert.deepEqual([next.gapMs, next.responseMs], [500, 50])
    })

    add('an expired lease returns its URLs', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lost = only((await storeHarness.lease()).leases)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 1)
      const next = only((await storeHarness.lease()).leases)
      assert.deepEqual(next.urls, lost.urls)
      assert.ok(next.token > lost.token)
    })

    add('a renewed lease does not expire', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs - 1)
      assert.deepEqual(await storeHarness.store.frontier.renew([lease.token]), [])
      storeHarness.store.clock.advance(storeHarness.store.leaseMs - 1)
      assert.deepEqual((await storeHarness.lease()).leases, [])
    })

    add('renewing returns the leases that are lost', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 1)
      assert.deepEqual(await storeHarness.store.frontier.renew([lease.token]), [lease.token])
    })

    add('the leases of one worker in one crawl can be requeued at once', async (storeHarness) => {
      const first = await storeHarness.start(['a/1', 'a/2', 'b/1'], { perHost: 2 })
      const { leases } = await storeHarness.lease({ threadId: 'gone', maxHosts: 1 })
      const lost = only(leases)
      const kept = only(
        (await storeHarness.lease({ threadId: 'kept' })).leases.filter(({ host }) => host !== lost.host),
      )
      await storeHarness.start(['c/1'])
      const elsewhere = only((await storeHarness.lease({ threadId: 'gone' })).leases)
      await storeHarness.store.frontier.requeueThread(first.id, 'gone')
      storeHarness.crawl = first
      const again = (await storeHarness.lease({ threadId: 'other' })).leases.flatMap(({ urls }) =>
        urls.map(({ url }) => url),
      )
      assert.deepEqual(again.sort(), lost.urls.map(({ url }) => url).sort())
      assert.deepEqual(await storeHarness.store.frontier.renew([lost.token, kept.token, elsewhere.token]), [lost.token])
      const { ledger, total } = await storeHarness.progress()
      assert.equal(ledger.queued + ledger.in_progress, total)
      // Nothing was visited: a requeued lease costs no attempt.
      for await (const { attempts } of storeHarness.store.urls.rows(first.id)) assert.equal(attempts, 0)
    })

    add('a requeued host waits for its gap', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'], { delayMs: 1_000 })
      only((await storeHarness.lease({ threadId: 'gone' })).leases)
      await storeHarness.store.frontier.requeueThread(storeHarness.crawlId, 'gone')
      const early = await storeHarness.lease({ threadId: 'other' })
      assert.deepEqual([early.leases, early.nextDueAt], [[], storeHarness.store.clock.now() + 1_000])
      storeHarness.store.clock.advance(1_000)
      assert.equal(only((await storeHarness.lease({ threadId: 'other' })).leases).urls.length, 2)
    })

    add('a late report changes nothing and is counted', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const url = only(lease.urls)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs + 1)
      const result = await storeHarness.commit([storeHarness.visitedReport(lease, url, ['a/2'])])
      assert.equal(result.late, 1)
      const { ledger, total, lateReports } = await storeHarness.progress()
      assert.deepEqual([total, ledger.visited, ledger.queued, lateReports], [1, 0, 1, 1])
    })

    add('a report that its sender rejected as late is counted', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([], { lateReports: 1 })
      assert.equal((await storeHarness.progress()).lateReports, 1)
      assert.deepEqual(await storeHarness.store.frontier.renew([lease.token]), [])
    })

    add('URLs in flight are listed with their holder and the time of their lease', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'b/1'])
      const { store, crawlId } = storeHarness
      const leasedAt = store.clock.now()
      const lease = only((await storeHarness.lease({ maxHosts: 1, maxUrls: 1, threadId: 'one' })).leases)
      const { id: urlId } = only(lease.urls)
      const inFlight = { urlId, threadId: 'one', leasedAt, renewedAt: leasedAt }
      assert.deepEqual(await store.crawls.urlsInFlight(crawlId), [inFlight])
      store.clock.advance(10)
      await store.frontier.renew([lease.token])
      assert.deepEqual(await store.crawls.urlsInFlight(crawlId), [{ ...inFlight, renewedAt: leasedAt + 10 }])
      await storeHarness.commit([], { release: [lease.token] })
      assert.deepEqual(await store.crawls.urlsInFlight(crawlId), [])
    })

    add('a late report rejects its whole commit and fences the leases of its worker', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1', 'c/1'])
      const lost = only((await storeHarness.lease({ maxHosts: 1 })).leases)
      storeHarness.store.clock.advance(storeHarness.store.leaseMs - 1)
      const [kept, other] = (await storeHarness.lease()).leases
      assert.ok(kept && other)
      storeHarness.store.clock.advance(2)
      const visits = [lost, kept].map((lease) => storeHarness.visitedReport(lease, only(lease.urls)))
      assert.equal((await storeHarness.commit(visits)).late, 1)
      assert.equal((await storeHarness.progress()).ledger.visited, 0)
      const tokens = [kept.token, other.token]
      assert.deepEqual(await storeHarness.store.frontier.renew(tokens), tokens)
      // The lost thread may have requests in flight, so no other thread gets its hosts before it releases them.
      assert.equal(only((await storeHarness.lease({ threadId: 'other' })).leases).host, lost.host)
      await storeHarness.commit([], { release: tokens })
      assert.equal((await storeHarness.lease()).leases.length, 2)
    })

    add('a report made twice counts once', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const report = storeHarness.visitedReport(lease, only(lease.urls), ['a/2'])
      await storeHarness.commit([report])
      const again = await storeHarness.commit([report])
      assert.equal(again.late, 1)
      assert.equal((await storeHarness.progress()).ledger.visited, 1)
    })

    add('released URLs are free at once', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([], { release: [lease.token] })
      assert.equal(only((await storeHarness.lease()).leases).urls.length, 2)
    })

    add('URLs closer to the seeds go first', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const order = await storeHarness.crawlAll({ 'a/1': ['a/2', 'a/3'], 'a/2': ['a/4'], 'a/3': ['a/5'] })
      assert.deepEqual(order, ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'])
    })
  })

  describeStore(`${name}: retries`, makeStore, (add) => {
    add('a retry is granted when it is due, with its attempts', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const dueAt = storeHarness.store.clock.now() + 1000
      await storeHarness.commit(
        [storeHarness.endedReport(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })],
        {
          release: [lease.token],
        },
      )
      const early = await storeHarness.lease()
      assert.deepEqual(early.leases, [])
      assert.equal(early.nextDueAt, dueAt)
      storeHarness.store.clock.advance(1000)
      assert.equal(only(only((await storeHarness.lease()).leases).urls).attempts, 1)
    })

    add('a leased URL has the time since when it was due', async (storeHarness) => {
      const { clock } = storeHarness.store
      await storeHarness.start(['a/1'])
      const foundAt = clock.now()
      clock.advance(500)
      const lease = only((await storeHarness.lease()).leases)
      assert.equal(only(lease.urls).dueAt, foundAt)
      const dueAt = clock.now() + 1000
      await storeHarness.commit(
        [storeHarness.endedReport(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })],
        {
          release: [lease.token],
        },
      )
      clock.advance(3000)
      assert.equal(only(only((await storeHarness.lease()).leases).urls).dueAt, dueAt)
    })

    add('a waiting retry does not delay other URLs of its host', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      const dueAt = storeHarness.store.clock.now() + 1000
      await storeHarness.commit(
        [storeHarness.endedReport(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt })],
        {
          release: [lease.token],
        },
      )
      assert.equal(only(only((await storeHarness.lease()).leases).urls).url, 'http://a.test/2')
    })

    add('a retry still waits after a restart', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const dueAt = storeHarness.store.clock.now() + 100_000
      await storeHarness.commit([
        storeHarness.endedReport(lease, only(lease.urls), { state: 'retry', reason: 'http_500', dueAt }),
      ])
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual((await storeHarness.lease()).leases, [])
      storeHarness.store.clock.advance(100_000)
      assert.equal(only(only((await storeHarness.lease()).leases).urls).attempts, 1)
    })
  })

  waitForWorkContract(name, makeStore)
  hostTurnsContract(name, makeStore)
}
