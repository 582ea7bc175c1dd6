import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOLD_REASONS } from '../../ports/hold-reasons.ts'
import { holdText, waitText } from './wait-text.ts'

const as = (text: string) => text

test('waits are told by reason, with the host where there is but one, and how long from a second on', () => {
  const waits = [
    { reason: 'no_answer' as const, hosts: 1, host: 'a.example', leftMs: 65_000 },
    { reason: 'cooldown' as const, hosts: 1, host: 'b.example', leftMs: 400 },
    { reason: 'gap' as const, hosts: 1200, host: 'c.example', leftMs: 5000 },
  ]
  assert.equal(waitText(waits, as), 'no answer 1m 05s (a.example), cooling down (b.example), gap 1,200 hosts')
  assert.equal(waitText([], as), '')
})

test('a hold is told as fully as the room allows', () => {
  for (const reason of HOLD_REASONS) {
    const ways = [200, 60, 22].map((room) => holdText(reason, room))
    assert.equal(new Set(ways).size, 3)
    assert.ok((ways[2] ?? '').length <= 22)
    assert.equal(holdText(reason, 1), ways[2])
  }
})
