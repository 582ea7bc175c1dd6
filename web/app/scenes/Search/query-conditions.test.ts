import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasCondition, toFacetCondition, toggleCondition } from './query-conditions.ts'

test('a condition is added once and taken away again', () => {
  const site = toFacetCondition('host', 'a.test')
  const narrowed = toggleCondition('red "old fox"', site)
  assert.equal(narrowed, 'red "old fox" site:a.test')
  assert.ok(hasCondition(narrowed, { field: 'site', value: 'a.test' }))
  assert.equal(toggleCondition(narrowed, site), 'red "old fox"')
})

test('what stands in quotation marks is no condition', () => {
  assert.equal(hasCondition('"see site:a.test there"', { field: 'site', value: 'a.test' }), false)
  assert.equal(toggleCondition('title:"a b" x', { field: 'lang', value: 'de' }), 'title:"a b" x lang:de')
})

test('a month is when a page changed', () => {
  assert.equal(toggleCondition('x', toFacetCondition('date', '2026-11')), 'x changed:2026-11')
})
