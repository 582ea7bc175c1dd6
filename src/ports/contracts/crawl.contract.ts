// What a crawl guarantees: one row per URL, shortest depths, exact limits, an exact end.

import assert from 'node:assert/strict'
import type { CrawlListQuery } from '../crawls.ts'
import { resumeContract } from './resume.contract.ts'
import { describeStore, foundUrl, leaseOn, only, TEST_SETTINGS, type TestStore } from './testing/store-harness.ts'

export function crawlContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: ledger`, makeStore, (add) => {
    add('a URL found twice has one row', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({ 'a/1': ['a/2', 'a/3'], 'a/2': ['a/3', 'a/1'], 'a/3': ['a/3'] })
      assert.equal((await storeHarness.rows()).length, 3)
    })

    add('the ledger balances after every commit', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const { leases } = await storeHarness.lease()
      const { ledger, total } = await storeHarness.progress()
      assert.deepEqual([total, ledger.in_progress, ledger.queued], [2, 2, 0])
      for (const lease of leases) {
        await storeHarness.commit(
          lease.urls.map((url) => storeHarness.visitedReport(lease, url, ['a/2', 'b/2', 'c/1'])),
        )
        await storeHarness.assertSound()
      }
      assert.equal((await storeHarness.progress()).total, 5)
    })

    add('the first seed is kept as it was given', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { rootUrl, requestedUrl, settings, keySeed } = await storeHarness.store.crawls.find(storeHarness.crawlId)
      assert.equal(requestedUrl, rootUrl)
      const asGiven = { seeds: [foundUrl('a/1')], settings, keySeed, requestedUrl: 'HTTP://a.test:80/1#top' }
      assert.equal((await storeHarness.store.crawls.create(asGiven)).requestedUrl, 'HTTP://a.test:80/1#top')
    })

    add('rejected links and bytes are counted', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.commit([], { rejected: { scope: 2 }, bytes: 10 })
      await storeHarness.commit([], { rejected: { scope: 1, depth: 5 }, bytes: 5 })
      const { rejected, bytes } = await storeHarness.progress()
      assert.deepEqual([rejected, bytes], [{ scope: 3, depth: 5 }, 15])
    })

    add('a row contains the facts of the visit', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({})
      const row = only(await storeHarness.rows())
      assert.deepEqual(
        [
          row.state,
          row.httpStatus,
          row.contentType,
          row.contentLength,
          row.contentHash,
          row.title,
          row.ip,
          row.attempts,
        ],
        ['visited', 200, 'text/html', 10, '010203', 'A title', '192.0.2.1', 1],
      )
      assert.deepEqual([row.depth, row.priority, row.discoveredFrom, row.fetchMs], [0, 10, null, 5])
    })

    add('URLs are found by their ids', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({ 'a/1': ['a/2', 'b/3'] })
      const rows = await storeHarness.rows()
      const ids = rows.map(({ id }) => id)
      const found = await storeHarness.store.urls.urlsOf(storeHarness.crawlId, [...ids, Math.max(...ids) + 1])
      assert.deepEqual([...found].toSorted(), rows.map(({ id, url }) => [id, url]).toSorted())
      assert.equal((await storeHarness.store.urls.urlsOf(storeHarness.crawlId, [])).size, 0)
    })

    add('the link graph is stored', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({ 'a/1': ['a/2', 'a/3'], 'a/2': ['a/1'] })
      const ids = new Map((await storeHarness.rows()).map((row) => [row.id, row.url.at(-1)]))
      const edges = await Array.fromAsync(storeHarness.store.urls.edges(storeHarness.crawlId))
      assert.deepEqual(edges.map(({ from, to }) => `${ids.get(from)}${ids.get(to)}`).sort(), ['12', '13', '21'])
    })
  })

  describeStore(`${name}: depth`, makeStore, (add) => {
    add('depth is the length of the shortest path, no matter who came first', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const { leases } = await storeHarness.lease()
      const a = leaseOn(leases, 'a.test')
      const b = leaseOn(leases, 'b.test')
      // a/1 -> a/2 -> a/3 -> a/4 is crawled to its end before b/1 turns out to link to a/3.
      await storeHarness.commit([storeHarness.visitedReport(a, only(a.urls), ['a/2'])], { release: [a.token] })
      await storeHarness.crawlAll({ 'a/2': ['a/3'], 'a/3': ['a/4'], 'a/4': ['a/5'] })
      assert.equal((await storeHarness.depths())['a/5'], 4)
      await storeHarness.commit([storeHarness.visitedReport(b, only(b.urls), ['a/3'])])
      const depths = await storeHarness.depths()
      assert.deepEqual([depths['a/2'], depths['a/3'], depths['a/4'], depths['a/5']], [1, 1, 2, 3])
    })

    add('a redirect target is as deep as its source', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([
        storeHarness.endedReport(lease, only(lease.urls), { state: 'redirected', reason: null }, ['a/2']),
      ])
      assert.equal((await storeHarness.depths())['a/2'], 0)
    })

    add(
      'a redirect chain ends after ten hops, and continues when a shorter path into it is found',
      async (storeHarness) => {
        await storeHarness.start(['a/0', 'b/1'])
        const { leases } = await storeHarness.lease()
        const b = leaseOn(leases, 'b.test')
        const a = leaseOn(leases, 'a.test')
        let lease = a
        for (let i = 0; i <= 10; i++) {
          const moved = storeHarness.endedReport(lease, only(lease.urls), { state: 'redirected', reason: null }, [
            `a/${i + 1}`,
          ])
          await storeHarness.commit([moved], { release: [lease.token] })
          if (i < 10) lease = only((await storeHarness.lease()).leases)
        }
        assert.deepEqual((await storeHarness.lease()).leases, [])
        assert.equal(
          (await storeHarness.rows()).find((row) => row.reason === 'too_many_redirects')?.url,
          'http://a.test/10',
        )
        await storeHarness.commit([
          storeHarness.endedReport(b, only(b.urls), { state: 'redirected', reason: null }, ['a/5']),
        ])
        assert.equal(only(only((await storeHarness.lease()).leases).urls).url, 'http://a.test/11')
        assert.equal(
          (await storeHarness.rows()).find((row) => row.reason !== null),
          undefined,
        )
      },
    )

    add('all URLs of a redirect loop have the reason, no matter which comes last', async (storeHarness) => {
      const moved = { state: 'redirected', reason: null } as const
      await storeHarness.start(['a/1', 'b/1', 'c/1', 'd/1'])
      const { leases } = await storeHarness.lease()
      const [a, b, c, d] = ['a.test', 'b.test', 'c.test', 'd.test'].map((host) => leaseOn(leases, host))
      assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined)
      // d/1 -> a/1 -> b/1 -> c/1 -> a/1, two of them in one commit.
      await storeHarness.commit([
        storeHarness.endedReport(d, only(d.urls), moved, ['a/1']),
        storeHarness.endedReport(b, only(b.urls), moved, ['c/1']),
      ])
      assert.deepEqual(
        (await storeHarness.rows()).filter(({ reason }) => reason !== null),
        [],
      )
      await storeHarness.commit([
        storeHarness.endedReport(c, only(c.urls), moved, ['a/1']),
        storeHarness.endedReport(a, only(a.urls), moved, ['b/1']),
      ])
      const reasons = (await storeHarness.rows()).map(({ url, reason }) => `${url.slice(7, 8)} ${reason}`).sort()
      assert.deepEqual(reasons, ['a redirect_loop', 'b redirect_loop', 'c redirect_loop', 'd null'])
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
    })

    add('links beyond the depth limit are not in the ledger', async (storeHarness) => {
      await storeHarness.start(['a/1'], { maxDepth: 1 })
      await storeHarness.crawlAll({ 'a/1': ['a/2'], 'a/2': ['a/3'] })
      assert.deepEqual(await storeHarness.depths(), { 'a/1': 0, 'a/2': 1 })
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
    })

    add('a shorter path to a page admits the links that were beyond the limit', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'], { maxDepth: 2 })
      const { leases } = await storeHarness.lease()
      const a = leaseOn(leases, 'a.test')
      const b = leaseOn(leases, 'b.test')
      await storeHarness.commit([storeHarness.visitedReport(a, only(a.urls), ['a/2'])], { release: [a.token] })
      await storeHarness.crawlAll({ 'a/2': ['a/3'], 'a/3': ['a/4'] })
      assert.equal((await storeHarness.depths())['a/4'], undefined)
      await storeHarness.commit([storeHarness.visitedReport(b, only(b.urls), ['a/3'])])
      assert.equal((await storeHarness.depths())['a/4'], 2)
      assert.deepEqual(await storeHarness.crawlAll({}), ['a/4'])
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
    })

    add('a shorter path to a URL in flight applies to its links', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const { leases } = await storeHarness.lease()
      const a = leaseOn(leases, 'a.test')
      const b = leaseOn(leases, 'b.test')
      await storeHarness.commit([storeHarness.visitedReport(a, only(a.urls), ['a/2'])], { release: [a.token] })
      const second = only((await storeHarness.lease()).leases)
      await storeHarness.commit([storeHarness.visitedReport(second, only(second.urls), ['a/3', 'e/1'])], {
        release: [second.token],
      })
      const two = (await storeHarness.lease()).leases
      const third = leaseOn(two, 'a.test')
      const flight = leaseOn(two, 'e.test')
      await storeHarness.commit([storeHarness.visitedReport(third, only(third.urls), ['d/1'])])
      assert.equal((await storeHarness.depths())['d/1'], 3)
      // e/1 was leased at depth 2 and turns out to be at depth 1. Its worker reported d/1 before and leaves it out.
      await storeHarness.commit([storeHarness.visitedReport(b, only(b.urls), ['e/1'])])
      await storeHarness.commit([
        storeHarness.withoutKnownLinks(storeHarness.visitedReport(flight, only(flight.urls), ['d/1']), () => true),
      ])
      const depths = await storeHarness.depths()
      assert.deepEqual([depths['e/1'], depths['d/1']], [1, 2])
    })
  })

  describeStore(`${name}: limits and end`, makeStore, (add) => {
    add('a crawl completes with its last URL, and not before', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const first = await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), ['a/2'])], {
        release: [lease.token],
      })
      assert.equal(first.status, 'running')
      const last = only((await storeHarness.lease()).leases)
      assert.equal((await storeHarness.commit([storeHarness.visitedReport(last, only(last.urls))])).status, 'completed')
      assert.equal((await storeHarness.lease()).status, 'completed')
      assert.notEqual((await storeHarness.progress()).crawl.finishedAt, null)
    })

    add('no more URLs are in flight than pages are missing', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1', 'c/1', 'd/1', 'e/1'], { maxPages: 3 })
      const { leases } = await storeHarness.lease()
      assert.equal(leases.flatMap((lease) => lease.urls).length, 3)
      assert.deepEqual((await storeHarness.lease()).leases, [])
    })

    add('a failed page makes room for another, so the limit is met exactly', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1', 'c/1', 'd/1', 'e/1'], { maxPages: 3 })
      const { leases } = await storeHarness.lease()
      const [first, ...others] = leases
      assert.ok(first)
      await storeHarness.commit([
        storeHarness.endedReport(first, only(first.urls), { state: 'failed', reason: 'timeout' }),
      ])
      for (const lease of others) await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls))])
      await storeHarness.crawlAll({})
      const { ledger, crawl } = await storeHarness.progress()
      assert.deepEqual([ledger.visited, ledger.failed, ledger.excluded], [3, 1, 1])
      assert.deepEqual([crawl.status, crawl.reason], ['completed', 'max_pages'])
      assert.equal((await storeHarness.rows()).filter((row) => row.reason === 'max_pages').length, 1)
    })

    add('closing a crawl excludes its queued URLs once nothing is in flight', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const { leases } = await storeHarness.lease({ maxUrls: 1 })
      const lease = only(leases)
      await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
      assert.equal((await storeHarness.lease()).closing, true)
      assert.equal((await storeHarness.progress()).ledger.excluded, 0)
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), ['a/2'])])
      assert.equal((await storeHarness.lease()).status, 'cancelled')
      const { ledger } = await storeHarness.progress()
      assert.deepEqual([ledger.visited, ledger.excluded, ledger.queued], [1, 2, 0])
    })

    add('a crawl with nothing in flight ends as soon as it is closed', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), ['a/2'])], {
        release: [lease.token],
      })
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, true)
      await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
      const { ledger, crawl } = await storeHarness.progress()
      assert.deepEqual([crawl.status, crawl.reason, crawl.finishedAt !== null], ['cancelled', 'cancelled', true])
      assert.deepEqual([ledger.visited, ledger.excluded, ledger.queued], [1, 2, 0])
    })

    add('a closing crawl cannot be paused', async (storeHarness) => {
      await storeHarness.start(['a/1', 'b/1'])
      const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
      await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, true)
      assert.equal((await storeHarness.progress()).crawl.status, 'running')
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), [])], { release: [lease.token] })
      await storeHarness.lease()
      assert.equal((await storeHarness.progress()).crawl.status, 'cancelled')
    })

    add('a paused crawl grants no leases until it is resumed', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, true)
      const { leases, status, nextDueAt } = await storeHarness.lease()
      assert.deepEqual([leases, status, nextDueAt], [[], 'paused', null])
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
      assert.equal((await storeHarness.lease()).leases.length, 1)
    })
  })

  describeStore(`${name}: crawls`, makeStore, (add) => {
    add('a crawl is found by id and by a prefix of it', async (storeHarness) => {
      const crawl = await storeHarness.start(['a/1'])
      assert.equal((await storeHarness.store.crawls.find(crawl.id)).id, crawl.id)
      assert.equal((await storeHarness.store.crawls.find(crawl.id.slice(0, 8))).id, crawl.id)
      assert.deepEqual(crawl.settings, TEST_SETTINGS)
    })

    add('everyone sees the same time of the last status change', async (storeHarness) => {
      const { crawls } = storeHarness.store
      const made = await storeHarness.start(['a/1'])
      assert.equal(made.statusAt, made.createdAt)
      await crawls.setPaused(made.id, true)
      const { statusAt } = await crawls.find(made.id)
      assert.notEqual(statusAt, made.createdAt)
      await crawls.setPaused(made.id, true)
      await crawls.addActiveTime(made.id, 100)
      assert.equal((await storeHarness.progress()).crawl.statusAt, statusAt)
    })

    add('a list of crawls matches its query, newest first, up to its limit', async (storeHarness) => {
      const made: string[] = []
      for (const seed of ['a/1', 'b/x', 'a/2', 'b/Y']) {
        storeHarness.store.clock.advance(1000)
        made.unshift((await storeHarness.start([seed])).id)
      }
      const [newest = '', second = '', third = '', oldest = ''] = made
      const { crawls, control } = storeHarness.store
      await crawls.setPaused(second, true)
      const idsOf = async (wanted?: CrawlListQuery) => (await crawls.list(wanted)).map(({ crawl }) => crawl.id)
      assert.deepEqual(await idsOf(), made)
      assert.deepEqual(await idsOf({ limit: 2 }), [newest, second])
      assert.deepEqual(await idsOf({ status: 'paused' }), [second])
      assert.deepEqual(await idsOf({ status: 'running', limit: 2 }), [newest, third])
      assert.deepEqual(await idsOf({ text: 'b.test/' }), [newest, third])
      assert.deepEqual(await idsOf({ text: 'b.test/y' }), [newest])
      assert.deepEqual(await idsOf({ text: oldest.slice(0, 13) }), [oldest])
      assert.deepEqual(await idsOf({ text: '","' }), [])
      const place = (await crawls.find(second)).createdAt
      assert.deepEqual(await idsOf({ olderThan: { id: second, createdAt: place } }), [third, oldest])
      await control.remove(second)
      while (await control.removeNextBatch());
      assert.deepEqual(await idsOf({ olderThan: { id: second, createdAt: place }, limit: 1 }), [third])
    })

    add('an unknown id is an error with a code', async (storeHarness) => {
      await assert.rejects(storeHarness.store.crawls.find('nope'), { code: 'CRAWL_NOT_FOUND' })
      await assert.rejects(storeHarness.store.crawls.find(''), { code: 'CRAWL_NOT_FOUND' })
    })

    add('two crawls of one store do not mix', async (storeHarness) => {
      const first = await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({ 'a/1': ['a/2'] })
      const second = await storeHarness.start(['a/1'])
      assert.equal((await storeHarness.rows()).length, 1)
      const list = await storeHarness.store.crawls.list()
      assert.deepEqual(
        list.map((p) => p.crawl.id),
        [second.id, first.id],
      )
    })
  })

  resumeContract(name, makeStore)
}
