// How kept pages come to the index: each once, in order, whatever ends in between.

import assert from 'node:assert/strict'
import { HASH, visitEach } from './pages.bench.ts'
import { asking, DAY_MS, found, indexed, makeDocument, type TestIndex } from './search.bench.ts'
import type { SearchCases } from './search.contract.ts'
import type { FeedBatch, FeedPage } from './search.ts'
import { Bench } from './store.contract.ts'

/** When the pages of these cases are not over yet. */
const AT_START = { now: 0 }

/** Keeps a page of each of these urls, `host/path`, a second apart. */
async function keep({ store }: TestIndex, urls: string[]): Promise<void> {
  const positions = urls.map((_, i) => ({
    digest: HASH(i + 1),
    position: { segment: 's1', offset: i * 50, length: 50 },
  }))
  await visitEach(
    new Bench(store),
    urls.map((url, i) => [url, positions[i] ?? {}]),
  )
}

function documentOf({ version, urlId }: FeedPage) {
  const { id: pageId, crawlId, url, version: number, expiresAt } = version
  return makeDocument(pageId, { urlId, crawlId, url, version: number, expiresAt, terms: { body: 'apple' } })
}

async function finish({ feed }: TestIndex, { token, pages }: FeedBatch): Promise<void> {
  await feed.finish(token, { pages: indexed(pages.map(documentOf)), anchors: [] })
}

/** Indexes all that waits, so many at a time; answers the urls in order. */
async function followAll(bench: TestIndex, limit: number): Promise<string[]> {
  const urls: string[] = []
  for (;;) {
    const batch = await bench.feed.take(limit)
    if (batch === null) return urls
    assert.ok(batch.pages.length > 0 && batch.pages.length <= limit)
    urls.push(...batch.pages.map(({ version }) => version.url))
    await finish(bench, batch)
  }
}

export const FEED_CASES: SearchCases = {
  async 'every kept page is given out once, in order'(bench) {
    assert.equal(await bench.feed.take(10), null)
    await keep(bench, ['a/1', 'a/2', 'b/1', 'b/2', 'c/1'])
    const urls = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1', 'http://b.test/2', 'http://c.test/1']
    assert.deepEqual(await followAll(bench, 2), urls)
    assert.deepEqual(await followAll(bench, 2), [])
    await keep(bench, ['a/3'])
    assert.deepEqual(await followAll(bench, 10), ['http://a.test/3'])
    assert.equal((await bench.index.status()).documents, 6)
  },

  async 'a page comes with its version, its depth and when it changed'(bench) {
    await keep(bench, ['a/1'])
    const at = bench.clock.now() - 1000
    const [version] = await bench.store.pages.history('http://a.test/1')
    const [page] = (await bench.feed.take(10))?.pages ?? []
    assert.deepEqual(page?.version, version)
    assert.deepEqual([page?.depth, page?.changedAt, page?.anchors, page?.linkRank], [0, at, [], 0])
  },

  async 'what was taken and not finished comes again after a crash, and what was finished does not'(bench) {
    await keep(bench, ['a/1', 'a/2', 'a/3'])
    const first = await bench.feed.take(2)
    assert.equal(first?.pages.length, 2)
    const second = await bench.reopen()
    assert.equal((await second.index.status()).documents, 0)
    const batch = await second.feed.take(2)
    assert.deepEqual(
      batch?.pages.map(({ version }) => version.url),
      ['http://a.test/1', 'http://a.test/2'],
    )
    if (batch !== null) await finish(second, batch)
    const third = await second.reopen()
    assert.deepEqual(await followAll(third, 10), ['http://a.test/3'])
    assert.equal((await third.index.find(asking('apple', AT_START))).total, 3)
  },

  async 'a later version of a url is given out, and replaces the one before'(bench) {
    await keep(bench, ['a/1'])
    await followAll(bench, 10)
    await keep(bench, ['a/1', 'a/1'])
    assert.equal((await followAll(bench, 10)).length, 2)
    const versions = await bench.store.pages.history('http://a.test/1')
    assert.deepEqual(await found(bench, 'apple', AT_START), [versions.at(-1)?.id])
    assert.equal((await bench.index.status()).documents, 1)
  },

  async 'a page that is left out is not given out again'(bench) {
    await keep(bench, ['a/1'])
    const batch = await bench.feed.take(10)
    assert.ok(batch !== null)
    await bench.feed.finish(batch.token, {
      pages: indexed(
        [],
        batch.pages.map(({ version }) => ({ url: version.url, version: version.version })),
      ),
      anchors: [],
    })
    assert.equal(await (await bench.reopen()).feed.take(10), null)
  },

  async 'the texts of links come with the page they lead to, each once'(bench) {
    await keep(bench, ['a/1'])
    const batch = await bench.feed.take(1)
    assert.ok(batch !== null)
    const anchors = ['Apples', 'The orchard', 'Apples'].map((text) => ({ url: 'http://b.test/1', text }))
    await bench.feed.finish(batch.token, { pages: indexed(batch.pages.map(documentOf)), anchors })
    await keep(bench, ['b/1', 'c/1'])
    const next = await bench.feed.take(10)
    assert.deepEqual(
      next?.pages.map(({ anchors }) => anchors.toSorted()),
      [['Apples', 'The orchard'], []],
    )
  },

  async 'a page is given out again when links to it say what none said before, after all new ones'(bench) {
    await keep(bench, ['a/1', 'a/2'])
    await followAll(bench, 10)
    await keep(bench, ['b/1', 'b/2'])
    const batch = await bench.feed.take(1)
    assert.ok(batch !== null)
    const anchors = ['http://a.test/1', 'http://c.test/9'].map((url) => ({ url, text: 'Apples' }))
    await bench.feed.finish(batch.token, { pages: indexed(batch.pages.map(documentOf)), anchors })
    const next = await bench.reopen()
    const rest: [string, string[], boolean][] = []
    for (let given = await next.feed.take(1); given !== null; given = await next.feed.take(1)) {
      for (const { version, anchors: texts, before } of given.pages) rest.push([version.url, texts, before !== null])
      // What a page says that is indexed again was said before.
      await next.feed.finish(given.token, { pages: indexed(given.pages.map(documentOf)), anchors })
    }
    assert.deepEqual(rest, [
      ['http://b.test/2', [], false],
      ['http://a.test/1', ['Apples'], true],
    ])
    assert.equal((await next.index.status()).documents, 4)
  },

  async 'a page is given out again when links to it come in one batch with it'(bench) {
    await keep(bench, ['a/1', 'a/2'])
    const given: [string, string[]][][] = []
    for (const said of ['The orchard', 'Apples', null]) {
      const batch = await bench.feed.take(10)
      assert.ok(batch !== null)
      given.push(batch.pages.map(({ version, anchors }) => [version.url, anchors.toSorted()]))
      const anchors = said === null ? [] : [{ url: 'http://a.test/2', text: said }]
      await bench.feed.finish(batch.token, { pages: indexed(batch.pages.map(documentOf)), anchors })
    }
    assert.deepEqual(given.slice(1), [
      [['http://a.test/2', ['The orchard']]],
      [['http://a.test/2', ['Apples', 'The orchard']]],
    ])
    assert.equal(await bench.feed.take(10), null)
  },

  async 'a text that is new to a page is told to it however often others were'(bench) {
    const tell = async (text: string, times: number) => {
      const batch = await bench.feed.take(10)
      assert.ok(batch !== null)
      const anchors = Array.from({ length: times }, () => ({ url: 'http://a.test/1', text }))
      await bench.feed.finish(batch.token, { pages: indexed(batch.pages.map(documentOf)), anchors })
    }
    await keep(bench, ['a/1', 'a/2'])
    await tell('Home', 150)
    await tell('Orchard', 1)
    const last = await bench.feed.take(10)
    assert.deepEqual(last?.pages[0]?.anchors, ['Home', 'Orchard'])
  },

  async 'texts of links are told again to a cleared index'(bench) {
    const anchors = Array.from({ length: 100 }, () => ({ url: 'http://b.test/1', text: 'Home' }))
    await keep(bench, ['a/1'])
    for (let times = 0; times < 2; times++) {
      await bench.feed.clear()
      const batch = await bench.feed.take(1)
      assert.ok(batch !== null)
      await bench.feed.finish(batch.token, { pages: indexed(batch.pages.map(documentOf)), anchors })
    }
    await keep(bench, ['b/1'])
    assert.deepEqual((await bench.feed.take(10))?.pages[0]?.anchors, ['Home'])
  },

  async 'lines are counted by the documents of a host that have them, each once, and outlive a restart'(bench) {
    const write = async (feed: TestIndex['feed'], lines: number[]) => {
      const batch = await feed.take(10)
      assert.ok(batch !== null)
      const documents = batch.pages.map((page) => ({ ...documentOf(page), lines, host: 'a.test' }))
      await feed.finish(batch.token, { pages: indexed(documents), anchors: [] })
      return batch
    }
    await keep(bench, ['a/1', 'a/2', 'a/3'])
    assert.deepEqual((await write(bench.feed, [7, -8])).lines, new Map())
    await keep(bench, ['a/1'])
    const next = await bench.reopen()
    const again = await write(next.feed, [7, 9])
    assert.deepEqual(
      again.lines.get('a.test'),
      new Map([
        [7, 3],
        [-8, 3],
      ]),
    )
    assert.deepEqual(again.pages[0]?.before?.lines, [7, -8])
    assert.ok((again.pages[0]?.before?.pageId ?? Infinity) < (again.pages[0]?.version.id ?? 0))
    await keep(next, ['a/4', 'b/1'])
    const last = await next.feed.take(10)
    assert.deepEqual([...(last?.lines.get('a.test') ?? [])].sort(), [
      [-8, 2],
      [7, 3],
      [9, 1],
    ])
    assert.equal(last?.lines.get('b.test'), undefined)
  },

  async 'ranks of urls are there for those that are indexed later, and to be read in order'(bench) {
    await keep(bench, ['a/1'])
    const [page] = await bench.store.pages.history('http://a.test/1')
    const crawlId = page?.crawlId ?? ''
    assert.deepEqual(await bench.index.linkRanks(crawlId, 0, 10), [])
    const ranks = [11, 12, 13].map((urlId) => ({ urlId, linkRank: urlId / 16, inlinks: urlId }))
    const first = await bench.feed.take(1)
    const urlId = first?.pages[0]?.urlId ?? 0
    await bench.feed.saveRanks(crawlId, [...ranks, { urlId, linkRank: 0.5, inlinks: 4 }])
    await bench.feed.noteRanked(crawlId, 4)
    const batch = await bench.feed.take(1)
    assert.deepEqual([batch?.pages[0]?.linkRank, batch?.pages[0]?.inlinks], [0.5, 4])
    const told = await bench.index.linkRanks(crawlId, 11, 1)
    assert.deepEqual(told, [{ urlId: 12, linkRank: 0.75 }])
    assert.equal((await bench.index.linkRanks(crawlId, 0, 10)).length, 4)
  },

  async 'ranks outlive pages and go with their crawl, but a document is found as long as it is there'(bench) {
    await keep(bench, ['a/1'])
    const first = await bench.feed.take(1)
    assert.ok(first?.pages[0] !== undefined)
    const { version, urlId } = first.pages[0]
    const { crawlId } = version
    await finish(bench, first)
    await bench.feed.saveRanks(crawlId, [{ urlId, linkRank: 0.5, inlinks: 4 }])
    await bench.feed.noteRanked(crawlId, 1)
    bench.clock.advance(2 * DAY_MS)
    await bench.store.retention.expire(bench.clock.now(), 10)
    assert.equal((await bench.feed.dropGone(10)).dropped, 1)
    await bench.feed.keepRanks([crawlId])
    assert.deepEqual(await bench.index.linkRanks(crawlId, 0, 10), [{ urlId, linkRank: 0.5 }])
    await bench.write([makeDocument(7, { linkRank: 0.5, terms: { body: 'pear' } })])
    await bench.feed.keepRanks([])
    assert.deepEqual(await found(bench, 'pear'), [7])
    await bench.feed.noteRanked(crawlId, 1)
    assert.deepEqual(await bench.index.linkRanks(crawlId, 0, 10), [])
  },

  async 'documents go with their pages'(bench) {
    await keep(bench, ['a/1', 'a/2'])
    await followAll(bench, 10)
    assert.deepEqual(await bench.feed.dropGone(10), { looked: 2, dropped: 0 })
    bench.clock.advance(DAY_MS - 2000)
    await bench.store.retention.expire(bench.clock.now(), 10)
    let dropped = 0
    for (let i = 0; i < 4; i++) dropped += (await bench.feed.dropGone(1)).dropped
    assert.equal(dropped, 1)
    const left = (await bench.store.pages.history('http://a.test/2')).map(({ id }) => id)
    assert.deepEqual(await found(bench, 'apple', AT_START), left)
  },

  async 'an earlier version comes back when the later one is gone'(bench) {
    await keep(bench, ['a/1'])
    // Kept for a day from a day before, so it goes first.
    const page = { digest: HASH(2), position: { segment: 's1', offset: 50, length: 50 } }
    await visitEach(new Bench(bench.store), [['a/1', page, { visitedAt: bench.clock.now() - DAY_MS / 2 }]])
    await followAll(bench, 10)
    const [first, second] = await bench.store.pages.history('http://a.test/1')
    assert.deepEqual(await found(bench, 'apple', AT_START), [second?.id])
    bench.clock.advance(DAY_MS * 0.75)
    await bench.store.retention.expire(bench.clock.now(), 10)
    assert.deepEqual(await bench.feed.dropGone(10), { looked: 1, dropped: 1 })
    const next = await bench.reopen()
    await followAll(next, 10)
    assert.deepEqual(await found(next, 'apple', AT_START), [first?.id])
  },

  async 'pages that go before they are looked at are not missed'(bench) {
    await keep(bench, ['a/1', 'a/2'])
    bench.clock.advance(2 * DAY_MS)
    await bench.store.retention.expire(bench.clock.now(), 10)
    await keep(bench, ['a/3'])
    assert.deepEqual(await followAll(bench, 10), ['http://a.test/3'])
  },

  async 'the lag says how many wait, and for how long'(bench) {
    assert.deepEqual(await bench.feed.lag(), { waiting: 0, lagMs: 0 })
    await keep(bench, ['a/1', 'a/2', 'a/3'])
    assert.deepEqual(await bench.feed.lag(), { waiting: 3, lagMs: 3000 })
    const { waiting, lagMs } = await bench.index.status()
    assert.deepEqual([waiting, lagMs], [3, 3000])
    const batch = await bench.feed.take(1)
    if (batch !== null) await finish(bench, batch)
    assert.deepEqual(await bench.feed.lag(), { waiting: 2, lagMs: 2000 })
    await followAll(bench, 10)
    assert.deepEqual(await bench.feed.lag(), { waiting: 0, lagMs: 0 })
  },

  async 'after the index was emptied its batches are of another era'(bench) {
    await keep(bench, ['a/1', 'a/2'])
    const eraOf = async () => {
      const batch = (await bench.feed.take(1)) ?? assert.fail('nothing waits')
      await finish(bench, batch)
      return batch.era
    }
    const first = await eraOf()
    assert.equal(await eraOf(), first)
    await bench.feed.clear()
    const second = await eraOf()
    assert.notEqual(second, first)
    assert.equal(await eraOf(), second)
  },

  async 'a cleared index is empty and is filled again to the same'(bench) {
    await keep(bench, ['a/1', 'b/1'])
    await followAll(bench, 1)
    const before = await bench.index.find(asking('apple', AT_START))
    assert.equal(before.hits.length, 2)
    await bench.feed.clear()
    assert.deepEqual([(await bench.index.status()).documents, await found(bench, 'apple', AT_START)], [0, []])
    assert.equal(await bench.index.term('apple', 1), null)
    assert.deepEqual(await followAll(bench, 10), ['http://a.test/1', 'http://b.test/1'])
    assert.deepEqual(await bench.index.find(asking('apple', AT_START)), before)
  },

  async 'it is remembered how far a crawl was when its links were ranked'(bench) {
    await keep(bench, ['a/1'])
    const [page] = await bench.store.pages.history('http://a.test/1')
    const crawlId = page?.crawlId ?? ''
    assert.equal(await bench.feed.visitedWhenRanked(crawlId), 0)
    await bench.feed.noteRanked(crawlId, 12)
    await bench.feed.noteRanked(crawlId, 15)
    assert.equal(await (await bench.reopen()).feed.visitedWhenRanked(crawlId), 15)
  },
}
