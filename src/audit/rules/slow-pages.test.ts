import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { slowPages } from './slow-pages.ts'

it('lists pages that took more than a second', async () => {
  const { found } = await auditSite(slowPages, {
    '/': { html: '<a href=/a>a</a>', fetchMs: 1000 },
    '/a': { html: '<title>A</title>', fetchMs: 1540 },
  })
  assert.deepEqual(found, ['/a | A | 1.5 s for the response'])
})
