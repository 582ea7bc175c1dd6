import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOLD_REASONS } from '../../ports/hold-reasons.ts'
import { holdText, waitText } from './wait-text.ts'

const unchanged = (text: string) => text

test('waits are listed by reason, with the host if it is the only one, and with the time from a second on', () => {
  const waits = [
    { reason: 'no_answer' as const, hosts: 1, host: 'a.example', leftMs: 65_000 },
    { reason: 'cooldown' as const, hosts: 1, host: 'b.example', leftMs: 400 },
    { reason: 'gap' as const, hosts: 1200, host: 'c.example', leftMs: 5000 },
  ]
  assert.equal(waitText(waits, unchanged), 'no response 1m 05s (a.example), cooling down (b.example), gap 1,200 hosts')
  assert.equal(waitText([], unchanged), '')
})

test('the text of a hold is as long as the space allows', () => {
  for (const reason of HOLD_REASONS) {
    const texts = [200, 60, 22].map((room) => holdText(reason, room))
    assert.equal(new Set(texts).size, 3)
    assert.ok((texts[2] ?? '').length <= 22)
    assert.equal(holdText(reason, 1), texts[2])
  }
})
