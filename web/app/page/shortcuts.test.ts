import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeShortcuts, matchShortcut } from './shortcuts.ts'

const shortcut = (keys: string, label = keys) => ({ keys, label, run: () => undefined })
const label = (match: ReturnType<typeof matchShortcut>) => (match === null || match === 'partial' ? match : match.label)

test('a key sequence matches when its last key is pressed', () => {
  const groups = [[shortcut('g c'), shortcut('?')]]
  assert.equal(label(matchShortcut(['g'], groups)), 'partial')
  assert.equal(label(matchShortcut(['g', 'c'], groups)), 'g c')
  assert.equal(label(matchShortcut(['g', 'x'], groups)), null)
  assert.equal(label(matchShortcut(['?'], groups)), '?')
})

test('the shortcut registered last wins', () => {
  assert.equal(label(matchShortcut(['/'], [[shortcut('/', 'page')], [shortcut('/', 'list')]])), 'list')
})

test('while a dialog is open, only its own shortcuts work', () => {
  const groups = [[shortcut('n', 'page')], [{ ...shortcut('n', 'dialog'), isInDialog: true as const }]]
  assert.equal(label(matchShortcut(['n'], activeShortcuts(groups, false))), 'page')
  assert.equal(label(matchShortcut(['n'], activeShortcuts(groups, true))), 'dialog')
})
