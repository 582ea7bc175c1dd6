import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../lib/manual-clock.ts'
import { PATIENCE_MS, patiently } from './patience.ts'

test('a caller hears within a minute that the store does not answer', async () => {
  const clock = new ManualClock()
  const answer = patiently(new Promise<never>(() => undefined), clock)
  clock.advance(PATIENCE_MS)
  await assert.rejects(answer, { code: 'STORE_AWAY' })
})

test('work that is done in time leaves no timer behind', async () => {
  const clock = new ManualClock()
  assert.equal(await patiently(Promise.resolve(7), clock), 7)
  await assert.rejects(patiently(Promise.reject(new Error('no')), clock), /no/)
  assert.equal(clock.nextAt(), null)
})
