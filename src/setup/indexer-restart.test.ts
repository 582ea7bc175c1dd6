// Information from other pages reaches a page whenever it is indexed, independent of restarts of the indexer.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { silentLog } from '../lib/log.ts'
import { makeIndexQuery } from '../ports/contracts/testing/test-index.ts'
import { Analyser } from '../search/analyse/analyser.ts'
import { Indexer } from '../search/indexer/indexer.ts'
import { openTestIndex } from '../search/sqlite/testing/test-index.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'
import { makeHtmlArchive } from './testing/html-archive.ts'

/** A store with an index and an HTML archive; every catchUp runs a new indexer. */
function makeIndexedStore(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-again-'))
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  const index = openTestIndex(dir, store, () => rmSync(dir, { recursive: true }))
  t.after(() => index.close())
  const { reading, keep } = makeHtmlArchive(store)
  const makeIndexer = () => {
    const analyser = new Analyser({ detect: () => ['en'], findEntities: null })
    const { crawls, urls, revisits, clock } = store
    return new Indexer({
      feed: index.feed,
      reading,
      crawls,
      urls,
      revisits,
      analyser,
      consumers: [],
      clock,
      log: silentLog,
    })
  }
  return {
    ...index,
    makeIndexer,
    keep,
    catchUp: () => makeIndexer().catchUp(),
  }
}

const FRAME = '<div>Subscribe to our letter today</div>'
const page = (n: number) => `<p>A text of some length about topic${n} and other things of that kind.</p>${FRAME}`

it('an index built in many steps equals an index built at once', async (t) => {
  const { index, feed, keep, catchUp } = makeIndexedStore(t)
  for (let n = 1; n <= 3; n++) {
    await keep(`a/${n}`, page(n))
    await catchUp()
  }
  // Repeated versions of one page must not affect the others.
  for (let times = 0; times < 3; times++) {
    await keep('a/1', page(1))
    await catchUp()
  }
  await keep('a/4', page(4))
  await catchUp()
  const inBody = async () => (await index.term('subscrib', 20))?.entries.filter(({ positions }) => positions.body)
  assert.equal((await inBody())?.length, 4)
  await keep('a/5', page(5))
  await keep('a/6', page(6))
  await catchUp()
  assert.equal((await inBody())?.length, 4)
  const readIndex = async () => {
    const { hits } = await index.find(makeIndexQuery('text', { now: 0, explains: true, groupsSimilar: false }))
    // Keywords depend on the pages that the indexer has seen recently.
    return [await index.term('subscrib', 20), hits.map((hit) => ({ ...hit, keywords: null }))]
  }
  const before = await readIndex()
  await feed.clear()
  await catchUp()
  assert.deepEqual(await readIndex(), before)
})

it('a page is found by the anchor text of later links', async (t) => {
  const { index, keep, catchUp } = makeIndexedStore(t)
  await keep('a/1', '<p>A text about apples and nothing else at all.</p>')
  await catchUp()
  const find = () => index.find(makeIndexQuery('orchard', { now: 0, explains: true }))
  assert.equal((await find()).total, 0)
  await keep('a/2', '<p>A text about other things with a link: <a href="/1">The orchard</a></p>')
  await catchUp()
  const { hits } = await find()
  const anchored = hits.find(({ url }) => url === 'http://a.test/1')
  assert.deepEqual(Object.keys(anchored?.parts.fields ?? {}), ['anchors'])
  assert.equal((await index.status()).documents, 2)
})

it('an indexer that continues after the index was cleared restores the anchor text', async (t) => {
  const { index, feed, keep, makeIndexer } = makeIndexedStore(t)
  await keep('a/1', '<html lang=en><title>One</title><p>Some words.')
  await keep('a/2', '<html lang=en><title>Two</title><p><a href="/1">pomegranates</a>')
  const indexer = makeIndexer()
  const found = async () =>
    (await index.find(makeIndexQuery('pomegran', { now: 0 }))).hits.map(({ title }) => title).sort()
  await indexer.catchUp()
  const before = await found()
  assert.deepEqual(before, ['One', 'Two'])
  await feed.clear()
  await indexer.catchUp()
  assert.deepEqual(await found(), before)
})
