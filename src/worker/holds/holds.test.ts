import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { Holds } from './holds.ts'

function subscribed() {
  const holds = new Holds()
  const seen: (HoldReason | null)[] = []
  holds.subscribe((held) => seen.push(held))
  return { holds, seen }
}

test('a listener gets the current state and every change', () => {
  const { holds, seen } = subscribed()
  const release = holds.take('max_disk')
  assert.equal(holds.reason, 'max_disk')
  release()
  assert.equal(holds.reason, null)
  assert.deepEqual(seen, [null, 'max_disk', null])
})

test('of several holds the oldest is shown, until the last is released', () => {
  const { holds, seen } = subscribed()
  const first = holds.take('low_disk')
  const second = holds.take('max_disk')
  first()
  assert.equal(holds.reason, 'max_disk')
  second()
  assert.deepEqual(seen, [null, 'low_disk', 'max_disk', null])
})

test('a second hold for the same reason is no change, and a hold can be released twice', () => {
  const { holds, seen } = subscribed()
  const first = holds.take('low_disk')
  const second = holds.take('low_disk')
  first()
  first()
  assert.equal(holds.reason, 'low_disk')
  second()
  assert.deepEqual(seen, [null, 'low_disk', null])
})
