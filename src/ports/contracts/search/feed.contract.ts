// How archived pages get into the index: each once, in order, even if a process dies in between.

import assert from 'node:assert/strict'
import { AT_START, archivePages, finishBatch, indexAll } from '../testing/indexed-pages.ts'
import { archivedVisit, hashOf, visitEach } from '../testing/page-visits.ts'
import { only, StoreHarness } from '../testing/store-harness.ts'
import { DAY_MS, findPageIds, makeIndexQuery, toPageResults } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

export const FEED_CASES: SearchCases = {
  async 'every archived page is handed out once, in order'(testIndex) {
    assert.equal(await testIndex.feed.take(10), null)
    await archivePages(testIndex, ['a/1', 'a/2', 'b/1', 'b/2', 'c/1'])
    const urls = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1', 'http://b.test/2', 'http://c.test/1']
    assert.deepEqual(await indexAll(testIndex, 2), urls)
    assert.deepEqual(await indexAll(testIndex, 2), [])
    await archivePages(testIndex, ['a/3'])
    assert.deepEqual(await indexAll(testIndex, 10), ['http://a.test/3'])
    assert.equal((await testIndex.index.status()).documents, 6)
  },

  async 'a page comes with its version, its depth and the time of its last change'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    const at = testIndex.clock.now() - 1000
    const [version] = await testIndex.store.pages.history('http://a.test/1')
    const [page] = (await testIndex.feed.take(10))?.pages ?? []
    assert.deepEqual(page?.version, version)
    assert.deepEqual([page?.depth, page?.changedAt, page?.anchors, page?.linkRank], [0, at, [], 0])
  },

  async 'an unfinished batch is handed out again after a crash, and a finished one is not'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2', 'a/3'])
    const first = await testIndex.feed.take(2)
    assert.equal(first?.pages.length, 2)
    const second = await testIndex.reopen()
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

  async 'a later version of a URL is handed out, and replaces the earlier one'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    await indexAll(testIndex, 10)
    await archivePages(testIndex, ['a/1', 'a/1'])
    assert.equal((await indexAll(testIndex, 10)).length, 2)
    const versions = await testIndex.store.pages.history('http://a.test/1')
    assert.deepEqual(await findPageIds(testIndex, 'apple', AT_START), [versions.at(-1)?.id])
    assert.equal((await testIndex.index.status()).documents, 1)
  },

  async 'a page that is left out is not handed out again'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    const batch = await testIndex.feed.take(10)
    assert.ok(batch !== null)
    await testIndex.feed.finish(batch.token, {
      pages: toPageResults(
        [],
        batch.pages.map(({ version }) => ({ url: version.url, version: version.version })),
      ),
      anchors: [],
    })
    assert.equal(await (await testIndex.reopen()).feed.take(10), null)
  },

  async 'merging terms ends, and changes no result'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2', 'a/3', 'a/4'])
    assert.equal(await testIndex.feed.mergeTerms(), false)
    await indexAll(testIndex, 1)
    const before = await findPageIds(testIndex, 'apple', AT_START)
    assert.equal(before.length, 4)
    for (let steps = 0; await testIndex.feed.mergeTerms(); steps++) assert.ok(steps < 100)
    assert.deepEqual(await findPageIds(testIndex, 'apple', AT_START), before)
    assert.equal(await testIndex.feed.mergeTerms(), false)
  },

  async 'documents are deleted with their pages'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    await indexAll(testIndex, 10)
    assert.deepEqual(await testIndex.feed.followRetention(10), { examined: 2, dropped: 0 })
    testIndex.clock.advance(DAY_MS - 2000)
    await testIndex.store.retention.expire(testIndex.clock.now(), 10)
    let dropped = 0
    for (let i = 0; i < 4; i++) dropped += (await testIndex.feed.followRetention(1)).dropped
    assert.equal(dropped, 1)
    const left = (await testIndex.store.pages.history('http://a.test/2')).map(({ id }) => id)
    assert.deepEqual(await findPageIds(testIndex, 'apple', AT_START), left)
  },

  async 'a document is found as long as its page is kept'(testIndex) {
    const harness = new StoreHarness(testIndex.store)
    await harness.start(['a/1'], { recrawl: DAY_MS / 2, archive: 'all' })
    const visit = async (isUnchanged: boolean) => {
      const lease = only((await harness.lease()).leases)
      const freshness = { etag: null, lastModified: null, maxAgeMs: null, isUnchanged }
      const report = { ...archivedVisit(harness, lease, only(lease.urls)), freshness }
      await harness.commit([{ ...report, page: isUnchanged ? null : report.page }], { release: [lease.token] })
    }
    await visit(false)
    await indexAll(testIndex, 10)
    testIndex.clock.advance(DAY_MS / 2)
    await testIndex.store.revisits.requeueDue(10)
    await visit(true)
    const later = { now: testIndex.clock.now() + DAY_MS * 0.75 }
    assert.deepEqual(await findPageIds(testIndex, 'apple', later), [])
    assert.deepEqual(await testIndex.feed.followRetention(10), { examined: 1, dropped: 0 })
    assert.equal((await findPageIds(testIndex, 'apple', later)).length, 1)
  },

  async 'an earlier version is indexed again when the later one is gone'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    // This version is from a day earlier and is kept for a day, so it expires first.
    const page = { digest: hashOf(2), position: { segment: 's1', offset: 50, length: 50 } }
    await visitEach(new StoreHarness(testIndex.store), [
      ['a/1', page, { visitedAt: testIndex.clock.now() - DAY_MS / 2 }],
    ])
    await indexAll(testIndex, 10)
    const [first, second] = await testIndex.store.pages.history('http://a.test/1')
    assert.deepEqual(await findPageIds(testIndex, 'apple', AT_START), [second?.id])
    testIndex.clock.advance(DAY_MS * 0.75)
    await testIndex.store.retention.expire(testIndex.clock.now(), 10)
    assert.deepEqual(await testIndex.feed.followRetention(10), { examined: 1, dropped: 1 })
    const next = await testIndex.reopen()
    await indexAll(next, 10)
    assert.deepEqual(await findPageIds(next, 'apple', AT_START), [first?.id])
  },

  async 'pages deleted before they are handed out are not missed'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    testIndex.clock.advance(2 * DAY_MS)
    await testIndex.store.retention.expire(testIndex.clock.now(), 10)
    await archivePages(testIndex, ['a/3'])
    assert.deepEqual(await indexAll(testIndex, 10), ['http://a.test/3'])
  },

  async 'the lag has the number of waiting pages and the longest wait'(testIndex) {
    assert.deepEqual(await testIndex.feed.lag(), { waiting: 0, lagMs: 0 })
    await archivePages(testIndex, ['a/1', 'a/2', 'a/3'])
    assert.deepEqual(await testIndex.feed.lag(), { waiting: 3, lagMs: 3000 })
    const { waiting, lagMs } = await testIndex.index.status()
    assert.deepEqual([waiting, lagMs], [3, 3000])
    const batch = await testIndex.feed.take(1)
    if (batch !== null) await finishBatch(testIndex, batch)
    assert.deepEqual(await testIndex.feed.lag(), { waiting: 2, lagMs: 2000 })
    await indexAll(testIndex, 10)
    assert.deepEqual(await testIndex.feed.lag(), { waiting: 0, lagMs: 0 })
  },

  async 'clearing the index changes the epoch of its batches'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    const eraOf = async () => {
      const batch = (await testIndex.feed.take(1)) ?? assert.fail('nothing waits')
      await finishBatch(testIndex, batch)
      return batch.epoch
    }
    const first = await eraOf()
    assert.equal(await eraOf(), first)
    await testIndex.feed.clear()
    const second = await eraOf()
    assert.notEqual(second, first)
    assert.equal(await eraOf(), second)
  },

  async 'a cleared index is filled again with the same documents'(testIndex) {
    await archivePages(testIndex, ['a/1', 'b/1'])
    await indexAll(testIndex, 1)
    const before = await testIndex.index.find(makeIndexQuery('apple', AT_START))
    assert.equal(before.hits.length, 2)
    await testIndex.feed.clear()
    assert.deepEqual(
      [(await testIndex.index.status()).documents, await findPageIds(testIndex, 'apple', AT_START)],
      [0, []],
    )
    assert.equal(await testIndex.index.term('apple', 1), null)
    assert.deepEqual(await indexAll(testIndex, 10), ['http://a.test/1', 'http://b.test/1'])
    assert.deepEqual(await testIndex.index.find(makeIndexQuery('apple', AT_START)), before)
  },
}
