import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { addCrawl, addUrls } from '../testing/crawl-rows.ts'
import { testPool } from '../testing/test-pool.ts'
import { verifyCrawl } from './postgres-verify.ts'

/** Statements that break one rule of a sound crawl each; $1 is the row id of the crawl. */
const DAMAGE: Record<string, string> = {
  'a finished URL has a visit, or a reason for having none':
    'update visits set state = 20 where crawl = $1 and url_id = 1',
  'an excluded URL has a reason': 'update urls set reason = null where crawl = $1 and state = 10',
  'every URL has a known state': 'update urls set state = 11 where crawl = $1 and id = 5',
  'a URL has as many visits as attempts': 'delete from visits where crawl = $1 and url_id = 3',
  'a URL is one step deeper than its parent': 'update urls set depth = 2 where crawl = $1 and id = 5',
  'the parent of a URL is in the same crawl': 'update urls set parent = 99 where crawl = $1 and id = 2',
  'only seeds have no parent': 'update urls set parent = null where crawl = $1 and id = 2',
  'a URL has one row': `update urls set url = 'http://a.test/1' where crawl = $1 and id = 2`,
  'a URL has a known host': 'delete from hosts where $1 > 0',
  'a finished crawl has no open URLs': `update crawls set status = 'completed' where id = $1`,
  'a URL in progress has a lease on its host': 'update leases set host = 8 where crawl = $1',
  'a host with queued URLs is in the queue': 'delete from queues where crawl = $1',
  'a finished crawl has no pending shorter paths': `with done as (update crawls set status = 'failed' where id = $1)
    insert into detours (crawl, host, url_id) values ($1, 7, 1)`,
  'counters equal a recount': `insert into counters (crawl, worker, in_progress) values ($1, 'v', -1)`,
}

async function soundCrawl(t: TestContext) {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  await pool.query(
    `insert into leases (token, worker, crawl, host, slots, expires_at) values (40, 'w', ${crawl}, 7, 1, 0)`,
  )
  await addUrls(pool, crawl, [
    { id: 1, state: 4 },
    { id: 2, state: 10, depth: 1, parent: 1, reason: 'robots' },
    { id: 3, state: 5, depth: 1, parent: 1 },
    { id: 4, state: 3, depth: 1, parent: 3, lease: 40 },
    { id: 5, state: 2, depth: 1, parent: 1 },
  ])
  return { pool, crawl }
}

describe('the verification of a crawl', () => {
  it('finds nothing in a sound crawl', async (t) => {
    const { pool, crawl } = await soundCrawl(t)
    assert.deepEqual(await verifyCrawl(pool, crawl), [])
  })

  for (const [rule, damage] of Object.entries(DAMAGE)) {
    it(`checks that ${rule}`, async (t) => {
      const { pool, crawl } = await soundCrawl(t)
      await pool.query(damage, [crawl])
      const rules = (await verifyCrawl(pool, crawl)).map((failedCheck) => failedCheck.rule)
      assert.ok(rules.includes(rule), rules.join('; '))
    })
  }

  it('accepts a shorter path that is not applied yet', async (t) => {
    const { pool, crawl } = await soundCrawl(t)
    await pool.query('update urls set depth = 0 where crawl = $1 and id = 3', [crawl])
    assert.equal((await verifyCrawl(pool, crawl)).length, 1)
    await pool.query('insert into detours (crawl, host, url_id) values ($1, 7, 3), ($1, 7, 1)', [crawl])
    assert.deepEqual(await verifyCrawl(pool, crawl), [])
  })
})
