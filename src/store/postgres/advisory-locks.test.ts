import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ADVISORY_LOCKS, STORE_LOCKS } from './advisory-locks.ts'

it('no two classes of locks have the same number', () => {
  for (const numbers of [Object.values(ADVISORY_LOCKS), Object.values(STORE_LOCKS)]) {
    assert.equal(new Set<number>(numbers).size, numbers.length)
    // Postgres uses signed 32-bit integers.
    for (const number of numbers) assert.equal(number | 0, number)
  }
})
