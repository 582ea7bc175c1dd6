import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasCondition, toFacetCondition, toggleCondition } from './query-conditions.ts'

test('a condition is added once and removed again', () => {
  const site = toFacetCondition('host', 'a.test')
  const narrowed = toggleCondition('red "old fox"', site)
  assert.equal(narrowed, 'red "old fox" site:a.test')
  assert.ok(hasCondition(narrowed, { field: 'site', value: 'a.test' }))
  assert.equal(toggleCondition(narrowed, site), 'red "old fox"')
})

test('quoted text is not a condition', () => {
  assert.equal(hasCondition('"see site:a.test there"', { field: 'site', value: 'a.test' }), false)
  assert.equal(toggleCondition('title:"a b" x', { field: 'lang', value: 'de' }), 'title:"a b" x lang:de')
})

test('a date facet filters by month of change', () => {
  assert.equal(toggleCondition('x', toFacetCondition('date', '2026-11')), 'x changed:2026-11')
})
