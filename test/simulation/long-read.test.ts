// A page that takes longer to process than a lease lasts: it costs the thread its leases, but not for ever.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { simulateCrawl } from './testing/simulated-crawl.ts'

const LEASE_MS = 30_000
const GOOD_PAGES = 20

/** Crawls two hosts, so that the lease of the other one expires in the meantime. */
function crawlBoth(t: TestContext, ms: number) {
  const links = Array.from({ length: GOOD_PAGES }, (_, i) => `/${i}`)
  const respond = (url: string) => ({ links: url.endsWith('/home') ? links : [] })
  const seeds = ['http://a.test/bad', 'http://b.test/home']
  return simulateCrawl(t, respond, { seeds, busyOn: { path: '/bad', ms }, delayMs: 500, perHost: 1, archive: 'none' })
}

describe('a page that takes long to process', () => {
  it('fails as stalled at the second attempt if it takes longer than a lease', async (t) => {
    const { rows, web, ends } = await crawlBoth(t, LEASE_MS * 2)
    assert.deepEqual(ends, ['completed'])
    const bad = rows.find(({ url }) => url.endsWith('/bad'))
    assert.deepEqual([bad?.state, bad?.reason, bad?.attempts], ['failed', 'stalled', 2])
    assert.equal(web.requests.filter(({ url }) => url.endsWith('/bad')).length, 2)
    for (const { url, state, attempts } of rows.filter((row) => row !== bad)) {
      assert.deepEqual([state, attempts], ['visited', 1], url)
    }
    assert.equal(rows.length, GOOD_PAGES + 2)
  })

  it('is visited if its leases are renewed in time', async (t) => {
    const { rows, web } = await crawlBoth(t, LEASE_MS / 10)
    assert.deepEqual([...new Set(rows.map(({ state, attempts }) => `${state} ${attempts}`))], ['visited 1'])
    assert.equal(web.requests.length, rows.length)
  })
})
