import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { linkedNoindex } from './linked-noindex.ts'

const NOINDEX = '<meta name=robots content=noindex>'

it('lists pages with noindex that are linked or in a sitemap', async () => {
  const { found } = await auditSite(linkedNoindex, {
    '/': `${NOINDEX}<a href=/a>a</a><a href=/b>b</a>`,
    '/a': `<title>A</title>${NOINDEX}<a href=/a>itself</a>`,
    '/b': '<a href=/a>a</a>',
    '/c': NOINDEX,
    '/sitemap.xml': { lists: ['/c', '/b'] },
  })
  assert.deepEqual(found.sort(), ['/a | A | Linked from 2 URLs', '/c | Linked from 0 URLs, and listed in a sitemap'])
})
