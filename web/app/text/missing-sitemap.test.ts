import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingSitemapText } from './missing-sitemap.ts'

const STATES = {
  visited: 1,
  redirected: 0,
  in_progress: 0,
  queued: 0,
  excluded: 0,
  forbidden: 0,
  not_found: 0,
  http_error: 0,
  failed: 0,
}
const CRAWL = { status: 'completed', settings: { sitemap_only: true }, sitemaps: 0, pages: 1, states: STATES } as const

test('a crawl of sitemap URLs says that the site has no sitemap', () => {
  assert.equal(missingSitemapText(CRAWL), 'The site has no sitemap, so only the start URL was visited.')
  assert.equal(
    missingSitemapText({ ...CRAWL, states: { ...STATES, not_found: 1 } }),
    'No sitemap could be read, so only the start URL was visited.',
  )
})

test('a crawl that read a sitemap, follows links or is running says nothing', () => {
  assert.equal(missingSitemapText({ ...CRAWL, sitemaps: 1 }), null)
  assert.equal(missingSitemapText({ ...CRAWL, settings: {} }), null)
  assert.equal(missingSitemapText({ ...CRAWL, status: 'running' }), null)
})
