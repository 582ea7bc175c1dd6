// Two commits at once, one of which adds a pattern to render.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../../../lib/testing/manual-clock.ts'
import { only, StoreHarness } from '../../../../ports/contracts/testing/store-harness.ts'
import { type RenderReport, renderPatternOf } from '../../../../ports/render-patterns.ts'
import { openPool } from '../../../postgres/connect.ts'
import { openStore } from '../../../postgres/store.ts'
import { testOptions } from '../../../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../../testing/test-database.ts'

const OPTIONS = { leaseMs: 30_000, random: () => 0.5 }
const PLAIN: RenderReport = { kind: 'plain', completeness: 'complete' }
const GAINED: RenderReport = { kind: 'gained', pattern: renderPatternOf('http://a.test/items/1', 'complete') }

for (const first of ['plain', 'gained'] as const) {
  it(`a page read without rendering is visited again if its commit races with its pattern, ${first} first`, async (t) => {
    const database = await makeTestDatabase()
    const clock = new ManualClock(1_800_000_000_000)
    const store = await openStore(database.url, testOptions(clock, OPTIONS))
    const pool = openPool(database.url, { name: 'test', isWriting: true, statementMs: 0, max: 2 })
    t.after(async () => {
      await pool.end()
      await store.close()
      await database.drop()
    })
    const harness = new StoreHarness({
      ...store,
      clock,
      leaseMs: OPTIONS.leaseMs,
      close: () => assert.fail('closed by the test'),
      reopen: () => assert.fail('is not reopened'),
    })
    await harness.start(['a/items/1', 'a/items/2'], { render: 'auto' })
    const lease = only((await harness.lease()).leases)
    const [plain, gained] = lease.urls
    assert.ok(plain !== undefined && gained !== undefined)
    const waiting = async () => {
      const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      return (await pool.query(text)).rows.length
    }
    const start = (what: 'plain' | 'gained') => {
      const [url, render] = what === 'plain' ? [plain, PLAIN] : [gained, GAINED]
      // Commits of one thread wait for each other in the process.
      const promise = harness.commit([{ ...harness.visitedReport(lease, url), render }], { threadId: what })
      const commit = { isDone: false, promise }
      void commit.promise.then(() => {
        commit.isDone = true
      })
      return commit
    }
    // The first commit has to wait in its middle, for the row of its URL.
    const blocker = await pool.connect()
    await blocker.query('begin')
    await blocker.query('select 1 from urls where id = $1 for update', [first === 'plain' ? plain.id : gained.id])
    const one = start(first)
    while ((await waiting()) < 1);
    const other = start(first === 'plain' ? 'gained' : 'plain')
    while (!other.isDone && (await waiting()) < 2);
    // Checks the pages of a new pattern, if it is committed.
    await harness.lease({ threadId: 'other' })
    await blocker.query('commit')
    blocker.release()
    await Promise.all([one.promise, other.promise])
    await harness.commit([], { release: [lease.token] })
    assert.deepEqual(await harness.crawlAll({}), [plain.url.replace('http://a.test', 'a')])
    assert.equal((await harness.progress()).crawl.status, 'completed')
    await harness.assertSound()
  })
}
