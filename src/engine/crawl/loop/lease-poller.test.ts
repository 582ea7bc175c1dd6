import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StopSignal } from '../../../lib/stop-signal.ts'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import type { Frontier } from '../../../ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../ports/leases.ts'
import { LeasePoller } from './lease-poller.ts'
import { LeasedHosts } from './leased-hosts.ts'

const SETTINGS = {
  crawlId: 'c',
  threadId: 'w',
  concurrency: 8,
  slotsPerHost: 1,
  delayMs: 100,
  pollMinMs: 100,
  pollMaxMs: 30_000,
}
const PACE = {
  delayMs: 100,
  jitterMs: 0,
  perHost: 1,
  cooldownMs: 500,
  cooldownMaxMs: null,
  hostPatienceMs: 0,
  retries: 0,
}

/** A poller on a store that returns `grant`. `waits` collects how long the poller waits between polls. */
function makePoller(grant: () => Partial<LeaseGrant>) {
  const clock = new ManualClock()
  const waits: number[] = []
  const requests: LeaseRequest[] = []
  const frontier = {
    lease: async (request: LeaseRequest) => {
      requests.push(request)
      return { leases: [], wakeCount: 0, patternsVersion: 0, nextDueAt: null, ...grant() }
    },
    waitForWork: async (ms: number) => {
      waits.push(ms)
      clock.advance(ms)
    },
  } as unknown as Frontier
  const leasedHosts = new LeasedHosts(PACE, () => 0)
  const leasePoller = new LeasePoller(SETTINGS, { frontier, clock, leasedHosts, pageRenderer: null })
  const stopSignal = new StopSignal()
  const poll = async () => {
    const { nextDueAt } = await leasePoller.requestLeases()
    await leasePoller.waitForWork(nextDueAt, stopSignal)
  }
  return { clock, waits, poll, requests, leasePoller }
}

describe('LeasePoller without URLs', () => {
  it('polls after 100 ms, then less and less often, down to every 30 seconds', async () => {
    const { waits, poll } = makePoller(() => ({}))
    for (let i = 0; i < 12; i++) await poll()
    assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000])
  })

  it('polls often again after a grant with URLs', async () => {
    const leases: LeaseGrant['leases'] = []
    const { waits, poll } = makePoller(() => ({ leases }))
    for (let i = 0; i < 5; i++) await poll()
    leases.push({ urls: [{}] } as LeaseGrant['leases'][number])
    await poll()
    leases.pop()
    await poll()
    assert.deepEqual(waits.slice(-3), [1600, 100, 200])
  })

  it('waits no longer than until the next URL is due', async () => {
    const due: { at: number | null } = { at: null }
    const { clock, waits, poll } = makePoller(() => ({ nextDueAt: due.at }))
    for (let i = 0; i < 5; i++) await poll()
    due.at = clock.now() + 70
    await poll()
    await poll()
    assert.deepEqual(waits.slice(-2), [70, 0])
  })
})

describe('LeasePoller after its leases were lost', () => {
  it('asks for a tenth of its hosts and URLs at first, and for all of them after ten seconds', async () => {
    const { clock, requests, leasePoller } = makePoller(() => ({}))
    const wanted = async () => {
      await leasePoller.requestLeases()
      const { maxHosts, maxUrls } = requests.at(-1) ?? assert.fail()
      return [maxHosts, maxUrls]
    }
    assert.deepEqual(await wanted(), [32, 128])
    leasePoller.recover()
    assert.deepEqual(await wanted(), [4, 13])
    assert.ok(leasePoller.hasRoomForHosts && leasePoller.isRunningLow)
    clock.advance(5000)
    assert.deepEqual(await wanted(), [16, 64])
    clock.advance(5000)
    assert.deepEqual(await wanted(), [32, 128])
  })
})
