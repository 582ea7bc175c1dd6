// Two concurrent commits that link to the same requisite.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { ManualClock } from '../../../../lib/testing/manual-clock.ts'
import { foundUrl, leaseOn, only, StoreHarness } from '../../../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../../../postgres/store.ts'
import { testOptions } from '../../../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../../testing/test-database.ts'

const LEASE_MS = 30_000
const WAITING = `select count(*)::int as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where a.datname = current_database() and not l.granted`

it('a requisite that two commits link to at once has the depth of the nearest', async () => {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const store = await openStore(database.url, testOptions(clock, { leaseMs: LEASE_MS, random: () => 0.5 }))
  const reopen = () => Promise.reject(new Error('not here'))
  const harness = new StoreHarness({ ...store, clock, leaseMs: LEASE_MS, reopen })
  const blocker = new pg.Client({ connectionString: database.url })
  await blocker.connect()
  const untilWaiting = async (commits: number) => {
    for (let waiting = 0; waiting < commits; ) {
      // Without this, a transaction reads the list of connections only once.
      await blocker.query('select pg_stat_clear_snapshot()')
      waiting = Number((await blocker.query(WAITING)).rows[0]?.n)
    }
  }
  try {
    await harness.start(['a/', 'c/', 'r/'], { requisites: true })
    const { leases } = await harness.lease()
    const near = leaseOn(leases, 'a.test')
    const loading = leaseOn(leases, 'r.test')
    const requisite = { ...foundUrl('b/x'), kind: 'requisite' as const }
    const page = { ...harness.visitedReport(loading, only(loading.urls)), found: [requisite] }
    await harness.commit([page], { release: [loading.token] })
    const start = leaseOn(leases, 'c.test')
    await harness.commit([harness.visitedReport(start, only(start.urls), ['d/1'])], { release: [start.token] })
    const far = leaseOn((await harness.lease({ threadId: 'far' })).leases, 'd.test')

    // Both commits have read the URL as a requisite before either can change it.
    await blocker.query('begin')
    await blocker.query(`select 1 from urls where url = 'http://b.test/x' for update`)
    const links = ['b/x']
    const farCommit = harness.commit([harness.visitedReport(far, only(far.urls), links)], { threadId: 'far' })
    await untilWaiting(1)
    const nearCommit = harness.commit([harness.visitedReport(near, only(near.urls), links)])
    await untilWaiting(2)
    await blocker.query('commit')
    await Promise.all([farCommit, nearCommit])
    assert.equal((await harness.depths())['b/x'], 1)
    await harness.assertSound()
  } finally {
    await blocker.end()
    await store.close()
    await database.drop()
  }
})
