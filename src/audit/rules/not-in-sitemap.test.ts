import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { notInSitemap } from './not-in-sitemap.ts'

it('lists pages that the sitemap of their host should have', async () => {
  const { found } = await auditSite(notInSitemap, {
    '/': '<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a><a href=https://other.test/>o</a>',
    '/a': 'a',
    '/b': '<title>B</title>',
    '/c': '<meta name=robots content=noindex>',
    '/d': '<link rel=canonical href=/a>',
    'https://other.test/': 'another host',
    '/sitemap.xml': { lists: ['/', '/a'] },
  })
  assert.deepEqual(found, ['/b | B | Linked, but in no sitemap'])
})

it('says so if there is no sitemap', async () => {
  const { summary, found } = await auditSite(notInSitemap, { '/': '<a href=/a>a</a>', '/a': 'a' })
  assert.deepEqual([summary.skipped, found], [{ 'not-in-sitemap': 'no_sitemap' }, []])
})
