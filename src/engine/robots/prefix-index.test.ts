import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { indexPrefixes } from './prefix-index.ts'

const descending = (a: number, b: number) => b - a

it('finds the best value of all prefixes, not that of the longest', () => {
  const find = indexPrefixes(
    [
      { prefix: '/a', value: 3 },
      { prefix: '/a/b', value: 2 },
      { prefix: '/c', value: 1 },
      { prefix: '/c', value: 4 },
    ],
    descending,
  )
  assert.equal(find('/a/b/c'), 3)
  assert.equal(find('/c'), 4)
  assert.equal(find('/b'), null)
  assert.equal(find(''), null)
})

it('finds the same as trying every entry', () => {
  const text = fc.stringMatching(/^[/ab]{0,6}$/)
  const entries = fc.array(fc.record({ prefix: text, value: fc.nat() }), { maxLength: 20 })
  const property = fc.property(entries, text, (all, path) => {
    const values = all.filter(({ prefix }) => path.startsWith(prefix)).map(({ value }) => value)
    assert.equal(indexPrefixes(all, descending)(path), values.length === 0 ? null : Math.max(...values))
  })
  fc.assert(property, { numRuns: 2000 })
})
