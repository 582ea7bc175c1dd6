import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_LOOP_COUNTS } from '../../engine/crawl/stats/loop-counters.ts'
import type { CrawlFigures } from '../../ports/workers.ts'
import { FiguresSampler } from './figures-sampler.ts'

const counts = { bytes: 0, inFlight: 0, held: null, loopCounts: NO_LOOP_COUNTS }

describe('FiguresSampler', () => {
  it('reports responses, the time of the last one, and the requests of the last minute', () => {
    const figuresSampler = new FiguresSampler(0)
    figuresSampler.sample({ ...counts, requests: 10, failures: 1 }, [], 1_000)
    figuresSampler.sample({ ...counts, requests: 15, failures: 1 }, [], 31_000)
    const { answers, lastAnswerAt, recentRequests, recentFailures } = figuresSampler.sample(
      { ...counts, requests: 18, failures: 4 },
      [],
      91_000,
    )
    assert.deepEqual([answers, lastAnswerAt, recentRequests, recentFailures], [14, 31_000, 3, 3])
    figuresSampler.close()
  })
  it('reports at most fifty crawls, the busiest ones', () => {
    const figuresSampler = new FiguresSampler(0)
    const crawls: CrawlFigures[] = Array.from({ length: 60 }, (_, i) => {
      return { crawlId: `c${i}`, inFlight: i, phases: { origin: i } }
    })
    const reported = figuresSampler.sample({ ...counts, requests: 0, failures: 0 }, crawls, 1_000).crawls
    assert.deepEqual([reported.length, reported[0]?.crawlId, reported.at(-1)?.crawlId], [50, 'c59', 'c10'])
    figuresSampler.close()
  })
})
