import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { orphanPages } from './orphan-pages.ts'

it('lists pages of a sitemap that nothing links or redirects to', async () => {
  const { found } = await auditSite(orphanPages, {
    '/': '<a href=/a>a</a><a href=/old>old</a>',
    '/a': 'a',
    '/old': { to: '/new' },
    '/new': 'new',
    '/lonely': '<title>Lonely</title><a href=/lonely>itself</a>',
    '/sitemap.xml': { lists: ['/', '/a', '/new', '/lonely', '/gone'] },
  })
  assert.deepEqual(found, ['/lonely | Lonely | In a sitemap, but not linked'])
})

it('says so if there is no sitemap', async () => {
  const { summary } = await auditSite(orphanPages, { '/': 'home' })
  assert.deepEqual(summary.skipped, { 'orphan-pages': 'no_sitemap' })
})
