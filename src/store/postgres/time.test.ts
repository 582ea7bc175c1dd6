import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toStore, toWorker } from './time.ts'

const HOUR_MS = 3_600_000
const moment = { store: 1_800_000_000_000, worker: 1_800_000_000_000 + HOUR_MS }

it('a time crosses the border as a distance from a moment that both have seen', () => {
  assert.equal(toStore(moment.worker + 500, moment), moment.store + 500)
  assert.equal(toWorker(moment.store + 500, moment), moment.worker + 500)
})

it('no time stays no time', () => {
  assert.deepEqual([toStore(0, moment), toWorker(0, moment)], [0, 0])
})

it('nothing lies further ahead than a day', () => {
  assert.equal(toStore(moment.worker + 100 * 24 * HOUR_MS, moment), moment.store + 24 * HOUR_MS)
})
