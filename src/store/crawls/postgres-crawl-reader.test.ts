import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdPresenceLock, isStoreInUse } from '../postgres/presence.ts'
import { addCrawl, addUrls, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { testPool } from '../testing/test-pool.ts'
import { PostgresCrawlReader } from './postgres-crawl-reader.ts'

const working = async () => true

it('a crawl is found by a unique prefix of its id', async (t) => {
  const pool = await testPool(t)
  await addCrawl(pool, 'ab-1')
  await addCrawl(pool, 'ab-2')
  await addCrawl(pool, 'a%')
  const reader = new PostgresCrawlReader(pool, working)
  assert.equal((await reader.find('ab-2')).id, 'ab-2')
  assert.equal((await reader.find('a%')).id, 'a%')
  await assert.rejects(reader.find('ab'), { code: 'CRAWL_AMBIGUOUS' })
  for (const id of ['', 'b', 'ab_1']) await assert.rejects(reader.find(id), { code: 'CRAWL_NOT_FOUND' })
  await assert.rejects(reader.progress('ab'), { code: 'CRAWL_NOT_FOUND' })
})

it('the counters of all workers add up', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await pool.query(
    `insert into counters (crawl, worker, open, in_progress, visited, sitemaps, bytes, late_reports)
     values ($1, 'w', 10, 4, 0, 1, 100, 1), ($1, 'v', -3, -2, 3, 0, 50, 0), (${crawl + 1}, 'w', 5, 0, 0, 0, 0, 0)`,
    [crawl],
  )
  await pool.query(
    `insert into rejections (crawl, worker, reason, count) values ($1, 'w', 'scope', 2), ($1, 'v', 'scope', 3)`,
    [crawl],
  )
  const reader = new PostgresCrawlReader(pool, working)
  const { ledger, sitemaps, bytes, rejected, lateReports } = await reader.progress(TEST_CRAWL)
  assert.deepEqual([ledger.queued, ledger.in_progress, ledger.visited, sitemaps], [5, 2, 3, 1])
  assert.deepEqual([bytes, rejected, lateReports], [150, { scope: 5 }, 1])
})

it('crawls are listed newest first, even without counters', async (t) => {
  const pool = await testPool(t)
  await addCrawl(pool, 'old', 'completed')
  await addCrawl(pool, 'new')
  const list = await new PostgresCrawlReader(pool, working).list()
  assert.deepEqual(
    list.map(({ crawl, ledger, rejected }) => [crawl.id, ledger.queued, rejected]),
    [
      ['new', 0, {}],
      ['old', 0, {}],
    ],
  )
})

it('all reasons come with their counts, the most common first', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  const reasons = [null, 'robots', 'robots', 'robots', 'http_404', 'http_404', 'a', 'b', 'c', 'd']
  await addUrls(
    pool,
    crawl,
    reasons.map((reason, i) => ({ id: i + 1, state: 4, reason })),
  )
  const counted = Object.entries(await new PostgresCrawlReader(pool, working).reasons(TEST_CRAWL))
  assert.deepEqual(counted, [
    ['robots', 3],
    ['http_404', 2],
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['d', 1],
  ])
})

it('a running crawl is shown as paused while no process works on the database', async (t) => {
  const pool = await testPool(t)
  await addCrawl(pool)
  const reader = new PostgresCrawlReader(pool, () => isStoreInUse(pool))
  const statusNow = async () => {
    const { status, reason } = (await reader.progress(TEST_CRAWL)).crawl
    return [status, reason]
  }
  assert.deepEqual(await statusNow(), ['paused', 'interrupted'])
  const holder = await pool.connect()
  await holdPresenceLock(holder)
  assert.deepEqual(await statusNow(), ['running', null])
  holder.release(true)
  // The server notices a moment later that the connection has ended.
  while (await isStoreInUse(pool));
  assert.deepEqual(await statusNow(), ['paused', 'interrupted'])
})
