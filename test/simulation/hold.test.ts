// Crawl loops on hold: they wait without losing anything, and continue.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CrawlProgress } from '../../src/ports/crawls.ts'
import { makeTreeSite, simulateCrawl } from './testing/simulated-crawl.ts'

const HELD_AT = 500
/** Longer than a lease, which is 30 s. */
const HELD_MS = 120_000

describe('a held crawl', () => {
  for (const delayMs of [0, 'auto'] as const) {
    it(`starts no request, has no leases, and finishes when it is released (delay ${delayMs})`, async (t) => {
      const meanwhile: CrawlProgress[] = []
      const { web, ends, progress, startedAt } = await simulateCrawl(
        t,
        makeTreeSite(300),
        {
          delayMs,
          perHost: 4,
          onStart(loops, { clock, crawls }, crawlId) {
            const setOnHold = (isOnHold: boolean) => () => {
              for (const loop of loops) loop.setOnHold(isOnHold)
            }
            clock.after(HELD_AT, setOnHold(true))
            clock.after(HELD_AT + 5000, () => void crawls.progress(crawlId).then((found) => meanwhile.push(found)))
            clock.after(HELD_AT + HELD_MS, setOnHold(false))
          },
        },
        2,
      )
      assert.deepEqual(ends, ['completed', 'completed'])
      assert.deepEqual([progress.ledger.visited, progress.lateReports, web.requests.length], [300, 0, 300])
      const early = web.requests.filter(({ at }) => at - startedAt <= HELD_AT)
      const late = web.requests.filter(({ at }) => at - startedAt >= HELD_AT + HELD_MS)
      assert.ok(early.length > 0 && late.length > 0)
      assert.equal(early.length + late.length, 300)
      assert.deepEqual(
        meanwhile.map(({ ledger }) => [ledger.visited, ledger.in_progress]),
        [[early.length, 0]],
      )
    })
  }

  it('keeps the sitemaps it discovers meanwhile', async (t) => {
    const respond = (url: string) => {
      if (url.endsWith('/robots.txt')) return { body: 'Sitemap: /map.txt', contentType: 'text/plain', latencyMs: 1000 }
      if (url.endsWith('/map.txt')) return { body: 'http://a.test/listed', contentType: 'text/plain' }
      return {}
    }
    const { rows, ends } = await simulateCrawl(t, respond, {
      ignoreRobots: false,
      onStart([loop], { clock }) {
        clock.after(HELD_AT, () => loop?.setOnHold(true))
        clock.after(HELD_AT + HELD_MS, () => loop?.setOnHold(false))
      },
    })
    assert.deepEqual(ends, ['completed'])
    assert.deepEqual(rows.map(({ url }) => new URL(url).pathname).sort(), ['/0', '/listed', '/map.txt'])
  })

  it('ends if the requests in flight complete it', async (t) => {
    const { ends, tookMs } = await simulateCrawl(t, makeTreeSite(1, 2000), {
      onStart([loop], { clock }) {
        clock.after(HELD_AT, () => loop?.setOnHold(true))
      },
    })
    assert.deepEqual(ends, ['completed'])
    assert.ok(tookMs < 3000, `${tookMs} ms`)
  })

  it('stops at once', async (t) => {
    const { ends, tookMs, progress } = await simulateCrawl(t, makeTreeSite(300), {
      delayMs: 'auto',
      onStart([loop], { clock }) {
        clock.after(HELD_AT, () => loop?.setOnHold(true))
        clock.after(HELD_AT + 10_000, () => loop?.stop())
      },
    })
    assert.deepEqual(ends, ['stopped'])
    assert.equal(tookMs, HELD_AT + 10_000)
    assert.equal(progress.ledger.in_progress, 0)
  })
})
