// Link ranks: which rank a document has, and how long ranks are kept.

import assert from 'node:assert/strict'
import { archivePages, finishBatch } from '../testing/indexed-pages.ts'
import {
  CRAWL,
  DAY_MS,
  findPageIds,
  makeDocument,
  makeIndexQuery,
  makeRank,
  type TestIndex,
} from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

const FULL = { id: CRAWL, createdAt: 1 }
const NEWER = { id: '01930000-0000-7000-8000-000000000000', createdAt: 2 }

/** Has the highest rank. */
const REFERENCE = 99

/** The ranks of documents 1, 2, ..., computed from their factors in a search. */
async function ranksInSearch({ index }: TestIndex): Promise<number[]> {
  const { hits } = await index.find(makeIndexQuery('apple', { groupsSimilar: false }))
  const { hits: best } = await index.find(makeIndexQuery(null, { groupsSimilar: false }))
  const byRank = hits.map(({ parts }) => parts.linkRank).sort((a, b) => b - a)
  assert.deepEqual(
    best.map(({ parts }) => parts.linkRank),
    byRank,
  )
  const highest = (byRank[0] ?? 0) - 1
  const others = hits.filter(({ pageId }) => pageId !== REFERENCE).sort((a, b) => a.pageId - b.pageId)
  return others.map(({ parts }) => Math.round((1000 * (parts.linkRank - 1)) / highest) / 1000)
}

function writePages(testIndex: TestIndex, ...numbers: number[]): Promise<void> {
  const pages = numbers.map((n) => makeDocument(n, { terms: { body: 'apple' } }))
  return testIndex.write([...pages, makeDocument(REFERENCE, { linkRank: 1, terms: { body: 'apple' } })])
}

export const LINK_RANK_CASES: SearchCases = {
  async 'link ranks apply to URLs that are indexed later, and are listed in order'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    const [page] = await testIndex.store.pages.history('http://a.test/1')
    const crawl = { id: page?.crawlId ?? '', createdAt: 1 }
    assert.deepEqual(await testIndex.index.linkRanks(crawl.id, 0, 10), [])
    const first = await testIndex.feed.take(1)
    const urlId = first?.pages[0]?.urlId ?? 0
    await testIndex.feed.saveRanks(crawl, [
      ...[11, 12, 13].map((n) => makeRank(n, { linkRank: n / 16 })),
      makeRank(1, { urlId, url: 'http://a.test/1', linkRank: 0.5, inlinks: 4 }),
    ])
    await testIndex.feed.recordRanking(crawl.id, 4)
    const batch = await testIndex.feed.take(1)
    assert.deepEqual([batch?.pages[0]?.linkRank, batch?.pages[0]?.inlinks], [0.5, 4])
    assert.deepEqual(await testIndex.index.linkRanks(crawl.id, 11, 1), [{ urlId: 12, linkRank: 0.75 }])
    assert.equal((await testIndex.index.linkRanks(crawl.id, 0, 10)).length, 4)
  },

  async 'a document has the rank saved last, however little it changed'(testIndex) {
    await writePages(testIndex, 1, 2)
    const [before, after] = [512 / 1024, 513 / 1024]
    for (const linkRanks of [
      [before, after],
      [after, after],
    ]) {
      await testIndex.feed.saveRanks(
        FULL,
        linkRanks.map((linkRank, i) => makeRank(i + 1, { linkRank })),
      )
    }
    const [first, second] = await ranksInSearch(testIndex)
    assert.equal(first, second)
  },

  async 'a crawl of a few pages of a host does not replace the ranks of a crawl that knows the host'(testIndex) {
    await writePages(testIndex, 1, 2)
    const save = (ranks: [crawl: typeof FULL, linkRank: number, hostPages: number, n: number][]) =>
      ranks.reduce(async (before, [crawl, linkRank, hostPages, n]) => {
        await before
        await testIndex.feed.saveRanks(crawl, [makeRank(n, { linkRank, hostPages, inlinks: hostPages })])
      }, Promise.resolve())
    await save([
      [FULL, 0.9, 4000, 1],
      [NEWER, 0.1, 120, 1],
      // Only the small crawl knows this URL.
      [NEWER, 0.2, 120, 2],
    ])
    assert.deepEqual(await ranksInSearch(testIndex), [0.9, 0.2])
    // Whichever is saved last.
    await save([
      [NEWER, 0.1, 130, 1],
      [FULL, 0.8, 4000, 1],
      [NEWER, 0.3, 140, 1],
    ])
    assert.deepEqual(await ranksInSearch(testIndex), [0.8, 0.2])
    const inlinks = { filter: { ...makeIndexQuery(null).filter, inlinks: { min: 4000, max: null } } }
    assert.deepEqual(await findPageIds(testIndex, 'apple', inlinks), [1])
  },

  async 'of crawls that know nearly as many pages of a host, the ranks of the newest count'(testIndex) {
    await writePages(testIndex, 1, 2)
    const [one, two] = [makeRank(1, { hostPages: 1000 }), makeRank(2, { hostPages: 1000 })]
    await testIndex.feed.saveRanks(NEWER, [
      { ...one, linkRank: 0.3, hostPages: 750 },
      { ...two, linkRank: 0.3, hostPages: 749 },
    ])
    await testIndex.feed.saveRanks(FULL, [
      { ...one, linkRank: 0.9 },
      { ...two, linkRank: 0.9 },
    ])
    assert.deepEqual(await ranksInSearch(testIndex), [0.3, 0.9])
  },

  async 'when the crawl with the fullest graph is deleted, the ranks of the next one count'(testIndex) {
    await writePages(testIndex, 1, 2)
    await testIndex.feed.saveRanks(FULL, [
      makeRank(1, { linkRank: 0.9, hostPages: 4000 }),
      makeRank(2, { linkRank: 0.8, hostPages: 4000 }),
    ])
    await testIndex.feed.saveRanks(NEWER, [makeRank(1, { linkRank: 0.1, hostPages: 120 })])
    await testIndex.feed.recordRanking(NEWER.id, 120)
    await testIndex.feed.deleteOtherRanks([NEWER.id])
    assert.deepEqual(await ranksInSearch(testIndex), [0.1, 0.8])
    assert.deepEqual(await testIndex.index.linkRanks(NEWER.id, 0, 10), [{ urlId: 1, linkRank: 0.1 }])
  },

  async 'a list of links has no rank in searches'(testIndex) {
    await writePages(testIndex, 1, 2)
    await testIndex.feed.saveRanks(FULL, [
      makeRank(1, { linkRank: 0.9, isLinkList: true }),
      makeRank(2, { linkRank: 0.5 }),
    ])
    await testIndex.feed.recordRanking(FULL.id, 2)
    assert.deepEqual(await ranksInSearch(testIndex), [0, 0.5])
    assert.equal((await testIndex.index.linkRanks(FULL.id, 0, 1))[0]?.linkRank.toFixed(1), '0.9')
  },

  async 'ranks outlive pages and are deleted with their crawl, but documents keep theirs'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    const first = await testIndex.feed.take(1)
    assert.ok(first?.pages[0] !== undefined)
    const { version, urlId } = first.pages[0]
    const crawl = { id: version.crawlId, createdAt: 1 }
    await finishBatch(testIndex, first)
    await testIndex.feed.saveRanks(crawl, [makeRank(1, { urlId, url: version.url, linkRank: 0.5 })])
    await testIndex.feed.recordRanking(crawl.id, 1)
    testIndex.clock.advance(2 * DAY_MS)
    await testIndex.store.retention.expire(testIndex.clock.now(), 10)
    assert.equal((await testIndex.feed.followRetention(10)).dropped, 1)
    await testIndex.feed.deleteOtherRanks([crawl.id])
    assert.deepEqual(await testIndex.index.linkRanks(crawl.id, 0, 10), [{ urlId, linkRank: 0.5 }])
    await testIndex.write([makeDocument(7, { linkRank: 0.5, terms: { body: 'pear' } })])
    await testIndex.feed.deleteOtherRanks([])
    assert.deepEqual(await findPageIds(testIndex, 'pear'), [7])
    await testIndex.feed.recordRanking(crawl.id, 1)
    assert.deepEqual(await testIndex.index.linkRanks(crawl.id, 0, 10), [])
  },

  async 'the number of URLs at the last ranking of a crawl is stored'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    const [page] = await testIndex.store.pages.history('http://a.test/1')
    const crawlId = page?.crawlId ?? ''
    assert.equal(await testIndex.feed.visitedWhenRanked(crawlId), 0)
    await testIndex.feed.recordRanking(crawlId, 12)
    await testIndex.feed.recordRanking(crawlId, 15)
    assert.equal(await (await testIndex.reopen()).feed.visitedWhenRanked(crawlId), 15)
  },
}
