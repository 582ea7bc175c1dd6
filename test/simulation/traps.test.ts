// A site of some 500 good pages with a calendar, a shop with filters, endless paths and soft 404s, beside an ordinary
// host, crawled by real loops on a real store in virtual time.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SimulatedPage } from '../../src/engine/traps/watch.crawl.ts'
import { blog } from '../../src/engine/traps/watch.good-sites.ts'
import { calendar, echoingPath, facets, maze, softMissing } from '../../src/engine/traps/watch.trap-sites.ts'
import { type Answer, crawl, tree } from './crawl.ts'
import type { VirtualPage } from './virtual-web.ts'

const SITE = 'http://a.test'
const OTHER = 'http://b.test'
const OTHER_PAGES = 300
const SETTINGS = {
  delayMs: 200,
  traps: true,
  cooldownMs: 500,
  scope: 'any' as const,
  seeds: [`${SITE}/`, `${OTHER}/0`],
}

function toPage(page: SimulatedPage | null): VirtualPage {
  if (page === null) return { status: 404 }
  const blocks = page.text.split('\n').map((line) => `<p>${line}</p>`)
  const links = page.links.map((link) => `<a href="${link.replaceAll('&', '&amp;')}"></a>`)
  return { body: [...blocks, ...links].join('\n') }
}

/** The blog, with its traps or without. */
function webOf(seed: number, hasTraps: boolean): { answer: Answer; good: string[] } {
  const site = blog(seed)
  const traps = hasTraps ? [calendar, facets, echoingPath, maze, softMissing].map((make) => make(site, seed)) : []
  for (const { entrance } of traps) site.link('/', entrance)
  const other = tree(OTHER_PAGES)
  const answer: Answer = (url) => {
    if (url.startsWith(OTHER)) return other(url)
    const path = url.slice(SITE.length)
    const page = site.answer(path) ?? traps.map((trap) => trap.answer(path)).find((each) => each !== null) ?? null
    return toPage(page)
  }
  return { answer, good: [...site.pages.keys()].map((path) => SITE + path) }
}

describe('a site with traps', () => {
  for (const threads of [1, 3]) {
    it(`is visited in full with ${threads} threads; the traps are capped, and nobody else is held up`, async (t) => {
      const { answer, good } = webOf(3, true)
      const trapped = await crawl(t, answer, SETTINGS, threads)
      const visited = new Set(trapped.rows.filter((row) => row.state === 'visited').map((row) => row.url))
      assert.ok(good.length >= 500)
      assert.deepEqual(
        good.filter((url) => !visited.has(url)),
        [],
      )
      assert.equal(trapped.progress.crawl.status, 'completed')
      const isGood = new Set(good)
      const ofSite = trapped.web.requests.filter(({ url }) => url.startsWith(SITE))
      // A page of the shop that was the first to show a product was worth its visit.
      const leaders = new Set(trapped.rows.filter(({ url }) => isGood.has(url)).map((row) => row.discoveredFrom))
      const wanted = new Set(
        trapped.rows.filter((row) => isGood.has(row.url) || leaders.has(row.id)).map(({ url }) => url),
      )
      const wasted = ofSite.filter(({ url }) => !wanted.has(url))
      t.diagnostic(`${wasted.length} of ${ofSite.length} requests wasted`)
      assert.ok(wasted.length < ofSite.length / 10, `${wasted.length} of ${ofSite.length}`)
      const capped = trapped.rows.filter((row) => row.reason?.startsWith('trap:'))
      assert.ok(capped.length > 0 && capped.every((row) => row.state === 'excluded'))

      const plain = await crawl(t, webOf(3, false).answer, SETTINGS, threads)
      const lastOfOther = (result: typeof plain) => {
        const times = result.web.requests.filter(({ url }) => url.startsWith(OTHER)).map(({ at }) => at)
        return (times.at(-1) ?? 0) - result.startedAt
      }
      const [withTraps, without] = [lastOfOther(trapped), lastOfOther(plain)]
      assert.ok(withTraps <= without * 1.05, `${withTraps} ms against ${without}`)
    })
  }

  it('has every trap found within five minutes of its first page', async (t) => {
    const { answer } = webOf(3, true)
    const { rows, web } = await crawl(t, answer, SETTINGS)
    const patterns = Map.groupBy(
      rows.filter((row) => row.reason?.startsWith('trap:')),
      (row) => row.reason ?? '',
    )
    assert.ok(patterns.size >= 4, [...patterns.keys()].join(' '))
    for (const folder of ['/calendar', '/shop?', '/maze']) {
      const times = web.requests.filter(({ url }) => url.startsWith(SITE + folder)).map(({ at }) => at)
      const [first = 0] = times
      // Slowed urls wait for the good ones; what counts is how long the trap went on being fed.
      const fed = times.filter((at) => at - first < 300_000).length
      assert.ok(fed <= 40, `${folder}: ${fed} requests`)
    }
  })
})
