import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { StoreClock } from '../postgres/store-clock.ts'
import { testPool } from '../testing/test-pool.ts'
import { PostgresRobots } from './postgres.ts'

const HOUR_MS = 3_600_000

it('a copy is valid for as long for a worker whose clock is wrong', async (t) => {
  const pool = await testPool(t)
  const right = systemClock
  const wrong = { ...systemClock, now: () => Date.now() - 9 * HOUR_MS }
  const now = wrong.now()
  const times = { askedAt: now, goodAt: now - HOUR_MS, expiresAt: now + HOUR_MS }
  const copy = { origin: 'http://a.test', status: 200, problem: null, body: null, ...times }
  await new PostgresRobots(pool, new StoreClock(wrong, false)).save(copy)
  const seen = await new PostgresRobots(pool, new StoreClock(right, false)).find('http://a.test')
  assert.ok(seen !== null && seen.goodAt !== null)
  assert.equal(seen.expiresAt - seen.askedAt, HOUR_MS)
  assert.equal(seen.askedAt - seen.goodAt, HOUR_MS)
  assert.ok(Math.abs(seen.askedAt - right.now()) < HOUR_MS / 2)
})
