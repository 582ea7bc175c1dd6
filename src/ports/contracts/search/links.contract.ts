// What pages contribute to each other's documents: anchor texts, and boilerplate lines of a host.

import assert from 'node:assert/strict'
import { type FeedPage, MAX_ANCHORS } from '../../index-feed.ts'
import { AT_START, archivePages, indexAll, makeFeedDocument } from '../testing/indexed-pages.ts'
import { findPageIds, type TestIndex, toPageResults } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

function isSecond({ version }: FeedPage): boolean {
  return version.version === 2
}

export const LINK_CASES: SearchCases = {
  async 'anchor texts come with the page they lead to, each once'(testIndex) {
    await archivePages(testIndex, ['a/1'])
    const batch = await testIndex.feed.take(1)
    assert.ok(batch !== null)
    const anchors = ['Apples', 'The orchard', 'Apples'].map((text) => ({ url: 'http://b.test/1', text }))
    await testIndex.feed.finish(batch.token, { pages: toPageResults(batch.pages.map(makeFeedDocument)), anchors })
    await archivePages(testIndex, ['b/1', 'c/1'])
    const next = await testIndex.feed.take(10)
    assert.deepEqual(
      next?.pages.map(({ anchors }) => anchors.toSorted()),
      [['Apples', 'The orchard'], []],
    )
  },

  async 'a page is handed out again when it has new anchor texts, after all new pages'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    await indexAll(testIndex, 10)
    await archivePages(testIndex, ['b/1', 'b/2'])
    const batch = await testIndex.feed.take(1)
    assert.ok(batch !== null)
    const anchors = ['http://a.test/1', 'http://c.test/9'].map((url) => ({ url, text: 'Apples' }))
    await testIndex.feed.finish(batch.token, { pages: toPageResults(batch.pages.map(makeFeedDocument)), anchors })
    const next = await testIndex.reopen()
    const rest: [string, string[], boolean][] = []
    for (let given = await next.feed.take(1); given !== null; given = await next.feed.take(1)) {
      for (const { version, anchors: texts, previous } of given.pages)
        rest.push([version.url, texts, previous !== null])
      // The anchors of a page that is indexed again are known already.
      await next.feed.finish(given.token, { pages: toPageResults(given.pages.map(makeFeedDocument)), anchors })
    }
    assert.deepEqual(rest, [
      ['http://b.test/2', [], false],
      ['http://a.test/1', ['Apples'], true],
    ])
    assert.equal((await next.index.status()).documents, 4)
  },

  async 'a page is handed out again when its anchors are in its own batch'(testIndex) {
    await archivePages(testIndex, ['a/1', 'a/2'])
    const given: [string, string[]][][] = []
    for (const said of ['The orchard', 'Apples', null]) {
      const batch = await testIndex.feed.take(10)
      assert.ok(batch !== null)
      given.push(batch.pages.map(({ version, anchors }) => [version.url, anchors.toSorted()]))
      const anchors = said === null ? [] : [{ url: 'http://a.test/2', text: said }]
      await testIndex.feed.finish(batch.token, { pages: toPageResults(batch.pages.map(makeFeedDocument)), anchors })
    }
    assert.deepEqual(given.slice(1), [
      [['http://a.test/2', ['The orchard']]],
      [['http://a.test/2', ['Apples', 'The orchard']]],
    ])
    assert.equal(await testIndex.feed.take(10), null)
  },

  async 'a page gets the first anchor texts, however often they occur'(testIndex) {
    const tell = async (texts: string[]) => {
      const batch = await testIndex.feed.take(10)
      assert.ok(batch !== null)
      const anchors = texts.map((text) => ({ url: 'http://a.test/1', text }))
      await testIndex.feed.finish(batch.token, { pages: toPageResults(batch.pages.map(makeFeedDocument)), anchors })
    }
    const text = (n: number) => `Text ${String(n).padStart(2, '0')}`
    const texts = Array.from({ length: MAX_ANCHORS + 3 }, (_, i) => text(MAX_ANCHORS + 3 - i))
    await archivePages(testIndex, ['a/1', 'a/2'])
    await tell([text(90), ...texts.slice(0, 5), text(90)])
    await tell([...texts.slice(3), ...texts.slice(-1), ...texts.slice(-1)])
    const first = [text(90), ...texts.slice(0, MAX_ANCHORS - 1)].sort()
    const last = (await testIndex.feed.take(10)) ?? assert.fail('it is not told')
    assert.deepEqual(last.pages[0]?.anchors, first)
    await testIndex.feed.finish(last.token, {
      pages: toPageResults(last.pages.map(makeFeedDocument)),
      anchors: texts.map((late) => ({ url: 'http://a.test/1', text: late })),
    })
    assert.equal(await testIndex.feed.take(10), null)
  },

  async 'a page that is indexed again keeps its lines, and they count once'(testIndex) {
    const lines = { lines: [7, 8], repeated: [8] }
    await archivePages(testIndex, ['a/1'])
    const first = (await testIndex.feed.take(10)) ?? assert.fail('nothing waits')
    await testIndex.feed.finish(first.token, {
      pages: toPageResults(first.pages.map((page) => ({ ...makeFeedDocument(page), ...lines, host: 'a.test' }))),
      anchors: [{ url: 'http://a.test/1', text: 'Apples' }],
    })
    const again = (await testIndex.feed.take(10)) ?? assert.fail('nothing waits')
    const pageId = first.pages[0]?.version.id ?? 0
    assert.deepEqual(again.pages[0]?.previous, { pageId, version: 1, ownLang: 'en', ...lines })
    await testIndex.feed.finish(again.token, {
      pages: toPageResults(again.pages.map((page) => ({ ...makeFeedDocument(page), ...lines, host: 'a.test' }))),
      anchors: [],
    })
    await archivePages(testIndex, ['a/2'])
    const last = await testIndex.feed.take(10)
    assert.deepEqual(Object.fromEntries(last?.hosts.get('a.test')?.lines ?? []), { 7: 1, 8: 1 })
  },

  async 'a page due to be indexed again is not handed out when a later version was left out'(testIndex) {
    await archivePages(testIndex, ['a/1', 'b/1'])
    const first = (await testIndex.feed.take(10)) ?? assert.fail('nothing waits')
    const anchors = [{ url: 'http://a.test/1', text: 'Apples' }]
    await testIndex.feed.finish(first.token, { pages: toPageResults(first.pages.map(makeFeedDocument)), anchors })
    await archivePages(testIndex, ['a/1'])
    for (let batch = await testIndex.feed.take(10); batch !== null; batch = await testIndex.feed.take(10)) {
      const [hidden, others] = [batch.pages.filter(isSecond), batch.pages.filter((page) => !isSecond(page))]
      const leftOut = hidden.map(({ version }) => ({ url: version.url, version: version.version }))
      await testIndex.feed.finish(batch.token, {
        pages: toPageResults(others.map(makeFeedDocument), leftOut),
        anchors: [],
      })
    }
    assert.deepEqual(await findPageIds(testIndex, 'apple', AT_START), [first.pages[1]?.version.id])
  },

  async 'anchor texts are reported again to a cleared index'(testIndex) {
    const anchors = Array.from({ length: 100 }, () => ({ url: 'http://b.test/1', text: 'Home' }))
    await archivePages(testIndex, ['a/1'])
    for (let times = 0; times < 2; times++) {
      await testIndex.feed.clear()
      const batch = await testIndex.feed.take(1)
      assert.ok(batch !== null)
      await testIndex.feed.finish(batch.token, { pages: toPageResults(batch.pages.map(makeFeedDocument)), anchors })
    }
    await archivePages(testIndex, ['b/1'])
    assert.deepEqual((await testIndex.feed.take(10))?.pages[0]?.anchors, ['Home'])
  },

  async 'lines are counted once per document of a host, and survive a restart'(testIndex) {
    const write = async (feed: TestIndex['feed'], lines: number[]) => {
      const batch = await feed.take(10)
      assert.ok(batch !== null)
      const documents = batch.pages.map((page) => ({ ...makeFeedDocument(page), lines, host: 'a.test' }))
      await feed.finish(batch.token, { pages: toPageResults(documents), anchors: [] })
      return batch
    }
    await archivePages(testIndex, ['a/1', 'a/2', 'a/3'])
    assert.deepEqual((await write(testIndex.feed, [7, -8])).hosts, new Map())
    await archivePages(testIndex, ['a/1'])
    const next = await testIndex.reopen()
    const again = await write(next.feed, [7, 9])
    assert.deepEqual(
      again.hosts.get('a.test')?.lines,
      new Map([
        [7, 3],
        [-8, 3],
      ]),
    )
    assert.deepEqual(again.pages[0]?.previous?.lines, [7, -8])
    assert.ok((again.pages[0]?.previous?.pageId ?? Infinity) < (again.pages[0]?.version.id ?? 0))
    await archivePages(next, ['a/4', 'b/1'])
    const last = await next.feed.take(10)
    assert.deepEqual([...(last?.hosts.get('a.test')?.lines ?? [])].sort(), [
      [-8, 2],
      [7, 3],
      [9, 1],
    ])
    assert.equal(last?.hosts.get('b.test'), undefined)
  },
}
