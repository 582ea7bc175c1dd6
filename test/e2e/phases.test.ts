// Where the time of real crawls goes, as their threads see it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { totalOf } from '../../src/engine/crawl/phases.ts'
import type { Crawl, CrawlSettings, Crawls } from '../../src/ports/crawls.ts'
import type { FoundUrl, Frontier } from '../../src/ports/frontier.ts'
import { SETTINGS } from '../../src/ports/store.contract.ts'
import type { Phase } from '../../src/ports/workers.ts'
import { startStoreThread } from '../../src/store/sqlite/remote.ts'
import { Crew } from '../../src/worker/crew.ts'
import { Holds } from '../../src/worker/holds.ts'
import type { Shift } from '../../src/worker/shift.ts'
import { servePlain } from '../sites/plain.ts'
import { temporaryFolder } from './program.ts'

const LOOK_MS = 50
const LEASE_MS = 30_000
/** Of slot time: enough looks to tell. */
const ENOUGH_MS = 2000
const PAGE = Array.from({ length: 30 }, (_, i) => `<a href="/${i}">x</a>`).join('')

interface Workplace {
  crawls: Crawls
  frontier: Frontier
  begin(crawl: Crawl): Shift
}

async function openWorkplace(t: TestContext): Promise<Workplace> {
  const store = await startStoreThread({ dir: temporaryFolder(t), create: true, leaseMs: LEASE_MS })
  const crew = new Crew(2)
  t.after(async () => {
    await crew.close()
    await store.close()
  })
  const settings = { workerId: 'w1', seenUrls: 10_000, leaseMs: LEASE_MS }
  const parts = { connectStore: store.connect, connectArchive: null, holds: new Holds() }
  return {
    crawls: store.client.service<Crawls>('crawls'),
    frontier: store.client.service<Frontier>('frontier'),
    begin: (crawl) => crew.begin(crawl, settings, parts),
  }
}

function seed(origin: string): FoundUrl {
  const { host } = new URL(origin)
  return { url: `${origin}/`, host, key: 1n, kind: 'page', isSuspect: false, listing: null }
}

function create({ crawls }: Workplace, origin: string, settings: Partial<CrawlSettings>) {
  const all = { ...SETTINGS, timeoutMs: 60_000, maxBodyBytes: 100_000, allowPrivate: true, ...settings }
  return crawls.create({ seeds: [seed(origin)], settings: all, keySeed: 1 })
}

/** What most of the time went to, once there is enough of it. */
async function largestPhase(shift: Shift): Promise<Phase | undefined> {
  for (;;) {
    const { phases } = shift.stats()
    if (totalOf(phases) >= ENOUGH_MS) {
      const [largest] = Object.entries(phases).toSorted(([, a], [, b]) => b - a)
      return largest?.[0] as Phase | undefined
    }
    await sleep(LOOK_MS)
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(LOOK_MS)
}

describe('where time goes', () => {
  it('to the origin, when the server does not answer', async (t) => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    t.after(() => server.close().closeAllConnections())
    const asked = once(server, 'request')
    await once(server, 'listening')
    const place = await openWorkplace(t)
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const shift = place.begin(await create(place, origin, {}))
    await asked
    assert.equal(await largestPhase(shift), 'origin')
  })

  it('to politeness, when the only host has a long gap', async (t) => {
    const site = await servePlain(t, () => PAGE)
    const place = await openWorkplace(t)
    const shift = place.begin(await create(place, site.origin, { delayMs: 600_000 }))
    await until(() => site.requests.length > 0)
    assert.equal(await largestPhase(shift), 'politeness')
  })

  it('nowhere, when another worker has the only url', async (t) => {
    const site = await servePlain(t, () => PAGE)
    const place = await openWorkplace(t)
    const crawl = await create(place, site.origin, {})
    const ask = { crawlId: crawl.id, workerId: 'w2', maxUrls: 1, maxHosts: 1, slotsPerHost: 1 }
    const { leases } = await place.frontier.lease({ ...ask, topUp: [], patternsVersion: 0 })
    assert.equal(leases.length, 1)
    assert.equal(await largestPhase(place.begin(crawl)), 'idle')
    assert.equal(site.requests.length, 0)
  })
})
