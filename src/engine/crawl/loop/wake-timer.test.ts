import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { WakeTimer } from './wake-timer.ts'

function open() {
  const clock = new ManualClock(0)
  const wakes: number[] = []
  return { clock, wakes, timer: new WakeTimer(clock, () => wakes.push(clock.now())) }
}

test('the timer fires once, at the earliest time it was set to', () => {
  const { clock, wakes, timer } = open()
  timer.set(300, 0)
  timer.set(100, 0)
  timer.set(200, 0)
  clock.advance(1000)
  assert.deepEqual(wakes, [100])
})

test('the timer can be set again after it fired, also to a time in the past', () => {
  const { clock, wakes, timer } = open()
  timer.set(100, 0)
  clock.advance(500)
  timer.set(50, 500)
  clock.advance(10)
  assert.deepEqual(wakes, [100, 500])
})

test('a cancelled timer does not fire', () => {
  const { clock, wakes, timer } = open()
  timer.set(100, 0)
  timer.cancel()
  timer.set(Number.POSITIVE_INFINITY, 0)
  clock.advance(1000)
  assert.deepEqual(wakes, [])
})
