// Sitemaps from robots.txt and from the command line, crawled with the real program.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { servePlainSite } from '../sites/plain-site.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--cooldown', '0']

const urlset = (...locs: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs
    .map(
      (loc) =>
        `<url><loc>${loc}</loc><lastmod>2026-05-04</lastmod><changefreq>weekly</changefreq><priority>0.3</priority></url>`,
    )
    .join('')}</urlset>`
const index = (...locs: string[]) =>
  `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`

describe('sitemaps', () => {
  it('named by robots.txt are read in every format, and only URLs in scope are admitted', async (t) => {
    const site = await servePlainSite(t, (path) => {
      switch (path) {
        case '/robots.txt':
          return 'User-agent: *\nDisallow: /secret\nSitemap: /index.xml\nSitemap: /no.xml\n'
        case '/index.xml':
          return index('/map.xml.gz', '/list.txt', '/feed.xml', '/index.xml')
        case '/map.xml.gz':
          return {
            headers: { 'content-type': 'application/gzip' },
            body: gzipSync(urlset('/a?x=1&amp;y=2', 'http://other.test/', '/secret/x')),
          }
        case '/list.txt':
          return { headers: { 'content-type': 'text/plain' }, body: `${site.origin}/b\nmailto:x@y\n` }
        case '/feed.xml':
          return `<rss><channel><item><link>${site.origin}/c</link></item></channel></rss>`
        case '/no.xml':
          return null
        default:
          return '<a href="/d">d</a>'
      }
    })
    const { outcomes, rows, summary } = await crawlPlainSite(t, site, FAST)
    assert.deepEqual(outcomes, [
      '/ visited',
      '/a?x=1&y=2 visited',
      '/b visited',
      '/c visited',
      '/d visited',
      '/feed.xml visited',
      '/index.xml visited',
      '/list.txt visited',
      '/map.xml.gz visited',
      '/no.xml not_found',
      '/secret/x excluded robots line 2: Disallow: /secret',
    ])
    assert.equal(summary.status, 'completed')
    const listed = rows.get('/a?x=1&y=2')
    assert.deepEqual(
      [listed?.depth, listed?.lastmod, listed?.changefreq, listed?.sitemap_priority, listed?.kind],
      [1, '2026-05-04T00:00:00.000Z', 'weekly', 0.3, 'page'],
    )
    assert.equal(rows.get('/index.xml')?.kind, 'sitemap')
    assert.equal(new Set(site.paths()).size, site.paths().length)
  })

  it('are ignored with --no-sitemaps', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/robots.txt' ? 'Sitemap: /map.xml' : 'page'))
    assert.deepEqual((await crawlPlainSite(t, site, [...FAST, '--no-sitemaps'])).outcomes, ['/ visited'])
  })

  it('named on the command line need no start URL, and --sitemap-only follows no links', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/map.xml' ? urlset('/a', '/b') : '<a href="/c">c</a>'))
    const flags = [...FAST, '--sitemap', `${site.origin}/map.xml`, '--sitemap-only', '--ignore-robots']
    const { outcomes } = await crawlPlainSite(t, site, flags, [])
    assert.deepEqual(outcomes, ['/a visited', '/b visited', '/map.xml visited'])
  })

  it('given as a path are requested on every start host, and do not count as pages', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/sitemap.xml' ? urlset('/a', '/b', '/c') : 'page'))
    const flags = [...FAST, '--sitemap', '/sitemap.xml', '--ignore-robots', '--max-pages', '4']
    const { summary } = await crawlPlainSite(t, site, flags)
    assert.equal(summary.states['visited'], 5)
  })

  it('that are broken, huge or not sitemaps at all end with a reason and affect nothing else', async (t) => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`
    const site = await servePlainSite(t, (path) => {
      switch (path) {
        case '/bomb.xml':
          return `${bomb}<urlset><url><loc>/x&b;&c;</loc></url><url><loc>/fine</loc></url></urlset>`
        case '/cut.gz':
          return gzipSync(urlset('/never')).subarray(0, 60).toString('latin1')
        case '/page.xml':
          return '<!doctype html><html><body>Not here</body></html>'
        default:
          return 'page'
      }
    })
    const maps = ['/bomb.xml', '/page.xml'].flatMap((path) => ['--sitemap', path])
    const { outcomes } = await crawlPlainSite(t, site, [...FAST, ...maps, '--ignore-robots'])
    assert.ok(outcomes.includes('/fine visited'), outcomes.join('\n'))
    assert.ok(outcomes.includes('/page.xml visited not_a_sitemap'), outcomes.join('\n'))
  })
})
