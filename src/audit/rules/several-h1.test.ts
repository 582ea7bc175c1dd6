import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { severalH1 } from './several-h1.ts'

it('lists pages with more than one main heading that has content', async () => {
  const { found } = await auditSite(severalH1, {
    '/': '<h1>Home</h1><h1></h1><a href=/a>a</a>',
    '/a': '<h1>One</h1><section><h1>Two <i>parts</i></h1></section>',
  })
  assert.deepEqual(found, ['/a | One / Two parts | 2 h1 elements'])
})
