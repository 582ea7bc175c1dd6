import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IndexState, waitForIndex } from './wait-for-index.ts'

/** A server whose states are a second apart. */
function run(states: IndexState[], { stopsAt = Number.POSITIVE_INFINITY } = {}) {
  const shown: number[] = []
  let [reads, now] = [0, 0]
  const left = waitForIndex({
    read: async () => states[reads++] ?? assert.fail('read after the end'),
    now: () => now,
    sleep: async () => {
      now += 1000
    },
    isStopped: () => now >= stopsAt,
    show: (waiting) => void shown.push(waiting),
  })
  return { left, shown }
}

test('it ends when nothing waits', async () => {
  const { left, shown } = run([
    { isOn: true, waiting: 2, lagMs: 500 },
    { isOn: true, waiting: 0, lagMs: 0 },
  ])
  assert.deepEqual([await left, shown], [0, [2]])
})

test('it ends when only pages wait that were visited after the start', async () => {
  const { left, shown } = run([
    { isOn: true, waiting: 9, lagMs: 30_000 },
    { isOn: true, waiting: 8, lagMs: 1001 },
    { isOn: true, waiting: 12, lagMs: 1500 },
  ])
  assert.deepEqual([await left, shown], [12, [9, 8]])
})

test('an index that does not exist yet has indexed nothing, whatever its lag', async () => {
  const { left } = run([
    { isOn: false, waiting: 3, lagMs: 0 },
    { isOn: false, waiting: 3, lagMs: 0 },
    { isOn: true, waiting: 0, lagMs: 0 },
  ])
  assert.equal(await left, 0)
})

test('it can be stopped', async () => {
  const waiting = { isOn: true, waiting: 3, lagMs: 60_000 }
  assert.equal(await run([waiting, waiting], { stopsAt: 1000 }).left, null)
})
