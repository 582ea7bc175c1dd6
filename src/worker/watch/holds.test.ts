import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { Holds } from './holds.ts'

function watched() {
  const holds = new Holds()
  const told: (HoldReason | null)[] = []
  holds.watch((held) => told.push(held))
  return { holds, told }
}

test('whoever watches is told how it stands, and every change', () => {
  const { holds, told } = watched()
  const giveBack = holds.take('max_disk')
  assert.equal(holds.held, 'max_disk')
  giveBack()
  assert.equal(holds.held, null)
  assert.deepEqual(told, [null, 'max_disk', null])
})

test('with several holds the oldest is told, and it lasts until the last is given back', () => {
  const { holds, told } = watched()
  const first = holds.take('low_disk')
  const second = holds.take('max_disk')
  first()
  assert.equal(holds.held, 'max_disk')
  second()
  assert.deepEqual(told, [null, 'low_disk', 'max_disk', null])
})

test('a second hold for the same reason is no news, and giving one back twice does no harm', () => {
  const { holds, told } = watched()
  const first = holds.take('low_disk')
  const second = holds.take('low_disk')
  first()
  first()
  assert.equal(holds.held, 'low_disk')
  second()
  assert.deepEqual(told, [null, 'low_disk', null])
})
