import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crawlValue, timeUntilWorth } from './crawl-value.ts'

const HOUR_MS = 3_600_000
const MAX_MS = 365 * 24 * HOUR_MS
const BELIEFS = [0.01, 0.3, 0.999999, 1, 1.000001, 2, 30, 1e4].flatMap((changes) =>
  [0.01, 1, 100, 10_000].map((hours) => ({ changes, observedMs: hours * HOUR_MS * changes })),
)

describe('the crawl value', () => {
  it('is that of the known rate if there is much evidence', () => {
    const rate = 1 / (10 * HOUR_MS)
    for (const hours of [0.1, 1, 10, 100]) {
      const x = rate * hours * HOUR_MS
      const expected = (1 - Math.exp(-x) * (1 + x)) / rate
      const value = crawlValue({ changes: 1e6, observedMs: 1e6 / rate }, 1, hours * HOUR_MS)
      assert.ok(Math.abs(value / expected - 1) < 1e-3, `${hours} h: ${value} instead of ${expected}`)
    }
  })

  it('is the mean of the values of all rates if there is little', () => {
    // Rates by a gamma distribution of shape 2, integrated numerically.
    const observedMs = 10 * HOUR_MS
    const elapsedMs = 30 * HOUR_MS
    let mean = 0
    const step = 1e-4
    for (let x = step / 2; x < 40; x += step) {
      const y = (x / observedMs) * elapsedMs
      mean += x * Math.exp(-x) * step * ((observedMs / x) * (1 - Math.exp(-y) * (1 + y)))
    }
    const value = crawlValue({ changes: 2, observedMs }, 1, elapsedMs)
    assert.ok(Math.abs(value / mean - 1) < 1e-4, `${value} instead of ${mean}`)
  })

  it('grows with time and in proportion to importance, from zero', () => {
    for (const posterior of BELIEFS) {
      assert.equal(crawlValue(posterior, 1, 0), 0)
      let before = 0
      for (let elapsedMs = 1000; elapsedMs < MAX_MS; elapsedMs *= 1.3) {
        const value = crawlValue(posterior, 1, elapsedMs)
        assert.ok(value >= before, `${JSON.stringify(posterior)} at ${elapsedMs}`)
        assert.ok(Math.abs(crawlValue(posterior, 7, elapsedMs) - 7 * value) <= 1e-9 * value)
        before = value
      }
    }
  })

  it('reaches the threshold at the time that is computed', () => {
    for (const posterior of BELIEFS) {
      for (const hours of [0.02, 1, 50, 3000]) {
        const threshold = crawlValue(posterior, 3, hours * HOUR_MS)
        const timeMs = timeUntilWorth(posterior, { importance: 3, threshold, maxMs: MAX_MS })
        const value = crawlValue(posterior, 3, timeMs)
        assert.ok(Math.abs(value / threshold - 1) < 1e-4, `${JSON.stringify(posterior)}, ${hours} h: ${timeMs}`)
      }
    }
  })

  it('comes sooner to important pages, and later under a higher threshold', () => {
    for (const posterior of BELIEFS) {
      let before = 0
      for (let threshold = 1; threshold < 1e12; threshold *= 3) {
        const timeMs = timeUntilWorth(posterior, { importance: 1, threshold, maxMs: MAX_MS })
        assert.ok(timeMs >= before * (1 - 1e-5))
        assert.ok(timeUntilWorth(posterior, { importance: 2, threshold, maxMs: MAX_MS }) <= timeMs * (1 + 1e-5))
        before = timeMs
      }
      assert.equal(before, MAX_MS)
    }
  })

  it('is a number at every extreme', () => {
    for (const posterior of [...BELIEFS, { changes: 1e9, observedMs: 1 }, { changes: 0.01, observedMs: 1e15 }]) {
      for (const elapsedMs of [0, -1, 1, 1e300, Number.POSITIVE_INFINITY, Number.NaN]) {
        assert.ok(crawlValue(posterior, 1, elapsedMs) >= 0)
      }
      for (const threshold of [0, -1, 1e-300, 1e300, Number.POSITIVE_INFINITY, Number.NaN]) {
        const timeMs = timeUntilWorth(posterior, { importance: 1, threshold, maxMs: MAX_MS })
        assert.ok(timeMs >= 0 && timeMs <= MAX_MS, `${threshold}: ${timeMs}`)
      }
    }
  })
})
