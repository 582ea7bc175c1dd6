import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TEST_SETTINGS } from '../../../ports/contracts/testing/store-harness.ts'
import { planCrawl } from './plan-crawl.ts'

const plan = (urls: string[], changes: Partial<typeof TEST_SETTINGS> = {}, sitemaps: string[] = []) =>
  planCrawl({ urls, sitemaps, settings: { ...TEST_SETTINGS, ...changes }, keySeed: 1 })

describe('planCrawl', () => {
  it('deduplicates the seeds and puts sitemaps after them', () => {
    const { seeds } = plan(['http://a.test/#x', 'http://a.test'], {}, ['/s.xml', 'http://b.test/t.xml'])
    assert.deepEqual(
      seeds.map(({ url, kind }) => `${kind} ${url}`),
      ['page http://a.test/', 'sitemap http://a.test/s.xml', 'sitemap http://b.test/t.xml'],
    )
  })

  it('requires at least one seed, and seeds in scope', () => {
    assert.throws(() => plan([]), { code: 'BAD_SEED' })
    assert.throws(() => plan(['nonsense']), { code: 'BAD_SEED' })
    assert.throws(() => plan(['http://a.test/'], { exclude: ['a\\.test'] }), { code: 'BAD_CONFIG' })
    assert.equal(plan(['http://a.test/'], { include: ['never'] }).seeds.length, 1)
  })

  it('refuses a cookie for a public suffix, which would never be sent', () => {
    const withCookie = (line: string) => plan(['http://a.test/'], { startCookies: [line] })
    for (const domain of ['com', '.co.uk', 'github.io'])
      assert.throws(() => withCookie(`sid=geheim; Domain=${domain}`), {
        code: 'BAD_CONFIG',
        message: /^--cookie has Domain=[a-z.]+, which is a public suffix: (?!.*geheim)/,
      })
    for (const accepted of ['example.com', 'me.github.io', 'github.io; HostOnly', 'localhost', 'intranet', '10.0.0.1'])
      assert.equal(withCookie(`sid=1; Domain=${accepted}`).seeds.length, 1, accepted)
  })

  it('requires a sitemap if only sitemaps are followed', () => {
    assert.throws(() => plan(['http://a.test/'], { sitemapOnly: true, sitemaps: false }), { code: 'BAD_CONFIG' })
    assert.equal(plan(['http://a.test/'], { sitemapOnly: true, sitemaps: true }).seeds.length, 1)
  })
})
