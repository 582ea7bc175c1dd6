import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { revisitOutcomesContract } from '../../ports/contracts/revisit-outcomes.contract.ts'
import { revisitSettingsContract } from '../../ports/contracts/revisit-settings.contract.ts'
import { revisitSignalsContract } from '../../ports/contracts/revisit-signals.contract.ts'
import { revisitedContentContract } from '../../ports/contracts/revisited-content.contract.ts'
import { revisitsContract } from '../../ports/contracts/revisits.contract.ts'
import { StoreHarness } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore, testOptions } from '../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { openStore } from './store.ts'

revisitsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitedContentContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitSignalsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitSettingsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitOutcomesContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

describe('postgres: revisits beside other processes', () => {
  it('a crawl that is completed while its URLs are being queued has none', async (t) => {
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
    await harness.start(['a/', 'b/'], { recrawl: 3_600_000 })
    await harness.crawlAll({})
    clock.advance(3_600_000)
    await other.connect()
    await other.query('begin; select 1 from revisits for update')
    const requeued = store.revisits.requeueDue(10)
    await waitUntil(async () => (await other.query(WAITING)).rows.length > 0)
    await store.crawls.close(harness.crawlId, 'completed_by_user')
    await other.query('commit')
    await requeued
    const { crawl, ledger } = await harness.progress()
    assert.deepEqual([crawl.status, ledger.queued, ledger.visited], ['completed', 0, 2])
  })
})
