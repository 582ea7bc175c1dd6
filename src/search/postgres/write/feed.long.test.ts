// Tests what can only go wrong with several concurrent indexers.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { hashOf, visitEach } from '../../../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../../../ports/contracts/testing/store-harness.ts'
import { findPageIds, makeDocument, termNode, toPageResults } from '../../../ports/contracts/testing/test-index.ts'
import type { FeedBatch, FeedOutcome, FeedPage } from '../../../ports/index-feed.ts'
import { makeTestCluster, type TestIndexCluster } from '../testing/test-cluster.ts'

function documentOf({ version, urlId }: FeedPage) {
  const { id: pageId, crawlId, url, version: number } = version
  return makeDocument(pageId, { urlId, crawlId, url, version: number, terms: { body: `apple v${number}` } })
}

function allOf({ pages }: FeedBatch): FeedOutcome {
  return { pages: toPageResults(pages.map(documentOf)), anchors: [] }
}

function noneOf({ pages }: FeedBatch): FeedOutcome {
  const leftOut = pages.map(({ version }) => ({ url: version.url, version: version.version }))
  return { pages: toPageResults([], leftOut), anchors: [] }
}

describe('several indexers on one database', () => {
  let testIndexCluster: TestIndexCluster
  beforeEach(async () => {
    testIndexCluster = await makeTestCluster(3)
  })
  afterEach(() => testIndexCluster.close())

  const keep = (urls: string[]) =>
    visitEach(
      new StoreHarness(testIndexCluster.store),
      urls.map((url, i) => [url, { digest: hashOf(i + 1), position: { segment: 's1', offset: i * 50, length: 50 } }]),
    )
  const take = async (indexer: number, limit: number): Promise<FeedBatch> =>
    (await testIndexCluster.feeds[indexer]?.take(limit)) ?? assert.fail('nothing to take')
  const finish = (indexer: number, batch: FeedBatch, outcome: FeedOutcome) =>
    testIndexCluster.feeds[indexer]?.finish(batch.token, outcome)

  it('no two have the same page, and together they have all', async () => {
    await keep(Array.from({ length: 30 }, (_, i) => `h${i % 4}/${i}`))
    const given: number[] = []
    const work = async (indexer: number) => {
      for (;;) {
        const batch = await testIndexCluster.feeds[indexer]?.take(4)
        if (batch === null || batch === undefined) return
        given.push(...batch.pages.map(({ version }) => version.id))
        await finish(indexer, batch, allOf(batch))
      }
    }
    await Promise.all([work(0), work(1), work(2)])
    assert.equal(given.length, 30)
    assert.equal(new Set(given).size, 30)
    const { documents, waiting } = await testIndexCluster.index.status()
    assert.deepEqual([documents, waiting], [30, 0])
    assert.equal((await testIndexCluster.index.term('apple', 1))?.documentFrequency, 30)
  })

  it('pages of an indexer that loses its connection go to another, and its late report is rejected', async () => {
    await keep(['a/1', 'a/2'])
    const lost = await take(0, 2)
    assert.equal(await testIndexCluster.feeds[1]?.take(2), null)
    await cutConnections(testIndexCluster.url, 'orbweaver indexer')
    const again = await take(1, 2)
    assert.deepEqual(again.pages, lost.pages)
    await assert.rejects(async () => finish(0, lost, allOf(lost)), { code: 'STORE_AWAY' })
    await finish(1, again, allOf(again))
    assert.deepEqual(
      [(await findPageIds(testIndexCluster, 'apple')).length, (await testIndexCluster.index.status()).documents],
      [2, 2],
    )
    assert.equal(await testIndexCluster.feeds[0]?.take(2), null)
  })

  it('unreadable pages block nobody and are offered again', async () => {
    await keep(['a/1', 'a/2', 'a/3'])
    const first = await take(0, 2)
    await finish(0, first, { pages: allOf(first).pages.slice(0, 1), anchors: [] })
    assert.equal((await testIndexCluster.index.status()).waiting, 1)
    const second = await take(1, 10)
    assert.deepEqual(
      second.pages.map(({ version }) => version.url),
      ['http://a.test/3'],
    )
    await finish(1, second, allOf(second))
    assert.equal(await testIndexCluster.feeds[0]?.take(10), null)
    testIndexCluster.clock.advance(30_000)
    const again = await take(0, 10)
    assert.deepEqual(
      again.pages.map(({ version }) => version.url),
      ['http://a.test/2'],
    )
    await finish(0, again, allOf(again))
    assert.equal((await findPageIds(testIndexCluster, 'apple')).length, 3)
  })

  it('an unfinished batch is released when the next one is taken', async () => {
    await keep(['a/1'])
    const first = await take(0, 1)
    const second = await take(0, 1)
    assert.deepEqual(second.pages, first.pages)
    await assert.rejects(async () => finish(0, first, allOf(first)), { code: 'INTERNAL' })
    await finish(0, second, allOf(second))
    assert.equal((await findPageIds(testIndexCluster, 'apple')).length, 1)
  })

  it('an older version that is finished later does not replace the newer one', async () => {
    await keep(['a/1', 'a/1'])
    const [older, newer] = [await take(0, 1), await take(1, 1)]
    await finish(1, newer, allOf(newer))
    await finish(0, older, allOf(older))
    assert.deepEqual(await findPageIds(testIndexCluster, 'v1'), [])
    assert.deepEqual(await findPageIds(testIndexCluster, 'v2'), [newer.pages[0]?.version.id])
  })

  it('an older version does not come back when the newer one is excluded', async () => {
    await keep(['a/1', 'a/1'])
    const [older, newer] = [await take(0, 1), await take(1, 1)]
    await finish(1, newer, noneOf(newer))
    await finish(0, older, allOf(older))
    assert.deepEqual(await findPageIds(testIndexCluster, 'apple'), [])
    assert.equal(await testIndexCluster.index.term('apple', 1), null)
  })

  it('of concurrently finished versions of a URL the highest stays', async () => {
    for (let round = 0; round < 5; round++) {
      await keep(['a/1', 'a/1', 'a/1'])
      const batches = [await take(0, 1), await take(1, 1), await take(2, 1)]
      await Promise.all(batches.map((batch, i) => finish(i, batch, i === 1 ? noneOf(batch) : allOf(batch))))
      assert.deepEqual(await findPageIds(testIndexCluster, 'apple'), [batches[2]?.pages[0]?.version.id])
    }
  })

  it('when the indexed version expires first, the one before replaces it', async () => {
    const storeHarness = new StoreHarness(testIndexCluster.store)
    const position = (offset: number) => ({ segment: 's1', offset, length: 50 })
    await visitEach(storeHarness, [['a/1', { digest: hashOf(1), position: position(0) }]])
    // The next version is archived for one day, starting a day earlier.
    await visitEach(storeHarness, [
      ['a/1', { digest: hashOf(2), position: position(50) }, { visitedAt: testIndexCluster.clock.now() - 50_000_000 }],
    ])
    const both = await take(0, 10)
    await finish(0, both, allOf(both))
    assert.equal((await findPageIds(testIndexCluster, 'v2')).length, 1)
    testIndexCluster.clock.advance(60_000_000)
    await testIndexCluster.store.retention.expire(testIndexCluster.clock.now(), 10)
    assert.deepEqual(await testIndexCluster.feeds[1]?.followRetention(10), { examined: 1, dropped: 1 })
    const left = await take(1, 10)
    await finish(1, left, allOf(left))
    assert.deepEqual(await findPageIds(testIndexCluster, termNode('v1', 'v2')), [both.pages[0]?.version.id])
  })

  it('a page in a batch is offered again when another indexer adds anchor texts for it', async () => {
    await keep(['a/1', 'a/2'])
    const [linking, target] = [await take(0, 1), await take(1, 1)]
    const anchors = [{ url: 'http://a.test/2', text: 'Orchard' }]
    await finish(0, linking, { ...allOf(linking), anchors })
    await finish(1, target, allOf(target))
    const again = await take(2, 10)
    assert.deepEqual(
      again.pages.map(({ version, anchors: texts }) => [version.url, texts]),
      [['http://a.test/2', ['Orchard']]],
    )
    await finish(2, again, allOf(again))
    assert.equal(await testIndexCluster.feeds[0]?.take(10), null)
  })

  it('a page that leaves its language open gets that of its host, whichever batch ends first', async () => {
    for (const [host, order] of [
      ['a', [0, 1]],
      ['b', [1, 0]],
    ] as const) {
      await keep([`${host}/open`, `${host}/1`, `${host}/2`])
      const batches = [await take(0, 1), await take(1, 10)]
      const outcomes = batches.map(({ pages }, i) => {
        const language = i === 0 ? { lang: 'no', possibleLangs: ['no', 'en'] } : { lang: 'en', possibleLangs: null }
        const documents = pages.map((page) => ({ ...documentOf(page), host: `${host}.test`, ...language }))
        return { pages: toPageResults(documents), anchors: [] }
      })
      for (const i of order) await finish(i, batches[i] ?? assert.fail(), outcomes[i] ?? assert.fail())
      const again = await take(2, 10)
      assert.deepEqual(
        again.pages.map(({ version }) => version.url),
        [`http://${host}.test/open`],
      )
      const languages = again.hosts.get(`${host}.test`)?.languages
      assert.deepEqual(Object.fromEntries(languages ?? []), { en: 2, no: 1 })
      await finish(2, again, allOf(again))
    }
  })

  it('clearing the index while others hold pages loses none', async () => {
    await keep(['a/1', 'a/2', 'a/3'])
    const first = await take(0, 1)
    await finish(0, first, allOf(first))
    const second = await take(0, 1)
    await testIndexCluster.feeds[1]?.clear()
    await finish(0, second, allOf(second))
    const rest = await take(2, 10)
    assert.deepEqual(
      rest.pages.map(({ version }) => version.url),
      ['http://a.test/1', 'http://a.test/3'],
    )
    await finish(2, rest, allOf(rest))
    assert.equal((await findPageIds(testIndexCluster, 'apple')).length, 3)
  })
})

async function cutConnections(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid, 60000) from pg_stat_activity where application_name = $1 and datname = current_database()`,
    [name],
  )
  await client.end()
}
