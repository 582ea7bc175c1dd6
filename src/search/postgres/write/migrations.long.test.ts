// Migrations of the index: each runs again, on tables as they were before it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { makeFeedDocument } from '../../../ports/contracts/testing/indexed-pages.ts'
import { hashOf, visitEach } from '../../../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../../../ports/contracts/testing/store-harness.ts'
import { makeIndexQuery, toPageResults } from '../../../ports/contracts/testing/test-index.ts'
import type { FeedBatch, IndexFeed } from '../../../ports/index-feed.ts'
import { makeTestCluster, type TestIndexCluster } from '../testing/test-cluster.ts'

describe('a migration of the index', () => {
  let cluster: TestIndexCluster
  let feed: IndexFeed
  let client: pg.Client
  beforeEach(async () => {
    cluster = await makeTestCluster(1)
    feed = cluster.feeds[0] ?? assert.fail('there is no feed')
    client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await cluster.close()
  })

  const keep = (urls: string[]) =>
    visitEach(
      new StoreHarness(cluster.store),
      urls.map((url, i) => [url, { digest: hashOf(i + 1), position: { segment: 's1', offset: i * 50, length: 50 } }]),
    )
  const take = async (limit: number): Promise<FeedBatch> => (await feed.take(limit)) ?? assert.fail('nothing waits')
  const index = async (limit: number): Promise<FeedBatch> => {
    const batch = await take(limit)
    await feed.finish(batch.token, { pages: toPageResults(batch.pages.map(makeFeedDocument)), anchors: [] })
    return batch
  }
  const migrate = async (name: string, before: string) => {
    await client.query(before)
    const file = new URL(`../../../store/postgres/migrations/${name}`, import.meta.url)
    await client.query(readFileSync(file, 'utf8'))
  }

  it('reindexes documents from before line counts, after new pages', async () => {
    await keep(['a/1', 'a/1'])
    await index(10)
    await keep(['a/2'])
    await migrate('0013-search-lines.sql', 'alter table documents drop column lines; drop table host_lines')
    await client.query(`alter table host_lines add column languages text not null default '{}'`)
    const first = await index(1)
    const again = [first, await take(10)].map(({ pages }) => pages)
    assert.deepEqual(
      again.map((pages) => pages.map(({ version, previous }) => [version.url, version.version, previous?.lines])),
      [[['http://a.test/2', 1, undefined]], [['http://a.test/1', 2, []]]],
    )
  })

  it('keeps the most common anchor texts', async () => {
    await migrate(
      '0021-repeated-lines.sql',
      `alter table documents drop column repeated; alter table anchors add column count bigint;
       insert into anchors (url_key, slot, text, count)
         select '00000000-0000-0000-0000-000000000001', n % 2, 'Text ' || n / 2, n from generate_series(0, 39) as n`,
    )
    const { rows } = await client.query('select distinct text from anchors')
    const commonest = Array.from({ length: 12 }, (_, i) => `Text ${i + 8}`)
    assert.deepEqual(rows.map(({ text }) => text).sort(), commonest.sort())
  })

  it('keeps the link ranks of documents until their crawls are ranked again', async () => {
    await keep(['a/1', 'b/1'])
    const { pages } = await index(10)
    const crawlId = pages[0]?.version.crawlId ?? ''
    await feed.recordRanking(crawlId, 1)
    await migrate(
      '0025-link-ranks.sql',
      `drop table url_ranks, document_ranks; alter table ranked_crawls drop column created_at;
       create table document_ranks (crawl text, url_id bigint, link_rank real, inlinks bigint, primary key (crawl, url_id));
       create index document_ranks_best on document_ranks (link_rank);
       insert into document_ranks select crawl, url_id, 0.5, 3 from documents where url like '%a.test%'`,
    )
    const { hits } = await cluster.index.find(makeIndexQuery('apple', { now: 0, groupsSimilar: false }))
    assert.deepEqual(
      hits.map(({ url, parts }) => [url, parts.linkRank > 1]),
      [
        ['http://a.test/1', true],
        ['http://b.test/1', false],
      ],
    )
    assert.equal(await feed.visitedWhenRanked(crawlId), 0)
  })

  it('indexes all pages again to learn their languages', async () => {
    await keep(['a/1', 'b/1'])
    await index(10)
    await migrate(
      '0026-host-languages.sql',
      'alter table documents drop column possible_langs; alter table host_lines drop column languages',
    )
    assert.equal((await cluster.index.status()).documents, 0)
    assert.equal((await index(10)).pages.length, 2)
    assert.equal((await cluster.index.find(makeIndexQuery('apple', { now: 0 }))).total, 2)
  })
})
