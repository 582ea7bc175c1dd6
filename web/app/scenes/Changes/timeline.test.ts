import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../../text/changes.ts'
import { toTimeline } from './timeline.ts'

const seenAt = (...local: [number, number, number, number]) => ({ at: new Date(...local).toISOString() }) as Change

const changes = [
  seenAt(2026, 10, 17, 1),
  seenAt(2026, 10, 16, 23),
  // Published before the change above, though seen after it.
  seenAt(2026, 10, 17, 0),
  seenAt(2026, 10, 12, 9),
]

const describe = (rows: ReturnType<typeof toTimeline>) =>
  rows.map((row) => (row.kind === 'day' ? `${row.day.getDate()}: ${row.count}` : row.index))

test('every day has one heading with the number of its changes', () => {
  assert.deepEqual(describe(toTimeline(changes, false)), ['17: 1', 0, '16: 2', 1, 2, '12: 1', 3])
})

test('the last day has no number while more may follow', () => {
  assert.deepEqual(describe(toTimeline(changes, true)).at(-2), '12: null')
  assert.deepEqual(toTimeline([], true), [])
})
