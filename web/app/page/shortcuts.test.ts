import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchShortcut } from './shortcuts.ts'

const shortcut = (keys: string, label = keys) => ({ keys, label, run: () => undefined })
const label = (meaning: ReturnType<typeof matchShortcut>) =>
  meaning === null || meaning === 'begun' ? meaning : meaning.label

test('keys in a row mean a shortcut once the last one is there', () => {
  const groups = [[shortcut('g c'), shortcut('?')]]
  assert.equal(label(matchShortcut(['g'], groups)), 'begun')
  assert.equal(label(matchShortcut(['g', 'c'], groups)), 'g c')
  assert.equal(label(matchShortcut(['g', 'x'], groups)), null)
  assert.equal(label(matchShortcut(['?'], groups)), '?')
})

test('of two that want the same key the one announced last has it', () => {
  assert.equal(label(matchShortcut(['/'], [[shortcut('/', 'page')], [shortcut('/', 'list')]])), 'list')
})
