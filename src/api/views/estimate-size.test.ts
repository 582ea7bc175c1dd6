import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PlainResponse, servePlainSite } from '../../../test/sites/plain-site.ts'
import { startTestApi } from '../testing/test-api.ts'

const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

describe('the estimated size of a site', () => {
  it('is counted from the sitemaps in robots.txt and sitemap indexes', async (t) => {
    const site = await servePlainSite(t, (path): PlainResponse | string | null => {
      const origin = `http://127.0.0.1:${site.port}`
      switch (path) {
        case '/robots.txt':
          return `Sitemap: ${origin}/index.xml\nSitemap: ${origin}/gone.xml\n`
        case '/index.xml': {
          const list = ['one', 'two'].map((name) => `<sitemap><loc>${origin}/${name}.xml</loc></sitemap>`)
          return `<sitemapindex>${list.join('')}</sitemapindex>`
        }
        case '/one.xml':
          return urlset('/a', '/b', '/c', 'http://elsewhere.test/')
        case '/two.xml':
          return urlset('/d')
        default:
          return null
      }
    })
    const api = await startTestApi(['--require-token'])
    t.after(() => api.close())
    const body = { url: `${site.origin}/`, settings: { allow_private: true, delay: 5000 }, estimate: true }
    const { estimate } = await api.clientFor('admin').checkCrawl({ body })
    assert.deepEqual(estimate, { urls: 4, sitemaps: 3, is_complete: true, seconds: 20 })
    const limited = { ...body, settings: { ...body.settings, max_pages: 3 } }
    const { estimate: small } = await api.clientFor('admin').checkCrawl({ body: limited })
    assert.deepEqual([small?.urls, small?.seconds], [3, 15])
    await assert.rejects(api.clientFor('read').checkCrawl({ body: { ...body, settings: {} } }), {
      code: 'SCOPE_MISSING',
    })
    const { problems } = await api.clientFor('crawl').checkCrawl({ body })
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['settings.allow_private'],
    )
  })

  it('is incomplete if a sitemap cannot be fetched', async (t) => {
    const site = await servePlainSite(t, (path): PlainResponse | string | null =>
      path === '/sitemap.xml' ? { status: 503, headers: {}, body: '' } : null,
    )
    const api = await startTestApi()
    t.after(() => api.close())
    const settings = { allow_private: true }
    const { estimate } = await api.client.checkCrawl({ body: { url: `${site.origin}/`, settings, estimate: true } })
    assert.deepEqual(estimate, { urls: 0, sitemaps: 0, is_complete: false, seconds: null })
  })
})
