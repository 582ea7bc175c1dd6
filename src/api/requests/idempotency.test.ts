import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { IdempotentRequests } from './idempotency.ts'

describe('requests with the same key', () => {
  it('that reach two processes at the same time are executed once', async () => {
    const store = makeTestStore({ leaseMs: 30_000, random: Math.random })
    const { idempotencyKeys } = store.access
    let runs = 0
    const { promise: go, resolve } = Promise.withResolvers<void>()
    const run = async () => {
      await go
      runs += 1
      return { runs }
    }
    // The system clock, because waiting requests poll.
    const processes = [
      new IdempotentRequests(idempotencyKeys, systemClock),
      new IdempotentRequests(idempotencyKeys, systemClock),
    ]
    const pending = processes.map((requests) => requests.runOnce({ key: 'k', request: { a: 1 } }, run))
    resolve()
    const results = await Promise.all(pending)
    assert.equal(runs, 1)
    assert.deepEqual(
      results.map(({ value }) => value),
      [{ runs: 1 }, { runs: 1 }],
    )
    assert.deepEqual(results.map(({ isRepeated }) => isRepeated).toSorted(), [false, true])
    await store.close()
  })

  it('are rejected if they differ, also while the first is still running', async () => {
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
