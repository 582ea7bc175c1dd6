import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import { NO_LOOP_COUNTS } from '../../engine/crawl/stats/loop-counters.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { ForegroundCrawl } from './foreground-crawl.ts'

const crawl = (delayMs: number) => ({ id: 'c1', settings: { ...TEST_SETTINGS, delayMs } }) as Crawl
const never = new Promise<never>(() => undefined)

/** A foreground crawl whose runs end when the test decides. Each run counts ten requests. */
async function startCrawl() {
  const runs: { delayMs: unknown; processes: number; end: (as: LoopEnd) => void }[] = []
  const foregroundCrawl = await ForegroundCrawl.begin(crawl(0), async ({ settings }) => {
    const { promise, resolve } = Promise.withResolvers<LoopEnd>()
    const one = { delayMs: settings.delayMs, processes: 0, end: resolve }
    runs.push(one)
    const counts = { inFlight: 1, requests: 10, failures: 2, bytes: 100, hosts: [], waits: [], phases: {}, held: null }
    return {
      run: () => promise,
      stop: () => resolve('stopped'),
      stats: () => ({ ...counts, loopCounts: NO_LOOP_COUNTS }),
      setProcessCount: (processes) => {
        one.processes = processes
      },
    }
  })
  return { foregroundCrawl, runs }
}

describe('a crawl in the foreground whose settings change', () => {
  it('continues with a run that has the new settings, and counts both', async () => {
    const { foregroundCrawl, runs } = await startCrawl()
    const ended = foregroundCrawl.run(never)
    foregroundCrawl.setProcessCount(3)
    foregroundCrawl.applySettings(crawl(0))
    foregroundCrawl.applySettings(crawl(500))
    await turn()
    assert.deepEqual(
      runs.map(({ delayMs, processes }) => [delayMs, processes]),
      [
        [0, 3],
        [500, 3],
      ],
    )
    const { requests, failures, bytes, inFlight } = foregroundCrawl.stats()
    assert.deepEqual({ requests, failures, bytes, inFlight }, { requests: 20, failures: 4, bytes: 200, inFlight: 1 })
    runs[1]?.end('completed')
    assert.equal(await ended, 'completed')
  })

  it('ends when it is stopped, whatever has changed', async () => {
    const { foregroundCrawl, runs } = await startCrawl()
    const ended = foregroundCrawl.run(never)
    foregroundCrawl.applySettings(crawl(500))
    foregroundCrawl.stop()
    assert.equal(await ended, 'stopped')
    assert.equal(runs.length, 1)
  })

  it('ends with the crawl, even if the settings change at the same moment', async () => {
    const { foregroundCrawl, runs } = await startCrawl()
    const ended = foregroundCrawl.run(never)
    runs[0]?.end('completed')
    foregroundCrawl.applySettings(crawl(500))
    assert.equal(await ended, 'completed')
  })
})
