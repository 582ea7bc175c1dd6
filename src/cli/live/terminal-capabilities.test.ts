import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectCapabilities } from './terminal-capabilities.ts'

test('a terminal gets colour and redraws unless the environment disables them', () => {
  const terminal = { isTTY: true }
  assert.deepEqual(detectCapabilities(terminal, { TERM: 'xterm', LANG: 'de_DE.UTF-8' }), {
    live: true,
    color: true,
    unicode: true,
  })
  assert.equal(detectCapabilities(terminal, { NO_COLOR: '1' }).color, false)
  assert.equal(detectCapabilities(terminal, { NO_COLOR: '' }).color, true)
  assert.equal(detectCapabilities(terminal, { TERM: 'dumb' }).live, false)
})

test('a pipe gets neither', () => {
  assert.deepEqual(detectCapabilities({}, { LANG: 'C.UTF-8' }), { live: false, color: false, unicode: true })
})

test('a terminal without the glyphs gets ASCII', () => {
  assert.equal(detectCapabilities({ isTTY: true }, { LANG: 'C' }).unicode, false)
  assert.equal(detectCapabilities({ isTTY: true }, { TERM: 'linux', LANG: 'C.UTF-8' }).unicode, false)
  assert.equal(detectCapabilities({ isTTY: true }, {}).unicode, true)
})
