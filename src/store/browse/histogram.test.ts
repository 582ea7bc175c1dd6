import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Histogram } from './histogram.ts'

function histogramOf(values: number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.add(value)
  return histogram
}

describe('a histogram', () => {
  it('of nothing has zeros', () => {
    const { max, total, count } = histogramOf([])
    assert.deepEqual([histogramOf([]).percentile(0.5), max, total, count], [0, 0, 0, 0])
  })

  it('is exact for small values', () => {
    const histogram = histogramOf(Array.from({ length: 60 }, (_, i) => i + 1))
    assert.deepEqual([histogram.percentile(0.5), histogram.percentile(0.9), histogram.max], [30, 54, 60])
  })

  it('is at most 3% off for large values of any size', () => {
    for (const scale of [1, 1000, 1e9]) {
      const values = Array.from({ length: 1000 }, (_, i) => (i + 1) * scale)
      const histogram = histogramOf(values)
      for (const part of [0.5, 0.9, 0.99]) {
        const exact = part * 1000 * scale
        assert.ok(histogram.percentile(part) <= exact && histogram.percentile(part) > exact * 0.97, `${scale} ${part}`)
      }
      assert.equal(histogram.max, 1000 * scale)
    }
  })

  it('returns a single value exactly, or slightly less', () => {
    for (const value of [0, 63, 64, 65, 1000, 123_456_789_012]) {
      const percentile = histogramOf([value]).percentile(0.5)
      assert.ok(percentile <= value && percentile >= value * 0.97, `${value} is percentile as ${percentile}`)
    }
  })
})
