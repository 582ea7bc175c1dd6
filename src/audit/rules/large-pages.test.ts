import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { largePages } from './large-pages.ts'

it('lists HTML of more than a megabyte', async () => {
  const { found } = await auditSite(largePages, {
    '/': { html: '<a href=/a>a</a><a href=/b>b</a>', bytes: 1_000_000 },
    '/a': { html: '<title>A</title>', bytes: 2_340_000 },
    '/b': { bytes: 9_000_000, contentType: 'application/pdf' },
  })
  assert.deepEqual(found, ['/a | A | 2.3 MB of HTML'])
})
