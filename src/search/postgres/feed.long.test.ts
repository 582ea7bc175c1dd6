// What only an index that many fill at a time can get wrong.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { HASH, visitEach } from '../../ports/pages.bench.ts'
import { found, indexed, makeDocument, word } from '../../ports/search.bench.ts'
import type { FeedBatch, FeedOutcome, FeedPage } from '../../ports/search.ts'
import { Bench } from '../../ports/store.contract.ts'
import { type Cluster, makeCluster } from './test-cluster.ts'

function documentOf({ version, urlId }: FeedPage) {
  const { id: pageId, crawlId, url, version: number } = version
  return makeDocument(pageId, { urlId, crawlId, url, version: number, terms: { body: `apple v${number}` } })
}

function allOf({ pages }: FeedBatch): FeedOutcome {
  return { pages: indexed(pages.map(documentOf)), anchors: [] }
}

function noneOf({ pages }: FeedBatch): FeedOutcome {
  const leftOut = pages.map(({ version }) => ({ url: version.url, version: version.version }))
  return { pages: indexed([], leftOut), anchors: [] }
}

describe('several indexers on one database', () => {
  let cluster: Cluster
  beforeEach(async () => {
    cluster = await makeCluster(3)
  })
  afterEach(() => cluster.close())

  const keep = (urls: string[]) =>
    visitEach(
      new Bench(cluster.store),
      urls.map((url, i) => [url, { digest: HASH(i + 1), position: { segment: 's1', offset: i * 50, length: 50 } }]),
    )
  const take = async (indexer: number, limit: number): Promise<FeedBatch> =>
    (await cluster.feeds[indexer]?.take(limit)) ?? assert.fail('nothing to take')
  const finish = (indexer: number, batch: FeedBatch, outcome: FeedOutcome) =>
    cluster.feeds[indexer]?.finish(batch.token, outcome)

  it('no two have the same page, and together they have all', async () => {
    await keep(Array.from({ length: 30 }, (_, i) => `h${i % 4}/${i}`))
    const given: number[] = []
    const work = async (indexer: number) => {
      for (;;) {
        const batch = await cluster.feeds[indexer]?.take(4)
        if (batch === null || batch === undefined) return
        given.push(...batch.pages.map(({ version }) => version.id))
        await finish(indexer, batch, allOf(batch))
      }
    }
    await Promise.all([work(0), work(1), work(2)])
    assert.equal(given.length, 30)
    assert.equal(new Set(given).size, 30)
    const { documents, waiting } = await cluster.index.status()
    assert.deepEqual([documents, waiting], [30, 0])
    assert.equal((await cluster.index.term('apple', 1))?.documentFrequency, 30)
  })

  it('pages of one that loses its connection come to another, and its late report is refused', async () => {
    await keep(['a/1', 'a/2'])
    const lost = await take(0, 2)
    assert.equal(await cluster.feeds[1]?.take(2), null)
    await cutConnections(cluster.url, 'orbweaver indexer')
    const again = await take(1, 2)
    assert.deepEqual(again.pages, lost.pages)
    await assert.rejects(async () => finish(0, lost, allOf(lost)), { code: 'STORE_AWAY' })
    await finish(1, again, allOf(again))
    assert.deepEqual([(await found(cluster, 'apple')).length, (await cluster.index.status()).documents], [2, 2])
    assert.equal(await cluster.feeds[0]?.take(2), null)
  })

  it('pages that cannot be read now hold nobody up, and come again', async () => {
    await keep(['a/1', 'a/2', 'a/3'])
    const first = await take(0, 2)
    await finish(0, first, { pages: allOf(first).pages.slice(0, 1), anchors: [] })
    assert.equal((await cluster.index.status()).waiting, 1)
    const second = await take(1, 10)
    assert.deepEqual(
      second.pages.map(({ version }) => version.url),
      ['http://a.test/3'],
    )
    await finish(1, second, allOf(second))
    assert.equal(await cluster.feeds[0]?.take(10), null)
    cluster.clock.advance(30_000)
    const again = await take(0, 10)
    assert.deepEqual(
      again.pages.map(({ version }) => version.url),
      ['http://a.test/2'],
    )
    await finish(0, again, allOf(again))
    assert.equal((await found(cluster, 'apple')).length, 3)
  })

  it('a batch that is not finished is given back when the next one is taken', async () => {
    await keep(['a/1'])
    const first = await take(0, 1)
    const second = await take(0, 1)
    assert.deepEqual(second.pages, first.pages)
    await assert.rejects(async () => finish(0, first, allOf(first)), { code: 'INTERNAL' })
    await finish(0, second, allOf(second))
    assert.equal((await found(cluster, 'apple')).length, 1)
  })

  it('an older version that is finished later does not replace the newer one', async () => {
    await keep(['a/1', 'a/1'])
    const [older, newer] = [await take(0, 1), await take(1, 1)]
    await finish(1, newer, allOf(newer))
    await finish(0, older, allOf(older))
    assert.deepEqual(await found(cluster, 'v1'), [])
    assert.deepEqual(await found(cluster, 'v2'), [newer.pages[0]?.version.id])
  })

  it('an older version does not come back when the newer one shall not be found', async () => {
    await keep(['a/1', 'a/1'])
    const [older, newer] = [await take(0, 1), await take(1, 1)]
    await finish(1, newer, noneOf(newer))
    await finish(0, older, allOf(older))
    assert.deepEqual(await found(cluster, 'apple'), [])
    assert.equal(await cluster.index.term('apple', 1), null)
  })

  it('versions of one url that are finished at the same moment leave the highest', async () => {
    for (let round = 0; round < 5; round++) {
      await keep(['a/1', 'a/1', 'a/1'])
      const batches = [await take(0, 1), await take(1, 1), await take(2, 1)]
      await Promise.all(batches.map((batch, i) => finish(i, batch, i === 1 ? noneOf(batch) : allOf(batch))))
      assert.deepEqual(await found(cluster, 'apple'), [batches[2]?.pages[0]?.version.id])
    }
  })

  it('when the version that is indexed goes first, the one before takes its place', async () => {
    const bench = new Bench(cluster.store)
    const position = (offset: number) => ({ segment: 's1', offset, length: 50 })
    await visitEach(bench, [['a/1', { digest: HASH(1), position: position(0) }]])
    // The next one is kept for a day only from a day before.
    await visitEach(bench, [
      ['a/1', { digest: HASH(2), position: position(50) }, { visitedAt: cluster.clock.now() - 50_000_000 }],
    ])
    const both = await take(0, 10)
    await finish(0, both, allOf(both))
    assert.equal((await found(cluster, 'v2')).length, 1)
    cluster.clock.advance(60_000_000)
    await cluster.store.retention.expire(cluster.clock.now(), 10)
    assert.deepEqual(await cluster.feeds[1]?.dropGone(10), { looked: 1, dropped: 1 })
    const left = await take(1, 10)
    await finish(1, left, allOf(left))
    assert.deepEqual(await found(cluster, word('v1', 'v2')), [both.pages[0]?.version.id])
  })

  it('a page that one has while another brings links to it is given out again', async () => {
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
    assert.equal(await cluster.feeds[0]?.take(10), null)
  })

  it('documents of before there were lines are indexed again, behind new pages', async () => {
    await keep(['a/1', 'a/1'])
    const both = await take(0, 10)
    await finish(0, both, allOf(both))
    await keep(['a/2'])
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query('alter table documents drop column lines; drop table host_lines')
    const migration = new URL('../../store/postgres/migrations/0013-search-lines.sql', import.meta.url)
    await client.query(readFileSync(migration, 'utf8'))
    await client.end()
    const again = [await take(0, 1), await take(1, 10)].map(({ pages }) => pages)
    assert.deepEqual(
      again.map((pages) => pages.map(({ version, before }) => [version.url, version.version, before?.lines])),
      [[['http://a.test/2', 1, undefined]], [['http://a.test/1', 2, []]]],
    )
  })

  it('of the texts of links that are there before the migration the commonest stay', async () => {
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query('alter table documents drop column repeated; alter table anchors add column count bigint')
    await client.query(
      `insert into anchors (url_key, slot, text, count)
       select '00000000-0000-0000-0000-000000000001', n % 2, 'Text ' || n / 2, n from generate_series(0, 39) as n`,
    )
    const migration = new URL('../../store/postgres/migrations/0021-repeated-lines.sql', import.meta.url)
    await client.query(readFileSync(migration, 'utf8'))
    const { rows } = await client.query('select distinct text from anchors')
    await client.end()
    const commonest = Array.from({ length: 12 }, (_, i) => `Text ${i + 8}`)
    assert.deepEqual(rows.map(({ text }) => text).sort(), commonest.sort())
  })

  it('an index that is cleared while others have pages misses none', async () => {
    await keep(['a/1', 'a/2', 'a/3'])
    const first = await take(0, 1)
    await finish(0, first, allOf(first))
    const second = await take(0, 1)
    await cluster.feeds[1]?.clear()
    await finish(0, second, allOf(second))
    const rest = await take(2, 10)
    assert.deepEqual(
      rest.pages.map(({ version }) => version.url),
      ['http://a.test/1', 'http://a.test/3'],
    )
    await finish(2, rest, allOf(rest))
    assert.equal((await found(cluster, 'apple')).length, 3)
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
