import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type pg from 'pg'
import { PostgresCrawlReader } from '../../../crawls/postgres-crawl-reader.ts'
import { PostgresDiagnostics } from '../../../diagnostics/postgres.ts'
import { addCrawl, TEST_CRAWL } from '../../../testing/crawl-rows.ts'
import { testPool } from '../../../testing/test-pool.ts'
import { recordPatterns } from '../discovery/patterns.ts'
import { countRejected } from '../discovery/rejected-links.ts'
import { addToCounters, readCommitMark } from './counters.ts'
import { mergeCounters } from './merge-counters.ts'

const WORKERS = 60

/** A crawl with this many workers, each in its own process. */
async function crowd(t: TestContext): Promise<{ pool: pg.Pool; crawl: number }> {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  for (let i = 1; i <= WORKERS; i++) {
    const owner = { crawl, holder: `${i}/w-0` }
    await addToCounters(pool, owner, { open: 2, visited: i, in_progress: -1 }, { number: 7, added: i })
    await countRejected(pool, owner, { scope: i, depth: 1 })
    const state = i === 9 ? 'capped' : 'slowed'
    await recordPatterns(pool, owner, [{ pattern: 'a.test/*', state, visits: 2, fruitless: 1 }], 1000 + i)
  }
  return { pool, crawl }
}

async function everything(pool: pg.Pool) {
  const { ledger, rejected, sitemaps } = await new PostgresCrawlReader(pool, async () => true).progress(TEST_CRAWL)
  return { ledger, rejected, sitemaps, patterns: await new PostgresDiagnostics(pool).patterns(TEST_CRAWL) }
}

async function workersIn(pool: pg.Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query(`select distinct worker from ${table} order by worker`)
  return rows.map(({ worker }) => worker)
}

it('rows of workers that are gone become one, and no sum changes', async (t) => {
  const { pool } = await crowd(t)
  const before = await everything(pool)
  assert.deepEqual(
    [before.ledger.visited, before.rejected],
    [(WORKERS * (WORKERS + 1)) / 2, { scope: 1830, depth: 60 }],
  )
  await mergeCounters(pool)
  for (const table of ['counters', 'rejections', 'patterns']) assert.deepEqual(await workersIn(pool, table), ['0/'])
  assert.deepEqual(await everything(pool), before)
})

it('a crawl with few workers is left alone', async (t) => {
  const { pool } = await crowd(t)
  await pool.query(`delete from counters where worker > '2'`)
  const before = await workersIn(pool, 'counters')
  await mergeCounters(pool)
  assert.deepEqual(await workersIn(pool, 'counters'), before)
})

it('workers with leases, with a heartbeat or with a commit in progress keep their rows', async (t) => {
  const { pool, crawl } = await crowd(t)
  await pool.query(
    `insert into leases (token, worker, crawl, host, slots, expires_at) values (1, '3/w-0', $1, 7, 1, 5000)`,
    [crawl],
  )
  await pool.query(
    `insert into workers (id, process, name, version, state, started_at, seen_at, figures)
     values ('w', 4, 'w', '1', 'working', 0, 0, '{}')`,
  )
  const before = await everything(pool)
  const committing = await pool.connect()
  await committing.query('begin')
  await addToCounters(committing, { crawl, holder: '5/w-0' }, { visited: 1 })
  await mergeCounters(pool)
  await committing.query('commit')
  committing.release()
  assert.deepEqual(await workersIn(pool, 'counters'), ['0/', '3/w-0', '4/w-0', '5/w-0'])
  const after = await everything(pool)
  assert.equal(after.ledger.visited, before.ledger.visited + 1)
})

it('a worker that comes back finds the mark of its last commit, and keeps counting', async (t) => {
  const { pool, crawl } = await crowd(t)
  await mergeCounters(pool)
  const owner = { crawl, holder: '6/w-0' }
  assert.equal(await readCommitMark(pool, owner, 7), 6)
  assert.equal(await readCommitMark(pool, owner, 8), null)
  const { visited } = (await everything(pool)).ledger
  await addToCounters(pool, owner, { visited: 1 }, { number: 8, added: 0 })
  assert.equal((await everything(pool)).ledger.visited, visited + 1)
  assert.equal(await readCommitMark(pool, owner, 8), 0)
})
