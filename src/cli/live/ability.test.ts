import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamAbility } from './ability.ts'

test('a terminal gets colour and redraws unless the environment says no', () => {
  const terminal = { isTTY: true }
  assert.deepEqual(streamAbility(terminal, { TERM: 'xterm', LANG: 'de_DE.UTF-8' }), {
    live: true,
    color: true,
    unicode: true,
  })
  assert.equal(streamAbility(terminal, { NO_COLOR: '1' }).color, false)
  assert.equal(streamAbility(terminal, { NO_COLOR: '' }).color, true)
  assert.equal(streamAbility(terminal, { TERM: 'dumb' }).live, false)
})

test('a pipe gets neither', () => {
  assert.deepEqual(streamAbility({}, { LANG: 'C.UTF-8' }), { live: false, color: false, unicode: true })
})

test('a terminal without the glyphs gets ASCII', () => {
  assert.equal(streamAbility({ isTTY: true }, { LANG: 'C' }).unicode, false)
  assert.equal(streamAbility({ isTTY: true }, { TERM: 'linux', LANG: 'C.UTF-8' }).unicode, false)
  assert.equal(streamAbility({ isTTY: true }, {}).unicode, true)
})
