// Links are read before their pages are indexed, and batches are written in parts.

import assert from 'node:assert/strict'
import type { FeedBatch, IndexFeed } from '../../index-feed.ts'
import { AT_START, archivePages, indexAll, makeFeedDocument } from '../testing/indexed-pages.ts'
import { findPageIds, toPageResults } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

const APPLES = [{ url: 'http://a.test/1', text: 'Apples' }]

/** Reads the links of all waiting pages, which lead to a/1, and returns the URLs of the pages. */
async function readAllLinks(feed: IndexFeed, limit: number): Promise<string[]> {
  const urls: string[] = []
  for (let batch = await feed.takeUnreadLinks(limit); batch !== null; batch = await feed.takeUnreadLinks(limit)) {
    urls.push(...batch.pages.map(({ url }) => url))
    await feed.saveAnchors(batch.token, APPLES)
  }
  return urls
}

async function take(feed: IndexFeed): Promise<FeedBatch> {
  return (await feed.take(10)) ?? assert.fail('nothing waits')
}

function resultsOf({ pages }: FeedBatch) {
  return toPageResults(pages.map(makeFeedDocument))
}

export const READ_LINKS_CASES: SearchCases = {
  async 'links are read once, in order, and a page is indexed once with the texts of later pages'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2', 'b/1'])
    const { feed } = testIndex
    assert.deepEqual(await readAllLinks(feed, 2), ['http://a.test/1', 'http://a.test/2', 'http://b.test/1'])
    const batch = await take(feed)
    assert.deepEqual(
      batch.pages.map(({ anchors, hasUnreadLinks }) => [anchors, hasUnreadLinks]),
      [
        [['Apples'], false],
        [[], false],
        [[], false],
      ],
    )
    await feed.finish(batch.token, { pages: resultsOf(batch), anchors: [] })
    assert.deepEqual([await feed.take(10), await feed.takeUnreadLinks(10)], [null, null])
  },

  async 'a page whose links were not read says so, and is not among unread links afterwards'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    const batch = await take(testIndex.feed)
    assert.deepEqual(
      batch.pages.map(({ hasUnreadLinks }) => hasUnreadLinks),
      [true, true],
    )
    await testIndex.feed.finish(batch.token, { pages: resultsOf(batch), anchors: APPLES })
    assert.equal(await testIndex.feed.takeUnreadLinks(10), null)
    const again = await take(testIndex.feed)
    assert.deepEqual(
      again.pages.map(({ version, hasUnreadLinks }) => [version.url, hasUnreadLinks]),
      [['http://a.test/1', false]],
    )
  },

  async 'an indexed page is handed out again for a text that is read later'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    await indexAll(testIndex, 10)
    await archivePages(testIndex, ['b/1'])
    await readAllLinks(testIndex.feed, 10)
    assert.deepEqual(await indexAll(testIndex, 1), ['http://b.test/1', 'http://a.test/1'])
  },

  async 'links of a batch that was lost are read again, and saved ones are not'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    const first = await testIndex.feed.takeUnreadLinks(1)
    assert.equal(first?.pages.length, 1)
    const second = await testIndex.reopen()
    const same = (await second.feed.takeUnreadLinks(1)) ?? assert.fail('nothing waits')
    assert.deepEqual(same.pages, first?.pages)
    await second.feed.saveAnchors(same.token, APPLES)
    const third = await second.reopen()
    assert.deepEqual(await readAllLinks(third.feed, 10), ['http://a.test/2'])
    assert.deepEqual((await take(third.feed)).pages[0]?.anchors, ['Apples'])
  },

  async 'a cleared index reads all links again, also of pages in an open batch'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    const { feed } = testIndex
    await readAllLinks(feed, 10)
    await indexAll(testIndex, 1)
    await feed.clear()
    assert.equal((await readAllLinks(feed, 10)).length, 2)
    assert.deepEqual((await take(feed)).pages[0]?.anchors, ['Apples'])
    await feed.clear()
    const read = await readAllLinks(feed, 10)
    const unread = (await take(feed)).pages.filter(({ hasUnreadLinks }) => hasUnreadLinks)
    assert.equal(read.length + unread.length, 2)
  },

  async 'pages visited later than a time wait, and so do pages to index again if asked'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    await indexAll(testIndex, 10)
    await archivePages(testIndex, ['b/1'])
    const { feed, clock } = testIndex
    await readAllLinks(feed, 10)
    const [page] = await testIndex.store.pages.history('http://b.test/1')
    const visitedAt = page?.visitedAt ?? assert.fail('it is not archived')
    assert.equal(await feed.take(10, { visitedUpTo: visitedAt - 1, reindexes: false }), null)
    const batch = await feed.take(10, { visitedUpTo: visitedAt, reindexes: false })
    assert.deepEqual(
      batch?.pages.map(({ version }) => version.url),
      ['http://b.test/1'],
    )
    if (batch !== null) await feed.finish(batch.token, { pages: resultsOf(batch), anchors: [] })
    assert.equal(await feed.take(10, { reindexes: false }), null)
    const again = await feed.take(10, { visitedUpTo: clock.now() })
    assert.deepEqual(
      again?.pages.map(({ version }) => version.url),
      ['http://a.test/1'],
    )
  },

  async 'a batch can be written in parts, which count only when it is finished'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2', 'a/3'])
    const { feed } = testIndex
    const lost = await take(feed)
    await feed.add(lost.token, resultsOf(lost).slice(0, 2))
    const batch = await take(feed)
    assert.equal(batch.pages.length, 3)
    await feed.add(batch.token, resultsOf(batch).slice(0, 2))
    assert.deepEqual(await findPageIds(testIndex, 'apple', AT_START), [])
    await feed.finish(batch.token, { pages: resultsOf(batch).slice(2), anchors: [] })
    assert.equal((await findPageIds(testIndex, 'apple', AT_START)).length, 3)
    assert.deepEqual([(await testIndex.index.status()).documents, await feed.take(10)], [3, null])
  },

  async 'a process that dies after writing a part of a batch leaves nothing of it'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    const batch = await take(testIndex.feed)
    await testIndex.feed.add(batch.token, resultsOf(batch).slice(0, 1))
    const next = await testIndex.reopen()
    assert.equal((await next.index.status()).documents, 0)
    assert.deepEqual(await indexAll(next, 10), ['http://a.test/1', 'http://a.test/2'])
    assert.equal((await findPageIds(next, 'apple', AT_START)).length, 2)
  },
}
