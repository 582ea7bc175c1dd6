// How the threads of real crawls account for their time.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { totalPhaseMs } from '../../src/engine/crawl/stats/phase-recorder.ts'
import type { Phase } from '../../src/ports/workers.ts'
import type { RunningCrawl } from '../../src/worker/threads/running-crawl.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { createCrawl, openTestRuntime } from './testing/test-runtime.ts'

/** Slot time that makes enough samples. */
const ENOUGH_MS = 2000
const PATIENCE_MS = 60_000
const PAGE = Array.from({ length: 30 }, (_, i) => `<a href="/${i}">x</a>`).join('')

/**
 * Waits until the phase has the most time. It has not from the start if the machine is busy, since a thread that gets no
 * CPU looks as if it parsed.
 */
async function waitForLargest(runningCrawl: RunningCrawl, phase: Phase): Promise<void> {
  const isLargest = () => {
    const { phases } = runningCrawl.stats()
    return totalPhaseMs(phases) >= ENOUGH_MS && phases[phase] === Math.max(...Object.values(phases))
  }
  const timeoutMessage = () => `not ${phase}: ${JSON.stringify(runningCrawl.stats().phases)}`
  await waitUntil(isLargest, { timeoutMs: PATIENCE_MS, timeoutMessage })
}

describe('slot time', () => {
  it('goes to the origin if the server does not respond', async (t) => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    t.after(() => server.close().closeAllConnections())
    const requested = once(server, 'request')
    await once(server, 'listening')
    const runtime = await openTestRuntime(t)
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const runningCrawl = runtime.startCrawl(await createCrawl(runtime, origin, {}))
    await requested
    await waitForLargest(runningCrawl, 'origin')
  })

  it('goes to politeness if the only host has a long gap', async (t) => {
    const site = await servePlainSite(t, () => PAGE)
    const runtime = await openTestRuntime(t)
    const runningCrawl = runtime.startCrawl(await createCrawl(runtime, site.origin, { delayMs: 600_000 }))
    await waitUntil(() => site.requests.length > 0)
    await waitForLargest(runningCrawl, 'politeness')
  })

  it('is idle if another worker has the only URL', async (t) => {
    const site = await servePlainSite(t, () => PAGE)
    const runtime = await openTestRuntime(t)
    const crawl = await createCrawl(runtime, site.origin, {})
    const request = { crawlId: crawl.id, threadId: 'w2', maxUrls: 1, maxHosts: 1, slotsPerHost: 1 }
    const { leases } = await runtime.frontier.lease({ ...request, topUp: [], patternsVersion: 0 })
    assert.equal(leases.length, 1)
    await waitForLargest(runtime.startCrawl(crawl), 'idle')
    assert.equal(site.requests.length, 0)
  })
})
