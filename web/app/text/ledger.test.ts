import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerParts, partStyle } from './ledger.ts'

const STATES = { visited: 40, excluded: 405 }
const counts = (...args: Parameters<typeof ledgerParts>) =>
  Object.fromEntries(ledgerParts(...args).flatMap(({ label, count }) => (count > 0 ? [[label, count]] : [])))

test('what a limit left out is not excluded', () => {
  const reasons = [
    { key: 'max_pages', count: 400 },
    { key: 'beyond_limit', count: 3 },
    { key: 'Disallow: /x', count: 2 },
  ]
  assert.deepEqual(counts(STATES, reasons), {
    Visited: 40,
    'Not visited: page limit': 400,
    'Not visited: depth limit': 3,
    Excluded: 2,
  })
})

test('statistics that do not fit the counts yet are ignored', () => {
  assert.deepEqual(counts({ excluded: 3 }, [{ key: 'max_pages', count: 4 }]), { Excluded: 3 })
})

test('a URL has the label of its part', () => {
  assert.equal(partStyle({ state: 'excluded', reason: 'max_pages' }).label, 'Not visited: page limit')
  assert.equal(partStyle({ state: 'excluded', reason: 'Disallow: /x' }).label, 'Excluded')
  assert.equal(partStyle({ state: 'visited', reason: null }).label, 'Visited')
})
