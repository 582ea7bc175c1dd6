// Crawl loops on a real store in virtual time: rate, slots and limits as a server sees them, and how often the loops
// poll for leases, which a wall clock would not show.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../src/lib/errors.ts'
import { createLog } from '../../src/lib/log.ts'
import type { TestStore } from '../../src/ports/contracts/testing/store-harness.ts'
import { HOST, makeTreeSite, type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'

describe('a crawl loop', () => {
  it('keeps the gap of a host with one slot and polls rarely', async (t) => {
    const { web, leaseCalls, progress } = await simulateCrawl(t, makeTreeSite(40), { delayMs: 'auto' })
    assert.equal(progress.ledger.visited, 40)
    assert.equal(web.peakConcurrency.get(HOST), 1)
    assert.ok(web.smallestGapMs(HOST) >= 200, `gap ${web.smallestGapMs(HOST)}`)
    assert.ok((leaseCalls[0] ?? 0) < 400, `${leaseCalls[0]} questions for 40 pages`)
  })

  it('a slower host gets fewer requests', async (t) => {
    const { web } = await simulateCrawl(t, makeTreeSite(10, 300), { delayMs: 'auto' })
    assert.ok(web.smallestGapMs(HOST) >= 1500, `gap ${web.smallestGapMs(HOST)}`)
  })

  it('several slots of a host with a gap start apart, also with several threads', async (t) => {
    const { web } = await simulateCrawl(t, makeTreeSite(60, 350), { delayMs: 100, perHost: 4 }, 2)
    assert.ok(web.smallestGapMs(HOST) >= 100, `gap ${web.smallestGapMs(HOST)}`)
    assert.equal(web.peakConcurrency.get(HOST), 4)
  })

  it('one slow page does not block the other slots of its host', async (t) => {
    const page = makeTreeSite(60)
    const slow = (url: string) => ({ ...page(url), latencyMs: url.endsWith('/1') ? 60_000 : 50 })
    const { web, progress, startedAt } = await simulateCrawl(t, slow, { delayMs: 100, perHost: 4 })
    assert.equal(progress.ledger.visited, 60)
    // URLs that only the slow page links to come after it.
    const early = web.requests.filter(({ at }) => at - startedAt < 30_000).length
    assert.ok(early >= 30, `${early} requests while it was under way`)
  })

  it('threads share the slots of a host without a gap', async (t) => {
    const { web, pages, progress } = await simulateCrawl(t, makeTreeSite(2000), { delayMs: 0, perHost: 8 }, 2)
    assert.equal(progress.ledger.visited, 2000)
    assert.equal(web.peakConcurrency.get(HOST), 8)
    for (const count of pages) assert.ok(count > 500, `pages ${pages}`)
  })

  it('shares its slots equally among hosts that could use all of them', async (t) => {
    const seeds = ['a', 'b', 'c', 'd'].map((name) => `http://${name}.test/0`)
    const leaves = Array.from({ length: 40 }, (_, i) => `/${i + 1}`)
    const page: PageResponder = (url) => ({ links: url.endsWith('/0') ? leaves : [], latencyMs: 20 })
    const { web, progress } = await simulateCrawl(t, page, { seeds, delayMs: 0, perHost: 16, concurrency: 16 })
    assert.equal(progress.ledger.visited, 4 * 41)
    assert.deepEqual([...web.peakConcurrency.values()], [4, 4, 4, 4])
  })

  it('gives a host that is found later its share of the slots', async (t) => {
    const leaves = (host: string, count: number) =>
      Array.from({ length: count }, (_, i) => `http://${host}.test/${i + 1}`)
    const links: Record<string, string[]> = {
      'http://a.test/0': leaves('a', 2000),
      'http://a.test/300': ['http://b.test/0'],
      'http://b.test/0': leaves('b', 40),
    }
    const page: PageResponder = (url) => ({ links: links[url] ?? [], latencyMs: 20 })
    const settings = { seeds: ['http://a.test/0'], delayMs: 0, perHost: 16, perIp: 16, concurrency: 16 }
    const { web } = await simulateCrawl(t, page, settings)
    const hosts = web.requests.map(({ host }) => host)
    const lastB = hosts.lastIndexOf('b.test')
    assert.ok(lastB < 1000, `request ${lastB} of ${hosts.length}`)
    assert.equal(web.peakConcurrency.get('b.test'), 8)
  })

  it('a request aborted with its lease counts against neither its URL nor its host', async (t) => {
    const site = makeTreeSite(20)
    const seen = new Set<string>()
    const lapsesFirst: PageResponder = (url) => {
      if (seen.has(url)) return site(url)
      seen.add(url)
      return { problem: 'lease_lapsed' }
    }
    const { progress, web, tookMs } = await simulateCrawl(t, lapsesFirst, { delayMs: 0, retries: 0, cooldownMs: 500 })
    assert.equal(progress.ledger.visited, 20, JSON.stringify(progress.ledger))
    assert.equal(web.requests.length, 40)
    assert.ok(tookMs < 5000, `${tookMs} ms`)
  })

  it('stops at exactly the page limit and polls rarely at the end', async (t) => {
    const { progress, leaseCalls } = await simulateCrawl(
      t,
      makeTreeSite(500),
      { delayMs: 0, perHost: 4, maxPages: 30 },
      2,
    )
    assert.equal(progress.ledger.visited, 30)
    for (const count of leaseCalls) assert.ok(count < 300, `${leaseCalls} questions for 30 pages`)
  })

  it('polls rarely while its last pages wait for the archive', async (t) => {
    let delay = async (_ms: number): Promise<void> => undefined
    const { progress, leaseCalls } = await simulateCrawl(t, makeTreeSite(1), {
      archive: 'all',
      async append({ items }) {
        await delay(10_000)
        return items.map(() => ({ segment: '20260102T030405-w1-00000.warc.gz', offset: 0, length: 1 }))
      },
      onStart: (_, { clock }) => {
        delay = (ms) => new Promise((resolve) => clock.after(ms, resolve))
      },
    })
    assert.equal(progress.ledger.visited, 1)
    assert.ok((leaseCalls[0] ?? 0) < 100, `${leaseCalls[0]} polls in ten seconds`)
  })

  it('ends with the error of its archive, and later responses do not count', async (t) => {
    let store: TestStore | undefined
    let crawlId = ''
    const lines: string[] = []
    const scene = {
      append: async () => {
        throw new AppError('DISK_FULL', 'The disk is full.')
      },
      onStart: (_loops: unknown, opened: TestStore, id: string) => {
        store = opened
        crawlId = id
      },
      log: createLog((_level, event) => lines.push(event)),
    }
    const seeds = Array.from({ length: 20 }, (_, i) => `http://${HOST}/${i}`)
    const slow: PageResponder = (url) => (url.endsWith('/0') ? {} : { problem: 'connection_lost', latencyMs: 5000 })
    const settings = { delayMs: 0, perHost: 16, retries: 0, archive: 'all' as const }
    await assert.rejects(simulateCrawl(t, slow, { ...settings, ...scene, seeds }), { code: 'DISK_FULL' })
    assert.deepEqual(lines, ['url visited'])
    for (let i = 0; i < 100; i++) {
      store?.clock.advance(100)
      // Also catches an unhandled rejection, which would end a thread and all its crawls.
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual(lines, ['url visited'])
    assert.equal((await store?.crawls.progress(crawlId))?.ledger.failed, 0)
  })

  it('that is stopped does not wait for an archive that takes no pages; they are fetched again', async (t) => {
    let stop = (): void => undefined
    const stopped = await simulateCrawl(t, makeTreeSite(1), {
      archive: 'all',
      append() {
        stop()
        return new Promise(() => undefined)
      },
      onStart: ([loop]) => {
        stop = () => loop?.stop()
      },
    })
    const { store, crawlId, tookMs } = stopped
    assert.deepEqual([stopped.ends, stopped.hasUrlsInFlight], [['stopped'], [true]])
    assert.ok(tookMs >= 5000 && tookMs < 6000, `${tookMs} ms`)
    assert.equal(stopped.progress.ledger.in_progress, 1)
    await store.frontier.requeueThread(crawlId, 'w0')
    const { ledger } = await store.crawls.progress(crawlId)
    assert.deepEqual([ledger.queued, ledger.in_progress, ledger.visited], [1, 0, 0])
  })

  it('that is stopped waits for a slow archive', async (t) => {
    let stopAndWait = async (): Promise<void> => undefined
    const slow = await simulateCrawl(t, makeTreeSite(1), {
      archive: 'all',
      async append({ items }) {
        await stopAndWait()
        return items.map(() => ({ segment: '20260102T030405-w1-00000.warc.gz', offset: 0, length: 1 }))
      },
      onStart: ([loop], { clock }) => {
        stopAndWait = () => {
          loop?.stop()
          return new Promise((resolve) => clock.after(4000, resolve))
        }
      },
    })
    assert.deepEqual([slow.hasUrlsInFlight, slow.progress.ledger.visited], [[false], 1])
  })

  it('gives up a host whose robots.txt fails slowly', async (t) => {
    const failing = () => ({ status: 500, latencyMs: 2500 })
    const { progress, web } = await simulateCrawl(t, failing, { delayMs: 'auto', ignoreRobots: false, retries: 2 })
    assert.deepEqual([progress.crawl.status, progress.ledger.excluded], ['completed', 1])
    assert.equal(web.requests.length, 3)
  })
})
