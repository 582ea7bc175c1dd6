import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { missingH1 } from './missing-h1.ts'

it('lists pages without a main heading; one with a picture has a heading', async () => {
  const { found } = await auditSite(missingH1, {
    '/': '<h1>Home</h1><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>',
    '/a': '<title>A</title><h2>A</h2>',
    '/b': '<h1> </h1>',
    '/c': '<h1><img src=logo.svg alt=Logo></h1>',
    '/d': '<template><h1>Not shown</h1></template>',
  })
  assert.deepEqual(found, ['/a | A | No h1', '/b | No h1', '/d | No h1'])
})
