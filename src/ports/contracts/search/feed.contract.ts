// How kept pages come to the index: each once, in order, whatever ends in between.

import assert from 'node:assert/strict'
import { AT_START, archivePages, finishBatch, indexAll } from '../testing/indexed-pages.ts'
import { hashOf, visitEach } from '../testing/page-visits.ts'
import { StoreHarness } from '../testing/store-harness.ts'
import { DAY_MS, findPageIds, makeDocument, makeIndexQuery, toPageResults } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

export const FEED_CASES: SearchCases = {
  async 'every kept page is given out once, in order'(bench) {
    assert.equal(await bench.feed.take(10), null)
    await archivePages(bench, ['a/1', 'a/2', 'b/1', 'b/2', 'c/1'])
    const urls = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1', 'http://b.test/2', 'http://c.test/1']
    assert.deepEqual(await indexAll(bench, 2), urls)
    assert.deepEqual(await indexAll(bench, 2), [])
    await archivePages(bench, ['a/3'])
    assert.deepEqual(await indexAll(bench, 10), ['http://a.test/3'])
    assert.equal((await bench.index.status()).documents, 6)
  },

  async 'a page comes with its version, its depth and when it changed'(bench) {
    await archivePages(bench, ['a/1'])
    const at = bench.clock.now() - 1000
    const [version] = await bench.store.pages.history('http://a.test/1')
    const [page] = (await bench.feed.take(10))?.pages ?? []
    assert.deepEqual(page?.version, version)
    assert.deepEqual([page?.depth, page?.changedAt, page?.anchors, page?.linkRank], [0, at, [], 0])
  },

  async 'what was taken and not finished comes again after a crash, and what was finished does not'(bench) {
    await archivePages(bench, ['a/1', 'a/2', 'a/3'])
    const first = await bench.feed.take(2)
    assert.equal(first?.pages.length, 2)
    const second = await bench.reopen()
    assert.equal((await second.index.status()).documents, 0)
    const batch = await second.feed.take(2)
    assert.deepEqual(
      batch?.pages.map(({ version }) => version.url),
      ['http://a.test/1', 'http://a.test/2'],
    )
    if (batch !== null) await finishBatch(second, batch)
    const third = await second.reopen()
    assert.deepEqual(await indexAll(third, 10), ['http://a.test/3'])
    assert.equal((await third.index.find(makeIndexQuery('apple', AT_START))).total, 3)
  },

  async 'a later version of a url is given out, and replaces the one before'(bench) {
    await archivePages(bench, ['a/1'])
    await indexAll(bench, 10)
    await archivePages(bench, ['a/1', 'a/1'])
    assert.equal((await indexAll(bench, 10)).length, 2)
    const versions = await bench.store.pages.history('http://a.test/1')
    assert.deepEqual(await findPageIds(bench, 'apple', AT_START), [versions.at(-1)?.id])
    assert.equal((await bench.index.status()).documents, 1)
  },

  async 'a page that is left out is not given out again'(bench) {
    await archivePages(bench, ['a/1'])
    const batch = await bench.feed.take(10)
    assert.ok(batch !== null)
    await bench.feed.finish(batch.token, {
      pages: toPageResults(
        [],
        batch.pages.map(({ version }) => ({ url: version.url, version: version.version })),
      ),
      anchors: [],
    })
    assert.equal(await (await bench.reopen()).feed.take(10), null)
  },

  async 'ranks of urls are there for those that are indexed later, and to be read in order'(bench) {
    await archivePages(bench, ['a/1'])
    const [page] = await bench.store.pages.history('http://a.test/1')
    const crawlId = page?.crawlId ?? ''
    assert.deepEqual(await bench.index.linkRanks(crawlId, 0, 10), [])
    const ranks = [11, 12, 13].map((urlId) => ({ urlId, linkRank: urlId / 16, inlinks: urlId }))
    const first = await bench.feed.take(1)
    const urlId = first?.pages[0]?.urlId ?? 0
    await bench.feed.saveRanks(crawlId, [...ranks, { urlId, linkRank: 0.5, inlinks: 4 }])
    await bench.feed.recordRanking(crawlId, 4)
    const batch = await bench.feed.take(1)
    assert.deepEqual([batch?.pages[0]?.linkRank, batch?.pages[0]?.inlinks], [0.5, 4])
    const told = await bench.index.linkRanks(crawlId, 11, 1)
    assert.deepEqual(told, [{ urlId: 12, linkRank: 0.75 }])
    assert.equal((await bench.index.linkRanks(crawlId, 0, 10)).length, 4)
  },

  async 'a document has the rank that was saved last, however little it changed'(bench) {
    await archivePages(bench, ['a/1', 'b/1'])
    const batch = (await bench.feed.take(10)) ?? assert.fail('nothing waits')
    await finishBatch(bench, batch)
    const ranks = async (...linkRanks: number[]) => {
      for (const [i, { version, urlId }] of batch.pages.entries()) {
        await bench.feed.saveRanks(version.crawlId, [{ urlId, linkRank: linkRanks[i] ?? 0, inlinks: 1 }])
      }
    }
    const [before, after] = [512 / 1024, 513 / 1024]
    await ranks(before, after)
    await ranks(after, after)
    const { hits } = await bench.index.find(makeIndexQuery('apple', AT_START))
    assert.equal(hits[0]?.parts.linkRank, hits[1]?.parts.linkRank)
  },

  async 'ranks outlive pages and go with their crawl, but a document is found as long as it is there'(bench) {
    await archivePages(bench, ['a/1'])
    const first = await bench.feed.take(1)
    assert.ok(first?.pages[0] !== undefined)
    const { version, urlId } = first.pages[0]
    const { crawlId } = version
    await finishBatch(bench, first)
    await bench.feed.saveRanks(crawlId, [{ urlId, linkRank: 0.5, inlinks: 4 }])
    await bench.feed.recordRanking(crawlId, 1)
    bench.clock.advance(2 * DAY_MS)
    await bench.store.retention.expire(bench.clock.now(), 10)
    assert.equal((await bench.feed.deleteGone(10)).dropped, 1)
    await bench.feed.deleteOtherRanks([crawlId])
    assert.deepEqual(await bench.index.linkRanks(crawlId, 0, 10), [{ urlId, linkRank: 0.5 }])
    await bench.write([makeDocument(7, { linkRank: 0.5, terms: { body: 'pear' } })])
    await bench.feed.deleteOtherRanks([])
    assert.deepEqual(await findPageIds(bench, 'pear'), [7])
    await bench.feed.recordRanking(crawlId, 1)
    assert.deepEqual(await bench.index.linkRanks(crawlId, 0, 10), [])
  },

  async 'documents go with their pages'(bench) {
    await archivePages(bench, ['a/1', 'a/2'])
    await indexAll(bench, 10)
    assert.deepEqual(await bench.feed.deleteGone(10), { looked: 2, dropped: 0 })
    bench.clock.advance(DAY_MS - 2000)
    await bench.store.retention.expire(bench.clock.now(), 10)
    let dropped = 0
    for (let i = 0; i < 4; i++) dropped += (await bench.feed.deleteGone(1)).dropped
    assert.equal(dropped, 1)
    const left = (await bench.store.pages.history('http://a.test/2')).map(({ id }) => id)
    assert.deepEqual(await findPageIds(bench, 'apple', AT_START), left)
  },

  async 'an earlier version comes back when the later one is gone'(bench) {
    await archivePages(bench, ['a/1'])
    // Kept for a day from a day before, so it goes first.
    const page = { digest: hashOf(2), position: { segment: 's1', offset: 50, length: 50 } }
    await visitEach(new StoreHarness(bench.store), [['a/1', page, { visitedAt: bench.clock.now() - DAY_MS / 2 }]])
    await indexAll(bench, 10)
    const [first, second] = await bench.store.pages.history('http://a.test/1')
    assert.deepEqual(await findPageIds(bench, 'apple', AT_START), [second?.id])
    bench.clock.advance(DAY_MS * 0.75)
    await bench.store.retention.expire(bench.clock.now(), 10)
    assert.deepEqual(await bench.feed.deleteGone(10), { looked: 1, dropped: 1 })
    const next = await bench.reopen()
    await indexAll(next, 10)
    assert.deepEqual(await findPageIds(next, 'apple', AT_START), [first?.id])
  },

  async 'pages that go before they are looked at are not missed'(bench) {
    await archivePages(bench, ['a/1', 'a/2'])
    bench.clock.advance(2 * DAY_MS)
    await bench.store.retention.expire(bench.clock.now(), 10)
    await archivePages(bench, ['a/3'])
    assert.deepEqual(await indexAll(bench, 10), ['http://a.test/3'])
  },

  async 'the lag says how many wait, and for how long'(bench) {
    assert.deepEqual(await bench.feed.lag(), { waiting: 0, lagMs: 0 })
    await archivePages(bench, ['a/1', 'a/2', 'a/3'])
    assert.deepEqual(await bench.feed.lag(), { waiting: 3, lagMs: 3000 })
    const { waiting, lagMs } = await bench.index.status()
    assert.deepEqual([waiting, lagMs], [3, 3000])
    const batch = await bench.feed.take(1)
    if (batch !== null) await finishBatch(bench, batch)
    assert.deepEqual(await bench.feed.lag(), { waiting: 2, lagMs: 2000 })
    await indexAll(bench, 10)
    assert.deepEqual(await bench.feed.lag(), { waiting: 0, lagMs: 0 })
  },

  async 'after the index was emptied its batches are of another era'(bench) {
    await archivePages(bench, ['a/1', 'a/2'])
    const eraOf = async () => {
      const batch = (await bench.feed.take(1)) ?? assert.fail('nothing waits')
      await finishBatch(bench, batch)
      return batch.epoch
    }
    const first = await eraOf()
    assert.equal(await eraOf(), first)
    await bench.feed.clear()
    const second = await eraOf()
    assert.notEqual(second, first)
    assert.equal(await eraOf(), second)
  },

  async 'a cleared index is empty and is filled again to the same'(bench) {
    await archivePages(bench, ['a/1', 'b/1'])
    await indexAll(bench, 1)
    const before = await bench.index.find(makeIndexQuery('apple', AT_START))
    assert.equal(before.hits.length, 2)
    await bench.feed.clear()
    assert.deepEqual([(await bench.index.status()).documents, await findPageIds(bench, 'apple', AT_START)], [0, []])
    assert.equal(await bench.index.term('apple', 1), null)
    assert.deepEqual(await indexAll(bench, 10), ['http://a.test/1', 'http://b.test/1'])
    assert.deepEqual(await bench.index.find(makeIndexQuery('apple', AT_START)), before)
  },

  async 'it is remembered how far a crawl was when its links were ranked'(bench) {
    await archivePages(bench, ['a/1'])
    const [page] = await bench.store.pages.history('http://a.test/1')
    const crawlId = page?.crawlId ?? ''
    assert.equal(await bench.feed.visitedWhenRanked(crawlId), 0)
    await bench.feed.recordRanking(crawlId, 12)
    await bench.feed.recordRanking(crawlId, 15)
    assert.equal(await (await bench.reopen()).feed.visitedWhenRanked(crawlId), 15)
  },
}
