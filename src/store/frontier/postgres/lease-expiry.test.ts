// Expired leases and wrong clocks: only the database clock is authoritative.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Clock } from '../../../lib/clock.ts'
import { systemClock } from '../../../lib/clock.ts'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { foundUrl, only, StoreHarness, TEST_SETTINGS } from '../../../ports/contracts/testing/store-harness.ts'
import { HEALTHY_HOST } from '../../../ports/leases.ts'
import type { Store } from '../../../ports/store.ts'
import { openStore } from '../../postgres/store.ts'
import { testOptions } from '../../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../testing/test-database.ts'

const LEASE_MS = 30_000

/** Two processes on one database, whose clock the test moves. */
async function onTwoProcesses(work: (one: StoreHarness, two: StoreHarness) => Promise<void>): Promise<void> {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const options = testOptions(clock, { leaseMs: LEASE_MS, random: () => 0.5 })
  const stores = [await openStore(database.url, options), await openStore(database.url, options)]
  const benches = stores.map((store) => {
    const { close } = store
    return new StoreHarness({
      ...store,
      clock,
      leaseMs: LEASE_MS,
      close,
      reopen: () => Promise.reject(new Error('not here')),
    })
  })
  try {
    const [one, two] = benches
    assert.ok(one && two)
    await one.start(['a/1', 'a/2', 'b/1'], { perHost: 2, delayMs: 1000 })
    two.crawl = one.crawl
    await work(one, two)
    await one.assertSound()
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await database.drop()
  }
}

describe('an expired lease', () => {
  it('is requeued by the next request, and its late report is rejected', async () => {
    await onTwoProcesses(async (one, two) => {
      const [lost] = (await one.lease()).leases
      assert.ok(lost)
      assert.deepEqual((await two.lease()).leases, [])
      two.store.clock.advance(LEASE_MS)
      assert.deepEqual((await two.lease()).leases, [])
      two.store.clock.advance(1000)
      const again = (await two.lease()).leases
      assert.deepEqual(again.map(({ host }) => host).sort(), ['a.test', 'b.test'])
      const report = one.visitedReport(lost, lost.urls[0] ?? only(lost.urls))
      assert.equal((await one.commit([report])).late, 1)
      const { ledger, lateReports } = await two.progress()
      assert.deepEqual([ledger.in_progress, ledger.visited, lateReports], [3, 0, 1])
    })
  })

  it('does not affect the leases of others when its report is rejected', async () => {
    await onTwoProcesses(async (one, two) => {
      const first = only((await one.lease({ maxHosts: 1 })).leases)
      const second = only((await two.lease({ maxHosts: 1 })).leases)
      two.store.clock.advance(LEASE_MS - 1)
      assert.deepEqual(await two.store.frontier.renew([second.token]), [])
      two.store.clock.advance(2)
      assert.equal((await one.commit(first.urls.map((url) => one.visitedReport(first, url)))).late, first.urls.length)
      assert.equal((await two.commit(second.urls.map((url) => two.visitedReport(second, url)))).late, 0)
    })
  })

  it('fences the other leases of its worker until they are released', async () => {
    await onTwoProcesses(async (one, two) => {
      const lost = only((await one.lease({ maxHosts: 1 })).leases)
      one.store.clock.advance(LEASE_MS - 1)
      const kept = only((await one.lease({ maxHosts: 1 })).leases)
      one.store.clock.advance(2)
      const reports = [lost, kept].map((lease) => lease.urls.map((url) => one.visitedReport(lease, url)))
      assert.equal((await one.commit(reports[0] ?? [])).late, lost.urls.length)
      assert.equal((await one.commit(reports[1] ?? [])).late, kept.urls.length)
      assert.ok(!(await two.lease()).leases.some(({ host }) => host === kept.host))
      await one.commit([], { release: [kept.token] })
      one.store.clock.advance(2000)
      assert.ok((await two.lease()).leases.some(({ host }) => host === kept.host))
    })
  })

  it('makes its host wait one more gap, since its last request may not have been reported', async () => {
    await onTwoProcesses(async (one, two) => {
      const lost = only((await one.lease({ maxHosts: 1 })).leases)
      const now = one.store.clock.now()
      const report = {
        hostId: lost.hostId,
        nextAt: now + 5000,
        responseMs: 20,
        gapMs: 5000,
        concurrencyLimit: null,
        health: HEALTHY_HOST,
      }
      await one.commit([], { hosts: [report] })
      two.store.clock.advance(LEASE_MS + 1)
      const { leases } = await two.lease()
      assert.ok(!leases.some(({ hostId }) => hostId === lost.hostId))
      two.store.clock.advance(5000)
      assert.equal(only((await two.lease()).leases).hostId, lost.hostId)
    })
  })
})

function shifted(byMs: number): Clock {
  return { now: () => Date.now() + byMs, after: systemClock.after }
}

describe('a worker whose clock is wrong by an hour', () => {
  const HOUR_MS = 3_600_000
  const PAUSE_MS = 60_000
  /** Clocks have a resolution of one millisecond. */
  const ROUNDING_MS = 2

  for (const [how, offMs] of [
    ['fast', HOUR_MS],
    ['slow', -HOUR_MS],
  ] as const) {
    it(`that is ${how} keeps its leases and delays no host`, async () => {
      const database = await makeTestDatabase()
      const options = {
        isClockVirtual: false,
        random: Math.random,
        leaseMs: LEASE_MS,
        connections: 2,
        statementMs: 20_000,
        create: true,
      }
      const open = (clock: Clock): Promise<Store> => {
        return openStore(database.url, { ...options, clock, onOutage: () => undefined })
      }
      const wrong = await open(shifted(offMs))
      const right = await open(systemClock)
      try {
        const crawl = await wrong.crawls.create({
          seeds: [foundUrl('a/1'), foundUrl('a/2')],
          settings: TEST_SETTINGS,
          keySeed: 1,
        })
        const ask = { crawlId: crawl.id, maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
        const lease = only((await wrong.frontier.lease({ ...ask, threadId: 'wrong' })).leases)
        assert.deepEqual((await right.frontier.lease({ ...ask, threadId: 'right' })).leases, [])
        assert.deepEqual(await wrong.frontier.renew([lease.token]), [])

        const before = Date.now()
        const host = {
          hostId: lease.hostId,
          responseMs: 5,
          gapMs: PAUSE_MS,
          concurrencyLimit: null,
          health: HEALTHY_HOST,
        }
        await wrong.frontier.commit({
          crawlId: crawl.id,
          threadId: 'wrong',
          visits: [],
          found: [],
          linkKeys: new Uint8Array(0),
          rejected: {},
          requests: {},
          subresources: [],
          samples: [],
          release: [lease.token],
          bytes: 0,
          hosts: [{ ...host, nextAt: before + offMs + PAUSE_MS }],
        })
        const { leases, nextDueAt } = await right.frontier.lease({ ...ask, threadId: 'right' })
        assert.deepEqual(leases, [])
        const seenMs = (nextDueAt ?? 0) - before
        assert.ok(seenMs >= PAUSE_MS - ROUNDING_MS && seenMs <= Date.now() - before + PAUSE_MS + ROUNDING_MS)
        const own = await wrong.frontier.lease({ ...ask, threadId: 'wrong' })
        const waitMs = (own.nextDueAt ?? 0) - offMs - before
        assert.ok(waitMs >= PAUSE_MS - ROUNDING_MS && waitMs <= Date.now() - before + PAUSE_MS + ROUNDING_MS)
      } finally {
        await Promise.all([wrong.close(), right.close()])
        await database.drop()
      }
    })
  }
})
