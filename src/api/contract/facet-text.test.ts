import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facetText } from './facet-text.ts'

test('languages, types and months have names, and what is unknown stays as it is', () => {
  assert.equal(facetText('lang', 'de'), 'German')
  assert.equal(facetText('lang', '?'), '?')
  assert.equal(facetText('type', 'text/html; charset=utf-8'), 'HTML')
  assert.equal(facetText('type', 'text/x-diff'), 'text/x-diff')
  assert.equal(facetText('date', '2026-11'), 'Nov 2026')
  assert.equal(facetText('date', 'older'), 'older')
})
