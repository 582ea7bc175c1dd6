// Crawl loops on a real store in virtual time: pace, slots and limits as a server sees them, and how often they ask
// for work, which no wall clock would notice.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Admit } from '../../src/engine/crawl/admit.ts'
import { CrawlLoop } from '../../src/engine/crawl/loop.ts'
import { RobotsGate } from '../../src/engine/robots/gate.ts'
import { urlKey } from '../../src/engine/url/key.ts'
import { Scope } from '../../src/engine/url/scope.ts'
import { SeenSet } from '../../src/engine/url/seen.ts'
import type { CrawlSettings } from '../../src/ports/crawls.ts'
import type { Frontier } from '../../src/ports/frontier.ts'
import { SETTINGS, type TestStore } from '../../src/ports/store.contract.ts'
import { makeTestStore } from '../../src/store/sqlite/test-store.ts'
import { inVirtualTime, type VirtualPage, VirtualWeb } from './virtual-web.ts'

const SEED = 'http://a.test/0'
const HOST = 'a.test'

/** Page n links to 2n+1 and 2n+2: a tree of `size` pages. */
function tree(size: number, latencyMs = 20): (url: string) => VirtualPage {
  return (url) => {
    const n = Number(new URL(url).pathname.slice(1))
    const links = [2 * n + 1, 2 * n + 2].filter((child) => child < size).map((child) => `/${child}`)
    return { links, latencyMs }
  }
}

async function crawl(t: TestContext, answer: (url: string) => VirtualPage, changes: Partial<CrawlSettings>, loops = 1) {
  const store: TestStore = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  t.after(() => store.close())
  const settings = { ...SETTINGS, ignoreRobots: true, concurrency: 16, ...changes }
  const seeds = [{ url: SEED, host: HOST, key: urlKey(SEED, 1) }]
  const made = await store.crawls.create({ seeds, settings, keySeed: 1 })
  const web = new VirtualWeb(store.clock, answer)
  const leaseCalls: number[] = []
  const running = Array.from({ length: loops }, (_, i) => {
    leaseCalls[i] = 0
    const frontier: Frontier = {
      commit: (batch) => store.frontier.commit(batch),
      renew: (tokens) => store.frontier.renew(tokens),
      waitForWork: (ms) => store.frontier.waitForWork(ms),
      lease(request) {
        leaseCalls[i] = (leaseCalls[i] ?? 0) + 1
        return store.frontier.lease(request)
      },
    }
    return new CrawlLoop(
      {
        crawlId: made.id,
        workerId: `w${i}`,
        concurrency: settings.concurrency / loops,
        slotsPerHost: Math.ceil(settings.perHost / loops),
        delayMs: settings.delayMs,
        leaseMs: store.leaseMs,
      },
      {
        frontier,
        fetcher: web,
        gate: new RobotsGate(
          { userAgent: 'test', ignoreRobots: settings.ignoreRobots, failureMs: 1000 },
          web,
          store.clock,
        ),
        clock: store.clock,
        admit: new Admit({
          scope: new Scope(settings, [SEED]),
          seen: new SeenSet(1000),
          keySeed: 1,
          maxDepth: settings.maxDepth,
        }),
        policy: settings,
        followRedirects: true,
        random: () => 0.5,
      },
    )
  })
  const ends = await inVirtualTime(store.clock, Promise.all(running.map((loop) => loop.run())))
  assert.deepEqual(await store.urls.audit(made.id), [])
  const pages = running.map((loop) => loop.stats.pages)
  return { web, ends, leaseCalls, pages, progress: await store.crawls.progress(made.id) }
}

describe('a crawl loop', () => {
  it('keeps the gap of a host with one slot and asks for work seldom', async (t) => {
    const { web, leaseCalls, progress } = await crawl(t, tree(40), { delayMs: 'auto' })
    assert.equal(progress.ledger.visited, 40)
    assert.equal(web.peak.get(HOST), 1)
    assert.ok(web.smallestGapMs(HOST) >= 200, `gap ${web.smallestGapMs(HOST)}`)
    assert.ok((leaseCalls[0] ?? 0) < 400, `${leaseCalls[0]} questions for 40 pages`)
  })

  it('a slower host is asked less often', async (t) => {
    const { web } = await crawl(t, tree(10, 300), { delayMs: 'auto' })
    assert.ok(web.smallestGapMs(HOST) >= 1500, `gap ${web.smallestGapMs(HOST)}`)
  })

  it('several slots of a host with a gap start apart, also with several threads', async (t) => {
    const { web } = await crawl(t, tree(60, 350), { delayMs: 100, perHost: 4 }, 2)
    assert.ok(web.smallestGapMs(HOST) >= 100, `gap ${web.smallestGapMs(HOST)}`)
    assert.equal(web.peak.get(HOST), 4)
  })

  it('threads share the slots of a host without a gap', async (t) => {
    const { web, pages, progress } = await crawl(t, tree(2000), { delayMs: 0, perHost: 8 }, 2)
    assert.equal(progress.ledger.visited, 2000)
    assert.equal(web.peak.get(HOST), 8)
    for (const count of pages) assert.ok(count > 500, `pages ${pages}`)
  })

  it('stops at exactly the pages wanted and asks seldom at the end', async (t) => {
    const { progress, leaseCalls } = await crawl(t, tree(500), { delayMs: 0, perHost: 4, maxPages: 30 }, 2)
    assert.equal(progress.ledger.visited, 30)
    for (const count of leaseCalls) assert.ok(count < 300, `${leaseCalls} questions for 30 pages`)
  })

  it('gives up a host whose robots.txt fails slowly', async (t) => {
    const failing = () => ({ status: 500, latencyMs: 2500 })
    const { progress, web } = await crawl(t, failing, { delayMs: 'auto', ignoreRobots: false, retries: 2 })
    assert.deepEqual([progress.crawl.status, progress.ledger.excluded], ['completed', 1])
    assert.equal(web.requests.length, 3)
  })
})
