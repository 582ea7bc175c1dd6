import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { missingDescriptions } from './missing-descriptions.ts'

it('lists archived pages without a description', async () => {
  const { found } = await auditSite(missingDescriptions, {
    '/': '<meta name=description content="Bread and cakes"><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>',
    '/a': '<p>none',
    '/b': '<meta name=description content=" ">',
    '/c': { html: '<p>none', isArchived: false },
  })
  assert.deepEqual(found, ['/a | No description', '/b | No description'])
})
