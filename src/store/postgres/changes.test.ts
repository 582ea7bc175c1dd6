import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { ALL_CHANGES, changesContract } from '../../ports/contracts/changes.contract.ts'
import { only, StoreHarness } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore, testOptions } from '../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { openStore } from './store.ts'

changesContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

it('postgres: the places of changes become visible in their order', async (t) => {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const store = await openStore(database.url, testOptions(clock, { leaseMs: 30_000, random: () => 0.5 }))
  const other = new pg.Client({ connectionString: database.url })
  t.after(async () => {
    await other.end()
    await store.close()
    await database.drop()
  })
  const harness = new StoreHarness({ ...store, clock, leaseMs: 30_000 } as never)
  await harness.start(['a/'], { recrawl: 3_600_000 })
  await harness.crawlAll({})
  clock.advance(3_600_000)
  await store.revisits.requeueDue(10)
  const lease = only((await harness.lease()).leases)
  const report = harness.visitedReport(lease, only(lease.urls))
  const facts = report.facts === null ? null : { ...report.facts, contentHash: '0f' }
  await harness.commit([{ ...report, facts }], { release: [lease.token] })
  const { id } = only(await store.changeFeed.claim(5, 60_000))
  await other.connect()
  // Another process has published a change as number 1 and not committed yet.
  await other.query('begin; update change_cursor set last = last + 1')
  const finished = store.changeFeed.finish(
    [{ id, outcome: 'published', wordsAdded: null, wordsRemoved: null, summary: '' }],
    [],
  )
  await waitUntil(async () => (await other.query(WAITING)).rows.length > 0)
  assert.deepEqual(await store.changes.list(ALL_CHANGES), [])
  await other.query('commit')
  assert.equal(await finished, 1)
  assert.equal(only(await store.changes.list(ALL_CHANGES)).cursor, 2)
})
