import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSerialQueue } from './serial-queue.ts'

test('tasks run one after the other, also after a failure', async () => {
  const run = createSerialQueue()
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<number>())
  const started: number[] = []
  const results = gates.map(({ promise }, i) =>
    run(() => {
      started.push(i)
      return promise
    }),
  )
  await new Promise(setImmediate)
  assert.deepEqual(started, [0])
  gates[0]?.reject(new Error('no'))
  await assert.rejects(results[0] ?? assert.fail())
  await new Promise(setImmediate)
  assert.deepEqual(started, [0, 1])
  for (const [i, gate] of gates.entries()) gate.resolve(i)
  assert.deepEqual(await Promise.all(results.slice(1)), [1, 2])
})
