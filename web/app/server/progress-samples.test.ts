import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendSample, fillGaps, getSampleStore } from './progress-samples.ts'

test('samples stay in order and within the limit, and only older ones are thinned out', () => {
  let samples: readonly { at: number }[] = []
  for (let at = 0; at < 10_000; at += 1) samples = appendSample(samples, { at }, 100)
  assert.ok(samples.length <= 100)
  const times = samples.map(({ at }) => at)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  assert.deepEqual(
    times.slice(-25),
    Array.from({ length: 25 }, (_, i) => 9975 + i),
  )
  assert.equal(times[0], 0)
})

test('a sample that is not newer than the last one is dropped', () => {
  const samples = [{ at: 1 }, { at: 2 }]
  assert.equal(appendSample(samples, { at: 2 }, 10), samples)
})

test('other samples fill the gaps', () => {
  const at = (...times: number[]) => times.map((time) => ({ at: time }))
  assert.deepEqual(fillGaps(at(), at(5, 10, 15)), at(5, 10, 15))
  assert.deepEqual(fillGaps(at(21, 22, 40), at(5, 10, 15, 20, 25, 30, 35)), at(5, 10, 15, 21, 22, 25, 30, 35, 40))
  assert.deepEqual(fillGaps(at(1, 2), at()), at(1, 2))
})

test('only the most recently used stores are kept', () => {
  const shown = getSampleStore('shown')
  const left = getSampleStore('left')
  for (let i = 0; i < 10; i++) {
    getSampleStore(`other ${i}`)
    assert.equal(getSampleStore('shown'), shown)
  }
  assert.notEqual(getSampleStore('left'), left)
})
