import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { LoopEnd } from '../engine/crawl/loop.ts'
import { NO_TALLIES } from '../engine/crawl/tally.ts'
import type { Crawl } from '../ports/crawls.ts'
import { SETTINGS } from '../ports/store.contract.ts'
import { Relay } from './relay.ts'

const crawl = (delayMs: number) => ({ id: 'c1', settings: { ...SETTINGS, delayMs } }) as Crawl
const never = new Promise<never>(() => undefined)

/** Shifts that end when they are told to, each after ten requests. */
async function begun() {
  const shifts: { delayMs: unknown; processes: number; end: (as: LoopEnd) => void }[] = []
  const relay = await Relay.begin(crawl(0), async ({ settings }) => {
    const { promise, resolve } = Promise.withResolvers<LoopEnd>()
    const one = { delayMs: settings.delayMs, processes: 0, end: resolve }
    shifts.push(one)
    const counts = { inFlight: 1, requests: 10, failures: 2, bytes: 100, hosts: [], waits: [], phases: {}, held: null }
    return {
      run: () => promise,
      stop: () => resolve('stopped'),
      stats: () => ({ ...counts, tallies: NO_TALLIES }),
      shareWith: (processes) => {
        one.processes = processes
      },
    }
  })
  return { relay, shifts }
}

describe('a crawl in the foreground whose settings change', () => {
  it('goes on with a shift that has the new ones, and counts both', async () => {
    const { relay, shifts } = await begun()
    const ended = relay.run(never)
    relay.shareWith(3)
    relay.heed(crawl(0))
    relay.heed(crawl(500))
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
    relay.heed(crawl(500))
    relay.stop()
    assert.equal(await ended, 'stopped')
    assert.equal(shifts.length, 1)
  })

  it('ends with the crawl, though a change came at the same moment', async () => {
    const { relay, shifts } = await begun()
    const ended = relay.run(never)
    shifts[0]?.end('completed')
    relay.heed(crawl(500))
    assert.equal(await ended, 'completed')
  })
})
