import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { HANDLER_TIMEOUT_MS, withHandlerTimeout } from './handler-timeout.ts'

test('a request fails after a minute if the store does not respond', async () => {
  const clock = new ManualClock()
  const response = withHandlerTimeout(new Promise<never>(() => undefined), clock)
  clock.advance(HANDLER_TIMEOUT_MS)
  await assert.rejects(response, { code: 'STORE_AWAY' })
})

test('an operation that finishes in time leaves no timer behind', async () => {
  const clock = new ManualClock()
  assert.equal(await withHandlerTimeout(Promise.resolve(7), clock), 7)
  await assert.rejects(withHandlerTimeout(Promise.reject(new Error('no')), clock), /no/)
  assert.equal(clock.nextAt(), null)
})
