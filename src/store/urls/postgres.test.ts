import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { addCrawl, addUrls, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { testPool } from '../testing/test-pool.ts'
import { PostgresUrls } from './postgres.ts'

it('rows come by id, however many there are and whatever other crawls have', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  const other = await addCrawl(pool, 'other')
  await pool.query(
    `insert into urls (crawl, id, key, host, state, rank, depth, hops, first_seen_at, url)
     select case when n % 3 = 0 then ${other} else ${crawl} end, n, n, n % 5, 2, 4, 0, 0, 1000, 'http://a.test/' || n
     from generate_series(1, 7000) n`,
  )
  const ids = (await Array.fromAsync(new PostgresUrls(pool).rows(TEST_CRAWL))).map((row) => row.id)
  assert.deepEqual(
    ids,
    Array.from({ length: 7000 }, (_, i) => i + 1).filter((n) => n % 3 !== 0),
  )
})

it('a row contains its last visit and its listing', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await addUrls(pool, crawl, [{ id: 1, state: 4 }])
  await pool.query(
    `insert into listings (crawl, host, url_id, lastmod, priority, changefreq) values (${crawl}, 7, 1, 5, 0.5, 'daily')`,
  )
  const [row] = await Array.fromAsync(new PostgresUrls(pool).rows(TEST_CRAWL))
  assert.deepEqual(row, {
    id: 1,
    url: 'http://a.test/1',
    state: 'visited',
    reason: null,
    depth: 0,
    priority: 10,
    kind: 'page',
    httpStatus: 200,
    contentType: null,
    contentLength: 5_000_000_000,
    contentHash: null,
    title: 'Title',
    discoveredFrom: null,
    redirectTo: null,
    attempts: 1,
    fetchMs: 5,
    ip: null,
    firstSeenAt: 1000,
    visitedAt: 2001,
    leasedBy: null,
    canonical: null,
    noindex: true,
    cname: null,
    proxy: null,
    listing: { lastmod: 5, changefreq: 'daily', priority: 0.5 },
    isFromScript: false,
    visitedBy: null,
    processingMs: null,
  })
})

it('edges connect known pages by their keys', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  const keys = [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n, 5n]
  await addUrls(
    pool,
    crawl,
    keys.map((key, i) => ({ id: i + 1, state: 2, key })),
  )
  const targets = (...list: bigint[]) => Buffer.from(new BigInt64Array(list).buffer)
  const text = 'insert into links (crawl, host, url_id, targets) values ($1, 7, $2, $3)'
  await pool.query(text, [crawl, 3, targets(5n, -9_223_372_036_854_775_808n)])
  await pool.query(text, [crawl, 1, targets(9_223_372_036_854_775_807n, 77n)])
  assert.deepEqual(await Array.fromAsync(new PostgresUrls(pool).edges(TEST_CRAWL)), [
    { from: 1, to: 2 },
    { from: 3, to: 3 },
    { from: 3, to: 1 },
  ])
})

it('an unknown crawl is an error', async (t) => {
  const urls = new PostgresUrls(await testPool(t))
  const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'CRAWL_NOT_FOUND'
  await assert.rejects(Array.fromAsync(urls.rows('none')), isNotFound)
  await assert.rejects(urls.verify('none'), isNotFound)
})
