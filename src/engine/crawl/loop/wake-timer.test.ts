import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { WakeTimer } from './wake-timer.ts'

function open() {
  const clock = new ManualClock(0)
  const rung: number[] = []
  return { clock, rung, alarm: new WakeTimer(clock, () => rung.push(clock.now())) }
}

test('it rings once, at the earliest time it was set to', () => {
  const { clock, rung, alarm } = open()
  alarm.set(300, 0)
  alarm.set(100, 0)
  alarm.set(200, 0)
  clock.advance(1000)
  assert.deepEqual(rung, [100])
})

test('it can be set again after it rang, for a time that is over too', () => {
  const { clock, rung, alarm } = open()
  alarm.set(100, 0)
  clock.advance(500)
  alarm.set(50, 500)
  clock.advance(10)
  assert.deepEqual(rung, [100, 500])
})

test('off, it does not ring', () => {
  const { clock, rung, alarm } = open()
  alarm.set(100, 0)
  alarm.cancel()
  alarm.set(Number.POSITIVE_INFINITY, 0)
  clock.advance(1000)
  assert.deepEqual(rung, [])
})
