import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findExceeded, parseBudget } from './budget.ts'

it('a budget names rules, with the number of findings that are accepted', () => {
  assert.deepEqual(parseBudget(['broken-links, slow-pages=10', 'redirect-loops=0']), [
    { rule: 'broken-links', max: 0 },
    { rule: 'slow-pages', max: 10 },
    { rule: 'redirect-loops', max: 0 },
  ])
  assert.deepEqual(parseBudget([]), [])
})

it('wrong names and numbers are refused', () => {
  assert.throws(() => parseBudget(['brokenlinks']), /Did you mean broken-links\?/)
  assert.throws(() => parseBudget(['broken-links=-1']), /Give a number of findings/)
  assert.throws(() => parseBudget(['broken-links=']), /Give a number of findings/)
})

it('a rule that was not applied does not pass', () => {
  const budget = parseBudget(['broken-links=2', 'slow-pages', 'orphan-pages'])
  const counts = [
    { name: 'broken-links', count: 2 },
    { name: 'slow-pages', count: 1 },
    { name: 'orphan-pages', count: null },
  ]
  assert.deepEqual(
    findExceeded(budget, counts).map(({ rule }) => rule),
    ['slow-pages', 'orphan-pages'],
  )
})
