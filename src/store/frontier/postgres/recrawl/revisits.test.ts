// Link ranks that are saved while a commit writes the same rows.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { ManualClock } from '../../../../lib/testing/manual-clock.ts'
import { StoreHarness } from '../../../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../../../postgres/store.ts'
import { testOptions } from '../../../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../../testing/test-database.ts'

const OPTIONS = { leaseMs: 30_000, random: () => 0.5 }
const LOCK_URLS = 'select id from urls order by id for update'
const WAITING = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

it('saving link ranks does not deadlock with a commit that holds rows of its URLs', async (t) => {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const store = await openStore(database.url, testOptions(clock, OPTIONS))
  const [commit, observer] = [database.url, database.url].map((url) => new pg.Client({ connectionString: url }))
  assert.ok(commit !== undefined && observer !== undefined)
  await Promise.all([commit.connect(), observer.connect()])
  t.after(async () => {
    await Promise.all([commit.end(), observer.end()])
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
  const { id: crawlId } = await harness.start(['a/1', 'a/2'], { recrawl: 'adaptive' })
  await harness.crawlAll({})
  await commit.query('begin')
  await commit.query(`set local deadlock_timeout = '10ms'`)
  const [first, second] = (await commit.query(LOCK_URLS)).rows.map(({ id }) => Number(id))
  assert.ok(first !== undefined && second !== undefined)
  const touch = (id: number) => commit.query('update revisits set etag = $2 where url_id = $1', [id, 'new'])
  await touch(second)
  const ranks = [first, second].map((urlId) => ({ urlId, linkRank: 0.25 }))
  const saved = store.revisits.saveLinkRanks(crawlId, ranks)
  while ((await observer.query(WAITING)).rows.length < 1);
  await touch(first)
  await commit.query('commit')
  await saved
  const { rows } = await observer.query('select distinct link_rank, etag from revisits')
  assert.deepEqual(rows, [{ link_rank: 0.25, etag: 'new' }])
})
