// Slot time in virtual time: whole crawls with every second accounted for.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { CrawlLoop } from '../../src/engine/crawl/loop/crawl-loop.ts'
import { mergePhases, type PhaseTimes, totalPhaseMs } from '../../src/engine/crawl/stats/phase-recorder.ts'
import type { ManualClock } from '../../src/lib/testing/manual-clock.ts'
import type { CrawlSettings } from '../../src/ports/crawls.ts'
import type { Phase } from '../../src/ports/workers.ts'
import { makeTreeSite, type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'

const SAMPLE_MS = 100

/** Shares of the first half minute of a crawl, over all its loops. */
async function sharesOf(t: TestContext, pageResponder: PageResponder, changes: Partial<CrawlSettings>, loops = 1) {
  let times: PhaseTimes = {}
  const sample = (running: CrawlLoop[], clock: ManualClock, left: number) => {
    for (const loop of running) loop.monitor.samplePhases(0)
    times = mergePhases(running.map(({ monitor }) => monitor.phases))
    if (left > 0) clock.after(SAMPLE_MS, () => sample(running, clock, left - SAMPLE_MS))
  }
  const onStart = (running: CrawlLoop[], { clock }: { clock: ManualClock }) => {
    clock.after(SAMPLE_MS, () => sample(running, clock, 30_000))
  }
  await simulateCrawl(t, pageResponder, { ...changes, onStart }, loops)
  const total = totalPhaseMs(times)
  return (phase: Phase) => (times[phase] ?? 0) / total
}

describe('slot time', () => {
  it('goes to the origin if it is slow', async (t) => {
    const share = await sharesOf(t, makeTreeSite(60, 2000), { perHost: 2 })
    assert.ok(share('origin') > 0.9, String(share('origin')))
  })

  it('goes to politeness if the gap is short but longer than the response time', async (t) => {
    const share = await sharesOf(t, makeTreeSite(60, 100), { delayMs: 900 })
    assert.ok(share('politeness') > 0.8, String(share('politeness')))
    assert.ok(share('origin') > 0.05, String(share('origin')))
  })

  it('goes to politeness if the gap is so long that the host is released', async (t) => {
    const share = await sharesOf(t, makeTreeSite(20, 100), { delayMs: 5000 })
    assert.ok(share('politeness') > 0.9, String(share('politeness')))
  })

  it('goes to politeness if there is a rate limit over all hosts', async (t) => {
    const share = await sharesOf(t, makeTreeSite(60, 20), { perHost: 8, maxRate: 2 })
    assert.ok(share('politeness') > 0.9, String(share('politeness')))
  })

  it('goes to politeness also with many threads, of which one has the host', async (t) => {
    const share = await sharesOf(t, makeTreeSite(40, 100), { delayMs: 900 }, 4)
    assert.ok(share('politeness') > 0.7, String(share('politeness')))
    assert.ok(share('idle') < 0.1, String(share('idle')))
  })
})
