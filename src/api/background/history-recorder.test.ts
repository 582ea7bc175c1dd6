import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { HistorySample } from '../../ports/history.ts'
import { emptyLedger } from '../../ports/state.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import { HistoryRecorder, SAMPLE_INTERVAL_MS } from './history-recorder.ts'

/** Crawls that have visited so many urls; null: the crawl is gone. */
function follow(visited: Map<string, number | null>) {
  const clock = new ManualClock()
  const running = new Set(visited.keys())
  const samples: (HistorySample & { id: string })[] = []
  const watch = new HistoryRecorder({
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
  const look = async () => {
    clock.advance(SAMPLE_INTERVAL_MS)
    await watch.sampleAll()
  }
  return { samples, running, look, clock }
}

describe('watching crawls', () => {
  it('keeps a sample of every round, the last one when it runs no more', async () => {
    const visited = new Map<string, number | null>([['c', 10]])
    const { samples, running, look, clock } = follow(visited)
    const start = clock.now()
    await look()
    visited.set('c', 30)
    running.delete('c')
    await look()
    await look()
    const sample = (round: number, visited: number) => ({
      ...{
        id: 'c',
        at: start + round * SAMPLE_INTERVAL_MS,
        pagesPerSecond: visited / 10,
        bytesPerSecond: 7,
        inFlight: 2,
      },
      states: { ...emptyLedger(), visited },
    })
    assert.deepEqual(samples, [sample(1, 10), sample(2, 30)])
  })

  it('passes over a crawl that is gone', async () => {
    const { samples, look } = follow(
      new Map([
        ['gone', null],
        ['c', 10],
      ]),
    )
    await look()
    assert.deepEqual(
      samples.map(({ id }) => id),
      ['c'],
    )
  })
})
