// A page that never responds, on a host that does, in virtual time: it fails alone, and holds up no other page for long.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FetchProblem } from '../../src/engine/fetch/fetch-result.ts'
import { simulateCrawl } from './testing/simulated-crawl.ts'
import type { VirtualPage } from './testing/virtual-web.ts'

const PAGES = 60
const STALLING = 'http://a.test/stall'
const SETTINGS = { delayMs: 0, cooldownMs: 500, retries: 2, retryDelayMs: 1000, hostPatienceMs: 300_000 }
const TIMEOUT_MS = 15_000

/** The start page links to all others; the one that stalls is among them. */
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

describe('a host that stops responding for two minutes', () => {
  it('loses no page', async (t) => {
    const site = makeSite('headers_timeout', [])
    let began = 0
    const { rows } = await simulateCrawl(
      t,
      (url, now) => {
        began ||= now
        const isGone = now > began + 500 && now < began + 120_000
        return isGone ? { problem: 'headers_timeout', latencyMs: TIMEOUT_MS } : site(url)
      },
      { ...SETTINGS, perHost: 4 },
    )
    assert.deepEqual(reasonsOf(rows), [])
  })
})
