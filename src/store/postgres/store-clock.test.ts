import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toStoreTime, toWorkerTime } from './store-clock.ts'

const HOUR_MS = 3_600_000
const moment = { store: 1_800_000_000_000, worker: 1_800_000_000_000 + HOUR_MS }

it('a time is converted relative to a moment that both clocks have measured', () => {
  assert.equal(toStoreTime(moment.worker + 500, moment), moment.store + 500)
  assert.equal(toWorkerTime(moment.store + 500, moment), moment.worker + 500)
})

it('no time stays no time', () => {
  assert.deepEqual([toStoreTime(0, moment), toWorkerTime(0, moment)], [0, 0])
})

it('no time is more than a day ahead', () => {
  assert.equal(toStoreTime(moment.worker + 100 * 24 * HOUR_MS, moment), moment.store + 24 * HOUR_MS)
})
