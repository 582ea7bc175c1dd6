import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import { NO_LOOP_COUNTS } from '../../engine/crawl/watch/loop-counters.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { ForegroundCrawl } from './foreground-crawl.ts'

const crawl = (delayMs: number) => ({ id: 'c1', settings: { ...TEST_SETTINGS, delayMs } }) as Crawl
const never = new Promise<never>(() => undefined)

/** Shifts that end when they are told to, each after ten requests. */
async function begun() {
  const shifts: { delayMs: unknown; processes: number; end: (as: LoopEnd) => void }[] = []
  const foregroundCrawl = await ForegroundCrawl.begin(crawl(0), async ({ settings }) => {
    const { promise, resolve } = Promise.withResolvers<LoopEnd>()
    const one = { delayMs: settings.delayMs, processes: 0, end: resolve }
    shifts.push(one)
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
  return { relay: foregroundCrawl, shifts }
}

describe('a crawl in the foreground whose settings change', () => {
  it('goes on with a shift that has the new ones, and counts both', async () => {
    const { relay, shifts } = await begun()
    const ended = relay.run(never)
    relay.setProcessCount(3)
    relay.applySettings(crawl(0))
    relay.applySettings(crawl(500))
    await turn()
    assert.deepEqual(
      shifts.map(({ delayMs, processes }) => [delayMs, processes]),
      [
        [0, 3],
        [500, 3],
      ],
    )
    const { requests, failures, bytes, inFlight } = relay.stats()
    assert.deepEqual({ requests, failures, bytes, inFlight }, { requests: 20, failures: 4, bytes: 200, inFlight: 1 })
    shifts[1]?.end('completed')
    assert.equal(await ended, 'completed')
  })

  it('ends when it is told to, whatever has changed', async () => {
    const { relay, shifts } = await begun()
    const ended = relay.run(never)
    relay.applySettings(crawl(500))
    relay.stop()
    assert.equal(await ended, 'stopped')
    assert.equal(shifts.length, 1)
  })

  it('ends with the crawl, though a change came at the same moment', async () => {
    const { relay, shifts } = await begun()
    const ended = relay.run(never)
    shifts[0]?.end('completed')
    relay.applySettings(crawl(500))
    assert.equal(await ended, 'completed')
  })
})
