// Several processes on one database: what each deletes and keeps while others do the same.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type pg from 'pg'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Database } from '../postgres/database.ts'
import { openStore } from '../postgres/store.ts'
import { StoreClock } from '../postgres/store-clock.ts'
import { makePageWriter, PAGE_REPORT } from '../testing/page-writer.ts'
import { testOptions } from '../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { PostgresRetention } from './postgres.ts'
import { dropExpired, dropUnused } from './postgres-drop-pages.ts'

const NOW = 10_000
const OTHER = { segment: 's2', offset: 0, length: 9 }

/** A transaction that stays open for a while. */
async function begin(pool: pg.Pool): Promise<pg.PoolClient> {
  const tx = await pool.connect()
  await tx.query('begin')
  return tx
}

async function commit(tx: pg.PoolClient): Promise<void> {
  await tx.query('commit')
  tx.release()
}

function retentionOn(pool: pg.Pool, clock = new ManualClock(NOW), isVirtual = true): PostgresRetention {
  const options = { url: 'postgres://localhost/x', random: () => 0.5, onOutage: () => undefined }
  return new PostgresRetention({
    db: new Database(pool, options),
    time: new StoreClock(clock, isVirtual),
    processNumber: 1,
  })
}

async function contentRows(pool: pg.Pool) {
  return (await pool.query('select "offset", unused_since from contents')).rows
}

/** Waits until a statement of another connection waits for a lock. */
async function untilWaiting(pool: pg.Pool): Promise<void> {
  const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await pool.query(text)).rows.length === 0);
}

it('a payload whose last two versions are deleted at once is known to be unused', async (t) => {
  const { pool, add, visit } = await makePageWriter(t, 2)
  await add(visit(1), visit(2, { hasPayload: false, position: OTHER }))
  const [one, other] = [await begin(pool), await begin(pool)]
  assert.equal(await dropExpired(one, NOW, 1), 1)
  const waiting = dropExpired(other, NOW, 1)
  await untilWaiting(pool)
  await commit(one)
  assert.equal(await waiting, 1)
  await commit(other)
  assert.deepEqual(await contentRows(pool), [{ offset: 6_000_000_000, unused_since: NOW }])
})

it('versions are deleted once, however many processes do it', async (t) => {
  const { pool, add, visit } = await makePageWriter(t, 40)
  await add(...Array.from({ length: 40 }, (_, i) => visit(i + 1, i === 0 ? {} : { hasPayload: false })))
  const retention = retentionOn(pool)
  const drops: number[] = []
  while (drops.reduce((sum, n) => sum + n, 0) < 40) {
    drops.push(...(await Promise.all([1, 2, 3].map(() => retention.expire(NOW, 5)))))
  }
  assert.equal(await retention.expire(NOW, 5), 0)
  assert.equal((await contentRows(pool))[0]?.unused_since, NOW)
})

it('a payload archived again while it is deleted is where the new page put it', async (t) => {
  const { pool, add, addOn, visit, pages } = await makePageWriter(t, 2)
  await add(visit(1))
  await retentionOn(pool).expire(NOW, 10)
  const [sweeping, keeping] = [await begin(pool), await begin(pool)]
  assert.equal(await dropUnused(sweeping, NOW, 10), 1)
  const waiting = addOn(keeping, [visit(2, { position: OTHER })])
  await untilWaiting(pool)
  await commit(sweeping)
  await waiting
  await commit(keeping)
  assert.deepEqual((await pages.history('http://a.test/2'))[0]?.payload, OTHER)
})

it('a payload that a page is about to use is not deleted', async (t) => {
  const { pool, add, addOn, visit, pages } = await makePageWriter(t, 2)
  await add(visit(1))
  const retention = retentionOn(pool)
  await retention.expire(NOW, 10)
  const keeping = await begin(pool)
  await addOn(keeping, [visit(2, { position: OTHER })])
  assert.equal(await retention.sweep(NOW, 10), 0)
  await commit(keeping)
  assert.equal(await retention.sweep(NOW, 10), 0)
  assert.deepEqual((await pages.history('http://a.test/2'))[0]?.payload, PAGE_REPORT.position)
})

it('a payload marked as unused at the moment a page uses it is found to be used', async (t) => {
  const { pool, add, addOn, visit } = await makePageWriter(t, 2)
  await add(visit(1))
  const retention = retentionOn(pool)
  const keeping = await begin(pool)
  await addOn(keeping, [visit(2, { hasPayload: false, position: OTHER })])
  await pool.query('update pages set expires_at = 1')
  assert.equal(await retention.expire(NOW, 10), 1)
  await commit(keeping)
  assert.equal((await contentRows(pool))[0]?.unused_since, NOW)
  assert.equal(await retention.sweep(NOW, 10), 0)
  assert.equal((await contentRows(pool))[0]?.unused_since, null)
})

it('a segment is not retired while a commit refers to it', async (t) => {
  const { pool, add, addOn, visit } = await makePageWriter(t, 2)
  await add(visit(1))
  const retention = retentionOn(pool)
  await retention.expire(NOW, 10)
  await retention.sweep(NOW, 10)
  const keeping = await begin(pool)
  await addOn(keeping, [visit(2, { digest: '0b'.repeat(32) })])
  const waiting = retention.retireSegment('s1')
  await untilWaiting(pool)
  await commit(keeping)
  assert.equal(await waiting, false)
})

it('a process whose clock is ahead deletes nothing too early', async (t) => {
  const { pool, add, visit } = await makePageWriter(t, 1)
  const tomorrow = Date.now() + 86_400_000
  await add({ ...visit(1), expiresAt: tomorrow })
  const clock = new ManualClock(tomorrow + 1)
  assert.equal(await retentionOn(pool, clock, false).expire(clock.now(), 10), 0)
})

it('a process is not alone while another has the store open', async (t) => {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const options = testOptions(new ManualClock(NOW), { leaseMs: 1000, random: () => 0.5 })
  const first = await openStore(database.url, options)
  const second = await openStore(database.url, options)
  assert.equal(await first.retention.isOnlyProcess(), false)
  await second.close()
  // The server takes a moment to notice that it is gone.
  while (!(await first.retention.isOnlyProcess()));
  await first.close()
})
