// A page that never responds, on a host that does, in virtual time: it fails alone, and holds up no other page for long.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FetchProblem } from '../../src/engine/fetch/fetch-result.ts'
import { type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'
import type { VirtualPage } from './testing/virtual-web.ts'

const PAGES = 60
const STALLING = 'http://a.test/stall'
const SETTINGS = { delayMs: 0, cooldownMs: 500, retries: 2, retryDelayMs: 1000, hostPatienceMs: 300_000 }
const TIMEOUT_MS = 15_000

/** The start page links to all other pages; one of them stalls. */
function makeSite(problem: FetchProblem, stalling = [STALLING]): (url: string) => VirtualPage {
  const pages = Array.from({ length: PAGES }, (_, i) => `/page-${i + 1}`)
  const links = pages.toSpliced(10, 0, ...stalling)
  return (url) => {
    if (stalling.includes(url)) return { problem, latencyMs: TIMEOUT_MS }
    return url.endsWith('/0') ? { links } : {}
  }
}

function reasonsOf(rows: { state: string; reason: string | null; url: string }[]): string[] {
  return rows.filter(({ state }) => state !== 'visited').map(({ url, state, reason }) => `${url} ${state} ${reason}`)
}

describe('a page that never responds', () => {
  for (const problem of ['headers_timeout', 'timeout', 'connection_lost'] as const) {
    it(`(${problem}) fails after its attempts`, async (t) => {
      const { rows, web, tookMs } = await simulateCrawl(t, makeSite(problem), { ...SETTINGS, perHost: 1 })
      assert.deepEqual(reasonsOf(rows), [`${STALLING} failed ${problem}`])
      assert.ok(web.requests.filter(({ url }) => url === STALLING).length <= 5)
      assert.ok(tookMs < 10 * TIMEOUT_MS, `${tookMs} ms`)
    })
  }

  for (const threads of [1, 2]) {
    it(`and several neighbours like it fail alone (${threads} threads)`, async (t) => {
      const stalling = Array.from({ length: 8 }, (_, i) => `${STALLING}-${i}`)
      for (const perHost of [1, 4]) {
        const site = makeSite('headers_timeout', stalling)
        const { rows } = await simulateCrawl(t, site, { ...SETTINGS, perHost }, threads)
        assert.deepEqual(
          rows
            .filter(({ state }) => state !== 'visited')
            .map(({ url }) => url)
            .sort(),
          stalling,
        )
      }
    })
  }
})

/** The start page links to so many pages of a host that is gone at times. */
function makeUnstableSite(pages: number, isGone: (ms: number) => boolean): PageResponder {
  const links = Array.from({ length: pages }, (_, i) => `/page-${i + 1}`)
  let began = 0
  return (url, now) => {
    began ||= now
    if (isGone(now - began)) return { problem: 'headers_timeout', latencyMs: TIMEOUT_MS }
    return { links: url.endsWith('/0') ? links : [], latencyMs: 500 }
  }
}

describe('a host that stops responding', () => {
  for (const perHost of [1, 4]) {
    it(`for two minutes loses no page (${perHost} at a time)`, async (t) => {
      const site = makeUnstableSite(PAGES, (ms) => ms > 500 && ms < 120_000)
      const { rows } = await simulateCrawl(t, site, { ...SETTINGS, perHost })
      assert.deepEqual(reasonsOf(rows), [])
    })

    it(`again and again loses no page (${perHost} at a time)`, async (t) => {
      const site = makeUnstableSite(200, (ms) => ms % 55_000 >= 10_000)
      const { rows } = await simulateCrawl(t, site, { ...SETTINGS, perHost })
      assert.deepEqual(reasonsOf(rows), [])
    })
  }

  for (const pages of [1, 3]) {
    it(`is probed every 5 to 25 seconds until it is given up (${pages} URLs left)`, async (t) => {
      const site = makeUnstableSite(pages, (ms) => ms > 0)
      const { rows, web, tookMs } = await simulateCrawl(t, site, { ...SETTINGS, perHost: 1 })
      assert.deepEqual(
        rows.slice(1).map(({ reason }) => reason),
        Array(pages).fill('host_unresponsive'),
      )
      assert.ok(tookMs <= SETTINGS.hostPatienceMs + TIMEOUT_MS, `${tookMs} ms`)
      const probes = web.requests.slice(1)
      for (const [i, { url, at }] of probes.entries()) {
        const next = probes[i + 1]
        if (next === undefined) continue
        assert.ok(next.at - at >= 5000 && next.at - at <= 25_100, `${next.at - at} ms`)
        assert.ok(pages === 1 || next.url !== url, url)
      }
    })
  }

  it('and never has is given up without patience', async (t) => {
    const site = makeUnstableSite(0, () => true)
    const { rows, tookMs } = await simulateCrawl(t, site, { ...SETTINGS, retries: 6 })
    assert.deepEqual(reasonsOf(rows), ['http://a.test/0 failed host_unresponsive'])
    assert.ok(tookMs < 130_000, `${tookMs} ms`)
  })
})
