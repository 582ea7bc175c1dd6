// Overloaded hosts in virtual time: they get fewer requests, and none of their pages is lost.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOST, makeTreeSite, type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'
import type { VirtualPage } from './testing/virtual-web.ts'

const PAGES = 300
const SETTINGS = { delayMs: 0, perHost: 16, cooldownMs: 500, retries: 2, retryDelayMs: 1000, hostPatienceMs: 300_000 }
const LATENCY_MS = 15
const FAR = 'Fri, 31 Dec 2999 23:59:59 GMT'

/** Serves a number of requests at a time and refuses the others at once. */
function takes(atATime: number, page: (url: string) => VirtualPage, status = 503): PageResponder {
  let ends: number[] = []
  return (url, now) => {
    ends = ends.filter((end) => end > now)
    if (ends.length >= atATime) return { status, latencyMs: 1 }
    ends.push(now + LATENCY_MS)
    return page(url)
  }
}

const site = makeTreeSite(PAGES, LATENCY_MS)

/** Times of the requests for `url`, since the start. */
function timesOf(url: string, { web, startedAt }: Awaited<ReturnType<typeof simulateCrawl>>): number[] {
  return web.requests.filter((request) => request.url === url).map(({ at }) => at - startedAt)
}

describe('a host that accepts a few requests at a time', () => {
  for (const [atATime, loops] of [
    [3, 1],
    [3, 4],
    [1, 2],
  ] as const) {
    for (const status of [429, 503]) {
      it(`(${atATime}, ${status} to others, ${loops} threads) delivers all its pages, without pauses`, async (t) => {
        const result = await simulateCrawl(t, takes(atATime, site, status), SETTINGS, loops)
        assert.equal(result.progress.ledger.visited, PAGES, JSON.stringify(result.progress.ledger))
        assert.ok(result.web.requests.length < PAGES * 1.4, `${result.web.requests.length} requests`)
        const idealMs = (PAGES * LATENCY_MS) / atATime
        assert.ok(result.tookMs < idealMs * 2 + 8000, `${result.tookMs} ms`)
      })
    }
  }

  it('loses no page that is refused while a slow one keeps the host busy', async (t) => {
    const slowMs = 6000
    const few = makeTreeSite(4, LATENCY_MS)
    const pageOf = (url: string): VirtualPage => (url.endsWith('/1') ? { ...few(url), latencyMs: slowMs } : few(url))
    let busyUntil = 0
    const oneAtATime: PageResponder = (url, now) => {
      if (now < busyUntil) return { status: 503, latencyMs: 1 }
      const page = pageOf(url)
      busyUntil = now + (page.latencyMs ?? LATENCY_MS)
      return page
    }
    const result = await simulateCrawl(t, oneAtATime, { ...SETTINGS, perHost: 2 })
    assert.equal(result.progress.ledger.visited, 4, JSON.stringify(result.progress.ledger))
  })

  it('does not get fewer requests because of broken pages', async (t) => {
    const broken: PageResponder = (url) => {
      const n = Number(new URL(url).pathname.slice(1))
      if (n > PAGES / 2 && n % 50 === 0) return { status: n % 100 === 0 ? 503 : 500, latencyMs: 1 }
      return site(url)
    }
    const result = await simulateCrawl(t, broken, SETTINGS)
    const errors = result.rows.filter(({ state }) => state === 'http_error')
    assert.deepEqual(new Set(errors.map(({ reason }) => reason)), new Set(['http_500', 'http_503']))
    assert.equal(result.progress.ledger.visited + errors.length, PAGES)
    for (const { url } of errors) assert.equal(timesOf(url, result).length, 3)
    assert.ok(result.tookMs < 6000, `${result.tookMs} ms`)
  })

  it('ends a page that it always refuses with the status of that page', async (t) => {
    const broken = ['/40', '/160', '/161', '/162'].map((path) => `http://${HOST}${path}`)
    const busy = takes(3, site)
    const result = await simulateCrawl(
      t,
      (url, now) => (broken.includes(url) ? { status: 503 } : busy(url, now)),
      SETTINGS,
    )
    const lost = result.rows.filter(({ state }) => state !== 'visited')
    assert.deepEqual(lost.map(({ url, state, reason }) => `${url} ${state} ${reason}`).sort(), [
      ...broken.map((url) => `${url} http_error http_503`).sort(),
    ])
    for (const url of broken) assert.ok(timesOf(url, result).length <= 7, `${timesOf(url, result)}`)
    assert.ok(result.tookMs < 60_000, `${result.tookMs} ms`)
  })
})

describe('a host that forbids most pages and refuses the others slowly', () => {
  for (const loops of [1, 4]) {
    it(`has an outcome for all of them, threads: ${loops}`, async (t) => {
      const forbidding: PageResponder = (url) => {
        const n = Number(new URL(url).pathname.slice(1))
        if (n < 10) return site(url)
        return n % 7 === 0 ? { status: 503, latencyMs: 3000 } : { status: 403, latencyMs: 5 }
      }
      const { progress, tookMs } = await simulateCrawl(t, forbidding, { ...SETTINGS, hostPatienceMs: 10_000 }, loops)
      assert.equal(progress.crawl.status, 'completed')
      assert.ok(tookMs < 300_000, `${tookMs} ms`)
    })
  }
})

describe('a host that refuses everything for a while', () => {
  for (const pages of [2, 5, 12, 16]) {
    it(`loses none of ${pages} pages if there are no others`, async (t) => {
      const few = makeTreeSite(pages, LATENCY_MS)
      // The first page links to the others.
      const away: PageResponder = (url, now) => (now > 100 && now < 30_000 ? { status: 503, latencyMs: 5 } : few(url))
      const result = await simulateCrawl(t, away, SETTINGS)
      assert.equal(result.progress.ledger.visited, pages, JSON.stringify(result.progress.ledger))
    })
  }

  it('loses none of its pages', async (t) => {
    for (const [from, settings] of [
      [100, SETTINGS],
      [2000, { ...SETTINGS, perHost: 1, delayMs: 100 }],
    ] as const) {
      let refused = 0
      const away: PageResponder = (url, now) => {
        if (now < from || now > 120_000) return site(url)
        refused += 1
        return { status: 503, latencyMs: 5 }
      }
      const result = await simulateCrawl(t, away, settings)
      assert.equal(result.progress.ledger.visited, PAGES, JSON.stringify(result.progress.ledger))
      assert.ok(refused > 10 && refused < 80, `${refused} requests`)
    }
  })

  it('and does not recover: its URLs end with a reason when --host-patience is over', async (t) => {
    const away: PageResponder = (url, now) => (now > 500 ? { status: 503, latencyMs: 5 } : site(url))
    const result = await simulateCrawl(t, away, { ...SETTINGS, perHost: 1, delayMs: 10 })
    const { ledger, crawl: ended } = result.progress
    assert.deepEqual([ended.status, ledger.queued, ledger.in_progress], ['completed', 0, 0])
    assert.ok(result.tookMs >= 300_000 && result.tookMs < 330_000, `${result.tookMs}`)
    const over = result.rows.filter(({ reason }) => reason === 'host_overloaded')
    assert.ok(over.length > 0 && over.every(({ state }) => state === 'failed'))
  })
})

describe('a Retry-After in the year 2999', () => {
  it('from one page delays the others for --host-patience, and ends none of them', async (t) => {
    const page: PageResponder = (url) => (url === `http://${HOST}/7` ? { status: 503, retryAfter: FAR } : site(url))
    const result = await simulateCrawl(t, page, { ...SETTINGS, perHost: 1 })
    const lost = result.rows.filter(({ state }) => state !== 'visited')
    assert.deepEqual(
      lost.map(({ url, state, reason }) => `${url} ${state} ${reason}`),
      [`http://${HOST}/7 http_error http_503`],
    )
    assert.ok(result.tookMs >= 300_000 && result.tookMs < 330_000, `${result.tookMs}`)
    const gap = (timesOf(`http://${HOST}/8`, result)[0] ?? 0) - (timesOf(`http://${HOST}/7`, result)[0] ?? 0)
    assert.ok(gap >= 300_000, `${gap}`)
  })

  it('from several pages, far apart, delays the others once', async (t) => {
    // Far apart, and leaves: no page is behind them.
    const broken = new Set([160, 200, 250].map((page) => `http://${HOST}/${page}`))
    const page: PageResponder = (url) => (broken.has(url) ? { status: 503, retryAfter: FAR } : site(url))
    const result = await simulateCrawl(t, page, { ...SETTINGS, perHost: 1 })
    assert.equal(result.progress.ledger.visited, PAGES - broken.size)
    assert.ok(result.tookMs >= 300_000 && result.tookMs < 330_000, `${result.tookMs}`)
  })

  it('from all pages ends the rest after --host-patience', async (t) => {
    const away: PageResponder = (url, now) => (now > 500 ? { status: 503, retryAfter: FAR } : site(url))
    const result = await simulateCrawl(t, away, { ...SETTINGS, perHost: 4 })
    const { ledger, crawl: ended } = result.progress
    assert.deepEqual([ended.status, ledger.queued], ['completed', 0])
    assert.ok(result.tookMs >= 300_000 && result.tookMs < 330_000, `${result.tookMs}`)
    assert.ok(result.rows.some(({ reason }) => reason === 'host_overloaded'))
  })
})
