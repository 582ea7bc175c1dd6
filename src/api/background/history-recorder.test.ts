import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { silentLog } from '../../lib/log.ts'
import { emptyLedger } from '../../lib/states.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { HistorySample } from '../../ports/history.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import { HistoryRecorder, SAMPLE_INTERVAL_MS } from './history-recorder.ts'

/** `visited` has the number of visited URLs by crawl; null if the crawl was removed. */
function recordHistory(visited: Map<string, number | null>) {
  const clock = new ManualClock()
  const running = new Set(visited.keys())
  const samples: (HistorySample & { id: string })[] = []
  const recorder = new HistoryRecorder({
    clock,
    log: silentLog,
    runningCrawls: () => [...running],
    history: {
      async add(id, sample) {
        samples.push({ id, ...sample })
      },
    },
    crawls: {
      async progress(id) {
        const count = visited.get(id) ?? null
        if (count === null) throw new AppError('CRAWL_NOT_FOUND', 'gone')
        return { crawl: { id }, ledger: { ...emptyLedger(), visited: count } } as CrawlProgress
      },
    },
    toJson: async ({ ledger }) =>
      ({ states: ledger, pages_per_second: ledger.visited / 10, bytes_per_second: 7, in_flight: 2 }) as ProgressJson,
  })
  const nextRound = async () => {
    clock.advance(SAMPLE_INTERVAL_MS)
    await recorder.sampleAll()
  }
  return { samples, running, nextRound, clock }
}

describe('the history recorder', () => {
  it('records a sample per round, and a last one when the crawl has stopped', async () => {
    const visited = new Map<string, number | null>([['c', 10]])
    const { samples, running, nextRound, clock } = recordHistory(visited)
    const start = clock.now()
    await nextRound()
    visited.set('c', 30)
    running.delete('c')
    await nextRound()
    await nextRound()
    const sample = (round: number, visited: number) => ({
      id: 'c',
      at: start + round * SAMPLE_INTERVAL_MS,
      pagesPerSecond: visited / 10,
      bytesPerSecond: 7,
      inFlight: 2,
      states: { ...emptyLedger(), visited },
    })
    assert.deepEqual(samples, [sample(1, 10), sample(2, 30)])
  })

  it('skips a removed crawl', async () => {
    const { samples, nextRound } = recordHistory(
      new Map([
        ['gone', null],
        ['c', 10],
      ]),
    )
    await nextRound()
    assert.deepEqual(
      samples.map(({ id }) => id),
      ['c'],
    )
  })
})
