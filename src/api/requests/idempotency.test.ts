import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { IdempotentRequests } from './idempotency.ts'

describe('requests with the same key', () => {
  it('that reach two processes in the same moment are done once', async () => {
    const store = makeTestStore({ leaseMs: 30_000, random: Math.random })
    const { idempotencyKeys } = store.access
    let done = 0
    const { promise: go, resolve } = Promise.withResolvers<void>()
    const run = async () => {
      await go
      done += 1
      return { done }
    }
    // The clock of the machine: those who wait look again by themselves.
    const processes = [
      new IdempotentRequests(idempotencyKeys, systemClock),
      new IdempotentRequests(idempotencyKeys, systemClock),
    ]
    const asked = processes.map((one) => one.runOnce({ key: 'k', request: { a: 1 } }, run))
    resolve()
    const answers = await Promise.all(asked)
    assert.equal(done, 1)
    assert.deepEqual(
      answers.map(({ value }) => value),
      [{ done: 1 }, { done: 1 }],
    )
    assert.deepEqual(answers.map(({ isRepeated }) => isRepeated).toSorted(), [false, true])
    await store.close()
  })

  it('are refused when they ask for something else, also while the first is under way', async () => {
    const store = makeTestStore({ leaseMs: 30_000, random: Math.random })
    const { promise: go, resolve } = Promise.withResolvers<void>()
    const idempotentRequests = new IdempotentRequests(store.access.idempotencyKeys, systemClock)
    const first = idempotentRequests.runOnce({ key: 'k', request: 1 }, async () => {
      await go
      return 1
    })
    const isConflict = (error: unknown) => error instanceof AppError && error.code === 'IDEMPOTENCY_CONFLICT'
    await assert.rejects(
      idempotentRequests.runOnce({ key: 'k', request: 2 }, async () => 2),
      isConflict,
    )
    resolve()
    await first
    await store.close()
  })
})
