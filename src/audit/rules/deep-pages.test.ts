import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { deepPages } from './deep-pages.ts'

it('lists pages that take more than five links to reach', async () => {
  const path = Array.from({ length: 8 }, (_, i) => [`/${i}`, `<a href=/${i + 1}>next</a>`])
  const { found } = await auditSite(deepPages, Object.fromEntries([...path, ['/8', 'end']]))
  assert.deepEqual(found, ['/6 | 6 links from the start', '/7 | 7 links from the start', '/8 | 8 links from the start'])
})
