// Hosts that refuse, fail and stop responding, in virtual time: how long they are paused, and that no other host waits.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newRateCell } from '../../src/engine/politeness/throttle.ts'
import { HOST, makeTreeSite, type PageResponder, simulateCrawl, simulateCrawls } from './testing/simulated-crawl.ts'
import type { VirtualPage } from './testing/virtual-web.ts'

const PAGES = 40
/** The initial time of a test store. */
const CLOCK_START = 1_000_000
const POLITE = { delayMs: 100, cooldownMs: 500, retries: 2, retryDelayMs: 100, hostPatienceMs: 300_000 }

/** All seeds are available at the start. */
const SEEDS = Array.from({ length: PAGES }, (_, i) => `http://${HOST}/${i}`)

/** Times of the requests to a host, since the start. */
function timesOf(host: string, result: Awaited<ReturnType<typeof simulateCrawl>>): number[] {
  return result.web.requests.filter((request) => request.host === host).map(({ at }) => at - result.startedAt)
}

function gaps(times: number[]): number[] {
  return times.slice(1).map((time, i) => time - (times[i] ?? 0))
}

/** A tree of pages that is unreachable between two times. */
function silentBetween(from: number, to: number, silence: Silence): PageResponder {
  const page = makeTreeSite(PAGES)
  return (url, now) => (now >= from && now < to ? SILENCES[silence] : page(url))
}

const SILENCES = {
  refuses: { problem: 'connect_refused', latencyMs: 5 },
  hangs: { isMute: true },
} satisfies Record<string, VirtualPage>
type Silence = keyof typeof SILENCES

describe('a host that refuses', () => {
  it('is retried after a pause that doubles, and that shrinks again when it responds', async (t) => {
    let responses = 0
    const page = makeTreeSite(PAGES)
    const refuses: PageResponder = (url) => {
      responses += 1
      return responses > 2 && responses <= 5 ? { status: 429 } : page(url)
    }
    const result = await simulateCrawl(t, refuses, { ...POLITE, retries: 5 })
    assert.equal(result.progress.ledger.visited, PAGES)
    const waits = gaps(timesOf(HOST, result)).slice(2, 6)
    assert.ok((waits[0] ?? 0) >= 500 && (waits[1] ?? 0) >= 1000 && (waits[2] ?? 0) >= 2000, `${waits}`)
    assert.ok((waits[3] ?? 0) < 500, `${waits}`)
  })

  for (const [name, header] of [
    ['seconds', () => '40'],
    ['a date', (now: number) => new Date(now + 41_000).toUTCString()],
  ] as const) {
    it(`is paused for as long as Retry-After says in ${name}`, async (t) => {
      let responses = 0
      const page = makeTreeSite(PAGES)
      const refuses: PageResponder = (url, now) => {
        responses += 1
        return responses === 3 ? { status: 503, retryAfter: header(CLOCK_START + now) } : page(url)
      }
      const result = await simulateCrawl(t, refuses, POLITE)
      assert.equal(result.progress.ledger.visited, PAGES)
      const longest = Math.max(...gaps(timesOf(HOST, result)))
      assert.ok(longest >= 40_000 && longest < 45_000, `${longest}`)
    })
  }
})

describe('a host that stops responding', () => {
  for (const silence of ['refuses', 'hangs'] as const) {
    for (const [perHost, delayMs] of [
      [1, 100],
      [8, 2000],
    ] as const) {
      it(`(it ${silence}, ${perHost} at a time) is detected within ten seconds and then only probed`, async (t) => {
        const settings = { ...POLITE, perHost, delayMs, retries: 5, seeds: SEEDS }
        const result = await simulateCrawl(t, silentBetween(1000, 120_000, silence), settings)
        assert.equal(result.progress.ledger.visited, PAGES, JSON.stringify(result.progress.ledger))
        const during = timesOf(HOST, result).filter((time) => time >= 1000 && time < 120_000)
        const found = (during[0] ?? 0) + 10_000
        assert.ok(during.length <= 16, `${during.length} requests in two minutes`)
        const trials = gaps(during.filter((time) => time >= found))
        assert.ok(trials.length > 0 && Math.min(...trials) >= 5000, `${trials}`)
      })
    }

    it(`(it ${silence}) is used again within 30 seconds, whenever it recovers`, async (t) => {
      for (let healsAt = 100_000; healsAt < 130_000; healsAt += 4000) {
        const result = await simulateCrawl(t, silentBetween(1000, healsAt, silence), POLITE)
        const after = timesOf(HOST, result).find((time) => time >= healsAt) ?? Number.POSITIVE_INFINITY
        assert.ok(after - healsAt < 30_000, `healed at ${healsAt}: ${after - healsAt} ms until the next request`)
        assert.equal(result.progress.ledger.visited, PAGES, JSON.stringify(result.progress.ledger))
      }
    })
  }

  it('and never recovers: its URLs end with a reason when --host-patience is over', async (t) => {
    const result = await simulateCrawl(t, silentBetween(1000, Number.POSITIVE_INFINITY, 'refuses'), POLITE)
    const { ledger, crawl: ended } = result.progress
    assert.deepEqual([ended.status, ledger.queued, ledger.in_progress], ['completed', 0, 0])
    assert.ok(result.tookMs >= 300_000 && result.tookMs < 360_000, `${result.tookMs}`)
    const silent = result.rows.filter((row) => row.reason === 'host_unresponsive')
    assert.ok(silent.length > 0 && silent.every((row) => row.state === 'failed'))
  })

  it('and returns with another failure: the attempts count, and the crawl ends', async (t) => {
    const page = makeTreeSite(PAGES)
    const breaks: PageResponder = (url, now) => {
      if (now < 1000) return page(url)
      return now < 20_000 ? { problem: 'connect_refused', latencyMs: 5 } : { problem: 'tls_expired', latencyMs: 5 }
    }
    const { progress, web } = await simulateCrawl(t, breaks, POLITE)
    assert.deepEqual([progress.crawl.status, progress.ledger.queued], ['completed', 0])
    assert.ok(web.requests.length < PAGES * 4, `${web.requests.length} requests`)
  })

  it('and never responded at all: its URLs end as soon as the retries are used up', async (t) => {
    const seeds = Array.from({ length: 50 }, (_, i) => `http://a.test/${i}`)
    const result = await simulateCrawl(t, () => ({ isMute: true }), { ...POLITE, seeds })
    assert.equal(result.progress.ledger.failed, 50)
    assert.ok(result.tookMs < 60_000, `${result.tookMs}`)
    assert.ok(result.web.requests.length <= 4, `${result.web.requests.length} requests`)
  })

  it('slows no other host down', async (t) => {
    const seeds = ['http://a.test/0', 'http://b.test/0']
    const page = makeTreeSite(PAGES)
    const quiet: PageResponder = (url) => (url.startsWith('http://b.') ? { isMute: true } : page(url))
    const alone = await simulateCrawl(t, page, { ...POLITE, seeds: ['http://a.test/0'] })
    const both = await simulateCrawl(t, quiet, { ...POLITE, seeds })
    const last = (result: typeof alone) => timesOf('a.test', result).at(-1) ?? 0
    assert.ok(last(both) <= last(alone) * 1.05, `${last(both)} against ${last(alone)}`)
  })
})

describe('paused hosts', () => {
  it('do not block others, however many they are', async (t) => {
    const slow = Array.from({ length: 30 }, (_, i) => `http://slow${i}.test`)
    const seeds = [...slow.flatMap((host) => [1, 2, 3].map((n) => `${host}/${n}`)), 'http://fast.test/0']
    const page = makeTreeSite(PAGES)
    const pageResponder: PageResponder = (url) => {
      if (url.endsWith('/robots.txt')) return { body: url.includes('slow') ? 'User-agent: *\nCrawl-delay: 60' : '' }
      return url.startsWith('http://fast') ? page(url) : {}
    }
    const settings = { ...POLITE, seeds, scope: 'any' as const, ignoreRobots: false, concurrency: 2 }
    const result = await simulateCrawl(t, pageResponder, settings)
    assert.equal(result.progress.ledger.visited, seeds.length - 1 + PAGES)
    const last = timesOf('fast.test', result).at(-1) ?? 0
    assert.ok(last < 60_000, `the fast host took ${last} ms`)
  })

  it('leave room for others under a page limit', async (t) => {
    const seeds = [...Array.from({ length: 30 }, (_, i) => `http://slow.test/${i}`), 'http://fast.test/0']
    const page = makeTreeSite(PAGES)
    const pageResponder: PageResponder = (url) => {
      if (url.endsWith('/robots.txt')) return { body: url.includes('slow') ? 'User-agent: *\nCrawl-delay: 60' : '' }
      return url.startsWith('http://fast') ? page(url) : {}
    }
    const settings = { ...POLITE, seeds, scope: 'any' as const, ignoreRobots: false, maxPages: 20 }
    const { tookMs, progress } = await simulateCrawl(t, pageResponder, settings)
    assert.equal(progress.ledger.visited, 20)
    assert.ok(tookMs < 130_000, `${tookMs} ms`)
  })

  it('keep their crawl delay with several threads and no delay of ours', async (t) => {
    const seeds = Array.from({ length: 20 }, (_, i) => `http://a.test/${i}`)
    const pageResponder: PageResponder = (url) =>
      url.endsWith('/robots.txt') ? { body: 'User-agent: *\nCrawl-delay: 2' } : {}
    const settings = { ...POLITE, seeds, delayMs: 0, perHost: 2, ignoreRobots: false }
    const result = await simulateCrawl(t, pageResponder, settings, 2)
    assert.equal(result.progress.ledger.visited, 20)
    assert.ok(Math.min(...gaps(timesOf(HOST, result))) >= 2000, `${gaps(timesOf(HOST, result))}`)
  })

  it('keep that delay also if robots.txt is not available at first', async (t) => {
    const seeds = Array.from({ length: 40 }, (_, i) => `http://a.test/${i}`)
    let requested = 0
    const pageResponder: PageResponder = (url) => {
      if (!url.endsWith('/robots.txt')) return {}
      requested += 1
      return requested === 1 ? { status: 503 } : { body: 'User-agent: *\nCrawl-delay: 2' }
    }
    const settings = { ...POLITE, seeds, delayMs: 0, perHost: 2, ignoreRobots: false, retries: 4 }
    const result = await simulateCrawl(t, pageResponder, settings, 2)
    assert.equal(result.progress.ledger.visited, 40)
    assert.ok(Math.min(...gaps(timesOf(HOST, result)).slice(1)) >= 2000, `${gaps(timesOf(HOST, result))}`)
  })
})

describe('limits over all hosts', () => {
  const hosts = Array.from({ length: 20 }, (_, i) => `http://h${i}.test/0`)

  it('the limit of concurrent requests per address holds, however many hosts it has', async (t) => {
    const page = makeTreeSite(5, 200)
    const underWay = new Map<number, number>()
    const result = await simulateCrawl(t, page, {
      addressFor: () => '192.0.2.1',
      ...POLITE,
      seeds: hosts,
      scope: 'any',
      perIp: 3,
    })
    assert.equal(result.progress.ledger.visited, 100)
    for (const { at } of result.web.requests) {
      const busy = result.web.requests.filter((other) => other.at <= at && other.at + 200 > at).length
      underWay.set(at, busy)
    }
    assert.equal(Math.max(...underWay.values()), 3)
  })

  it('the limit of requests per second holds over all threads', async (t) => {
    const result = await simulateCrawl(
      t,
      makeTreeSite(5),
      { ...POLITE, delayMs: 0, seeds: hosts, scope: 'any', maxRate: 10 },
      2,
    )
    assert.equal(result.progress.ledger.visited, 100)
    assert.ok(result.tookMs >= 9000, `100 requests in ${result.tookMs} ms`)
    assert.ok(result.tookMs < 20_000, `100 requests in ${result.tookMs} ms`)
  })

  it('the limit of requests per second is nearly reached, even with one host and one slot', async (t) => {
    const result = await simulateCrawl(t, makeTreeSite(300, 2), { ...POLITE, delayMs: 0, perHost: 1, maxRate: 100 })
    assert.ok(result.tookMs < 3300, `300 requests in ${result.tookMs} ms`)
  })

  it('the limit of requests per second of a process holds over all its crawls', async (t) => {
    const workerRate = { perSecond: 10, cell: newRateCell() }
    const scene = { ...POLITE, delayMs: 0, scope: 'any' as const, workerRate }
    const crawls = [hosts.slice(0, 10), hosts.slice(10)].map((seeds) => ({ ...scene, seeds, maxRate: 100 }))
    const { web, ended, startedAt } = await simulateCrawls(t, makeTreeSite(5), crawls)
    assert.equal(web.requests.length, 100)
    const tookMs = Math.max(...ended) - startedAt
    assert.ok(tookMs >= 9000 && tookMs < 20_000, `100 requests in ${tookMs} ms`)
  })
})
