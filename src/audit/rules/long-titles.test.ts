import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { longTitles } from './long-titles.ts'

it('measures titles in pixels, so that narrow letters may be more and wide ones must be fewer', async () => {
  const { found } = await auditSite(longTitles, {
    '/': '<title>Home</title><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>',
    '/a': `<title>${'il'.repeat(40)}</title>`,
    '/b': `<title>${'W'.repeat(32)}</title>`,
    '/c': `<title>${'家'.repeat(29)}</title>`,
    '/d': '<title>A title of some sixty characters, as most style guides advise</title>',
  })
  assert.deepEqual(found, [`/b | ${'W'.repeat(32)} | 32 characters, about 604 pixels`])
})
