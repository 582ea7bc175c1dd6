import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { StoreClock } from '../postgres/store-clock.ts'
import { PostgresRobots } from '../robots/postgres.ts'
import { addCrawl, addUrls, addVisit, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { testPool } from '../testing/test-pool.ts'
import { PostgresDiagnostics } from './postgres.ts'

it('gaps and peaks are computed from the times of the visits, including retried ones', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await addUrls(pool, crawl, [
    { id: 1, state: 2 },
    { id: 2, state: 10, reason: 'robots' },
    { id: 3, state: 10, reason: 'trap:x' },
  ])
  const starts = [0, 300, 320, 900]
  for (const [i, start] of starts.entries()) {
    await addVisit(pool, crawl, { urlId: 1, state: 20, attempt: i + 1, at: start + 100, ms: 100 })
  }
  const [host, ...others] = await Array.fromAsync(new PostgresDiagnostics(pool).politeness(TEST_CRAWL))
  assert.deepEqual(others, [])
  assert.deepEqual(host, {
    host: 'a.test',
    requests: 4,
    smallestGapMs: 20,
    subrequests: 0,
    peak: 2,
    gapMs: 250,
    concurrencyLimit: null,
    denied: 1,
    robots: [],
  })
})

it('the robots.txt of both origins of a host is shown, as last saved', async (t) => {
  const pool = await testPool(t)
  await addUrls(pool, await addCrawl(pool), [{ id: 1, state: 2 }])
  const robots = new PostgresRobots(pool, new StoreClock(new ManualClock(), true))
  const copy = { origin: 'http://a.test', askedAt: 1, expiresAt: 2, status: 200, problem: null, body: null, goodAt: 1 }
  await robots.save(copy)
  const latest = { ...copy, origin: 'https://a.test', problem: 'timeout', body: new Uint8Array([0, 255, 10]) }
  await robots.save({ ...latest, status: 500 })
  await robots.save(latest)
  await robots.save({ ...copy, origin: 'https://b.test' })
  const [host] = await Array.fromAsync(new PostgresDiagnostics(pool).politeness(TEST_CRAWL))
  assert.deepEqual(
    host?.robots.map(({ body, ...rest }) => ({ ...rest, body: body === null ? null : new Uint8Array(body) })),
    [copy, latest],
  )
  assert.equal(await robots.find('https://c.test'), null)
})

it('reports of workers about a pattern add up, and the strongest state counts', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await addUrls(pool, crawl, [
    { id: 1, state: 10, reason: 'trap:p2' },
    { id: 2, state: 10, reason: 'trap:p2' },
  ])
  const reports: [pattern: string, worker: string, state: string, changedAt: number][] = [
    ['p1', 'v', 'slowed', 2],
    ['p1', 'w', 'open', 1],
    ['p2', 'v', 'capped', 1],
    ['p2', 'w', 'slowed', 2],
    ['p3', 'v', 'capped', 2],
    ['p3', '', 'released', 1],
    ['p4', 'v', 'slowed', 1],
    ['p4', 'w', 'open', 2],
    ['p5', 'v', 'slowed', 1],
    ['p5', 'w', 'slowed', 2],
  ]
  for (const [pattern, worker, state, changedAt] of reports) {
    await pool.query('insert into patterns values ($1, $2, $3, $4, 5, 2, $5)', [
      crawl,
      pattern,
      worker,
      state,
      changedAt,
    ])
  }
  await pool.query(`insert into held_urls values ($1, 'p5', 1, 7, 3, 0, false, 1, '')`, [crawl])
  const patterns = await new PostgresDiagnostics(pool).patterns(TEST_CRAWL)
  const counts = { visits: 10, fruitless: 4 }
  assert.deepEqual(patterns, [
    { pattern: 'p2', state: 'capped', ...counts, excludedUrls: 2, example: 'http://a.test/1' },
    { pattern: 'p5', state: 'slowed', ...counts, excludedUrls: 0, example: null },
    { pattern: 'p3', state: 'released', ...counts, excludedUrls: 0, example: null },
  ])
})

it('rejected links come with their page', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await addUrls(pool, crawl, [{ id: 1, state: 2 }])
  await pool.query(
    `insert into rejection_samples (crawl, reason, sample, url_id) values ($1, 'b', 'x', 1), ($1, 'B', 'y', 9)`,
    [crawl],
  )
  assert.deepEqual(await new PostgresDiagnostics(pool).rejectedExamples(TEST_CRAWL), [
    { reason: 'B', text: 'y', pageUrl: '' },
    { reason: 'b', text: 'x', pageUrl: 'http://a.test/1' },
  ])
})

it('sitemaps that could not be read are listed, and those still queued are not', async (t) => {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await addUrls(pool, crawl, [
    { id: 1, state: 7, kind: 1, reason: 'http_404' },
    { id: 2, state: 3, kind: 1, lease: 1 },
    { id: 3, state: 4, kind: 1 },
    { id: 4, state: 7 },
  ])
  assert.deepEqual(await new PostgresDiagnostics(pool).brokenSitemaps(TEST_CRAWL), [
    { url: 'http://a.test/1', state: 'not_found', reason: 'http_404' },
  ])
})
