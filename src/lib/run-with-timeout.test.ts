import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from './errors.ts'
import { runWithTimeout } from './run-with-timeout.ts'

test('work that is done in time gives its value, or its error', () => {
  assert.deepEqual(
    runWithTimeout(10_000, () => 7),
    { value: 7 },
  )
  const thrown = new AppError('BAD_SEED', 'no')
  assert.throws(
    () =>
      runWithTimeout(10_000, () => {
        throw thrown
      }),
    (error) => error === thrown,
  )
})

test('a pattern that would take for ever is cut off', () => {
  const pattern = /^(a+)+$/
  assert.equal(
    runWithTimeout(50, () => pattern.test(`${'a'.repeat(60)}!`)),
    null,
  )
})
