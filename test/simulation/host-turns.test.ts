// Several crawls of one host at the same time, in virtual time: none waits for another to end, and the host gets no
// more requests than from one crawl.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CrawlSettings } from '../../src/ports/crawls.ts'
import { type PageResponder, simulateCrawls } from './testing/simulated-crawl.ts'

const PAGES = 400
const LATENCY_MS = 20

/** A tree of pages under the first path segment: one site per crawl on the same host. */
const trees: PageResponder = (url) => {
  const [, name = '', n = ''] = new URL(url).pathname.split('/')
  const links = [2 * Number(n) + 1, 2 * Number(n) + 2]
    .filter((child) => child < PAGES)
    .map((child) => `/${name}/${child}`)
  return { links, latencyMs: LATENCY_MS }
}

const CASES: [string, number, Partial<CrawlSettings>][] = [
  ['without a gap', 2, { delayMs: 0, perHost: 4 }],
  ['with a gap', 2, { delayMs: 100 }],
  ['with a gap made from response times', 2, { delayMs: 'auto' }],
  ['three of them', 3, { delayMs: 50 }],
]

describe('crawls of one host', () => {
  for (const [name, count, settings] of CASES) {
    it(`progress side by side, ${name}`, async (t) => {
      const names = Array.from({ length: count }, (_, i) => `c${i}`)
      const crawls = names.map((crawl) => ({ ...settings, seeds: [`http://a.test/${crawl}/0`] }))
      const { web, ended, startedAt } = await simulateCrawls(t, trees, crawls)
      const firstEnd = Math.min(...ended)
      for (const crawl of names) {
        const requests = web.requests.filter(({ url }) => url.includes(`/${crawl}/`))
        assert.equal(requests.length, PAGES)
        const byThen = requests.filter(({ at }) => at <= firstEnd).length
        assert.ok(byThen > PAGES / 2, `${crawl} had ${byThen} pages when the first crawl ended`)
      }
      const times = web.requests.map(({ at }) => at - startedAt)
      if (typeof settings.delayMs === 'number' && settings.delayMs > 0) {
        const shortest = Math.min(...times.slice(1).map((time, i) => time - (times[i] ?? 0)))
        assert.ok(shortest >= settings.delayMs, `a gap of ${shortest} ms`)
        const needed = (settings.delayMs + LATENCY_MS) * PAGES * count
        assert.ok(Math.max(...ended) - startedAt < needed * 1.1, `${Math.max(...ended) - startedAt} ms for ${needed}`)
      }
    })
  }
})
