import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageRequest, SITE, testSite } from '../testing/render-site.ts'
import { testClient } from '../testing/test-pool.ts'

describe('the renderer', () => {
  it('returns the DOM that scripts have built, from given responses alone', async (t) => {
    const client = await testClient(t)
    const site = testSite({
      '/app.js': `fetch('/links.json').then((r) => r.json()).then((links) => {
        for (const href of links) document.body.append(Object.assign(document.createElement('a'), { href }))
        history.pushState(null, '', '/route')
      })`,
      '/links.json': '["/a", "/b"]',
    })
    const page = await client.render(pageRequest('<!doctype html><body><script src="/app.js"></script>'), site)
    assert.equal(page.outcome, 'rendered', page.evidence ?? '')
    assert.match(page.html ?? '', /<a href="\/a"><\/a><a href="\/b"><\/a><\/body>/)
    assert.deepEqual([page.finalUrl, page.routes], [`${SITE}/route`, [`${SITE}/route`]])
    assert.deepEqual(
      site.requested.map(({ url }) => url),
      [`${SITE}/app.js`, `${SITE}/links.json`],
    )
  })
})
