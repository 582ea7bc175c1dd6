import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { quietLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/manual-clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { emptyLedger } from '../../ports/state.ts'
import { EVERY_MS, History, MAX_SAMPLES } from './history.ts'
import type { ProgressJson } from './progress.ts'

/** Crawls that have visited so many urls; null: the crawl is gone. */
function follow(visited: Map<string, number | null>) {
  const clock = new ManualClock()
  const running = new Set(visited.keys())
  const history = new History({
    clock,
    log: quietLog,
    running: () => [...running],
    crawls: {
      async progress(id) {
        const count = visited.get(id) ?? null
        if (count === null) throw new AppError('CRAWL_NOT_FOUND', 'gone')
        return { crawl: { id }, ledger: { ...emptyLedger(), visited: count } } as CrawlProgress
      },
    },
    tell: async ({ ledger }) =>
      ({ states: ledger, pages_per_second: ledger.visited / 10, bytes_per_second: 7, in_flight: 2 }) as ProgressJson,
  })
  const look = async () => {
    clock.advance(EVERY_MS)
    await history.look()
  }
  return { history, running, look, clock }
}

describe('the history of a crawl', () => {
  it('has a sample of every round, the last one when it runs no more', async () => {
    const visited = new Map<string, number | null>([['c', 10]])
    const { history, running, look, clock } = follow(visited)
    const start = clock.now()
    assert.deepEqual(history.of('c'), [])
    await look()
    visited.set('c', 30)
    running.delete('c')
    await look()
    await look()
    const sample = (round: number, visited: number) => ({
      ...{ at: start + round * EVERY_MS, pagesPerSecond: visited / 10, bytesPerSecond: 7, inFlight: 2 },
      states: { ...emptyLedger(), visited },
    })
    assert.deepEqual(history.of('c'), [sample(1, 10), sample(2, 30)])
  })

  it('gets sparser towards its beginning, and stays within its bound', async () => {
    const { history, look, clock } = follow(new Map([['c', 1]]))
    const start = clock.now()
    for (let round = 0; round < 3 * MAX_SAMPLES; round++) await look()
    const times = history.of('c').map(({ at }) => at)
    assert.ok(times.length <= MAX_SAMPLES && times.length > MAX_SAMPLES / 2, String(times.length))
    assert.equal(times[0], start + EVERY_MS)
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0))
    assert.equal(gaps.at(-1), EVERY_MS)
    assert.ok(gaps.every((gap, i) => i === 0 || gap <= (gaps[i - 1] ?? 0)))
  })

  it('goes with its crawl', async () => {
    const visited = new Map<string, number | null>([['c', 10]])
    const { history, look } = follow(visited)
    await look()
    visited.set('c', null)
    await look()
    assert.deepEqual(history.of('c'), [])
  })

  it('is forgotten of the crawl that was sampled longest ago, when there are very many', async () => {
    const visited = new Map<string, number | null>(Array.from({ length: 205 }, (_, i) => [`c${i}`, 1]))
    const { history, look } = follow(visited)
    await look()
    const kept = [...visited.keys()].filter((id) => history.of(id).length > 0)
    assert.deepEqual([kept.length, kept[0]], [200, 'c5'])
  })
})
