import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assessMemory, type MemorySample } from './memory-growth.ts'

const MINUTE_MS = 60_000

function samplesOf(rss: number[]): MemorySample[] {
  return rss.map((rssBytes, i) => ({ atMs: i * MINUTE_MS, rssBytes, anonymousBytes: 0 }))
}

describe('memory over a run', () => {
  it('is flat if it stays within 20% of its size after the warm-up', () => {
    const verdict = assessMemory(samplesOf([50, 80, 100, 119, 120, 100]), 2 * MINUTE_MS)
    assert.deepEqual([verdict?.afterWarmUpBytes, verdict?.maxBytes, verdict?.lastBytes], [100, 120, 100])
    assert.equal(verdict?.isFlat, true)
  })

  it('is not flat if it was larger at any time, even if it came back', () => {
    assert.equal(assessMemory(samplesOf([50, 100, 121, 100]), MINUTE_MS)?.isFlat, false)
  })

  it('has its growth calculated per hour', () => {
    const { bytesPerHour } = assessMemory(samplesOf([100, 102, 104, 106]), 0) ?? assert.fail()
    assert.ok(Math.abs(bytesPerHour - 120) < 1e-6)
  })

  it('cannot be assessed for a run that is all warm-up', () => {
    assert.equal(assessMemory(samplesOf([1, 2]), 5 * MINUTE_MS), null)
  })
})
