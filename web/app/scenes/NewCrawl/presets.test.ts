import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPreset, PRESETS } from './presets.ts'

test('settings that equal those of a preset select it, whatever the others are', () => {
  for (const preset of PRESETS) assert.equal(findPreset({ ...preset.drafts, delay: '0' })?.id, preset.id)
})

test('a setting of a preset that was changed by hand selects none', () => {
  const [site] = PRESETS
  assert.equal(findPreset({ ...site.drafts, max_pages: '7' }), null)
})
