import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facetText } from './facet-text.ts'

test('languages, types and months have names, and what is unknown stays as it is', () => {
  assert.equal(facetText('lang', 'de'), 'German')
  for (const tag of ['?', 'en-x', 'en-us_x', 'constructor']) assert.equal(facetText('lang', tag), tag)
  assert.equal(facetText('type', 'text/html; charset=utf-8'), 'HTML')
  for (const type of ['text/x-diff', 'constructor']) assert.equal(facetText('type', type), type)
  assert.equal(facetText('date', '2026-11'), 'Nov 2026')
  assert.equal(facetText('date', 'older'), 'older')
})
