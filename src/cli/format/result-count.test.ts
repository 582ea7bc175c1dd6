import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type ResultCounts, resultCountLine } from './result-count.ts'

const line = (similar: number[], total: number, changes: Partial<ResultCounts> = {}) =>
  resultCountLine({
    results: similar.map((count) => ({ similar: count })),
    total,
    total_is_exact: true,
    took_ms: 31.6,
    ...changes,
  })

it('only the total is printed if all results are shown', () => {
  assert.equal(line([], 0), '0 pages in 32 ms')
  assert.equal(line([0], 1), '1 page in 32 ms')
  assert.equal(line([0, 0], 2), '2 pages in 32 ms')
})

it('a truncated list says how many results are shown', () => {
  assert.equal(line([0, 0], 1234), '1,234 pages in 32 ms, the first 2 shown')
  assert.equal(line([0, 0], 50, { total_is_exact: false }), 'more than 50 pages in 32 ms, the first 2 shown')
})

it('near-duplicates are counted separately from further results', () => {
  assert.equal(line([1], 2), '2 pages in 32 ms, 1 shown, 1 near-duplicate collapsed')
  assert.equal(line([2, 0, 1], 6), '6 pages in 32 ms, 3 shown, 3 near-duplicates collapsed')
  assert.equal(line([2, 0], 25), '25 pages in 32 ms, the first 2 shown, 2 near-duplicates collapsed')
  assert.equal(
    line([1], 2, { total_is_exact: false }),
    'more than 2 pages in 32 ms, the first 1 shown, 1 near-duplicate collapsed',
  )
})
