import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from './errors.ts'
import { runWithTimeout } from './run-with-timeout.ts'

test('code that finishes in time returns its value or throws its error', () => {
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

test('a pattern that would match forever is aborted', () => {
  const pattern = /^(a+)+$/
  assert.equal(
    runWithTimeout(50, () => pattern.test(`${'a'.repeat(60)}!`)),
    null,
  )
})
