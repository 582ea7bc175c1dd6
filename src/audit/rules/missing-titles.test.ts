import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { missingTitles } from './missing-titles.ts'

it('lists pages without a title, or with an empty one', async () => {
  const { found } = await auditSite(missingTitles, {
    '/': '<title>Home</title><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a><a href=/e>e</a>',
    '/a': '<p>no title',
    '/b': '<title> </title>',
    '/c': { contentType: 'text/plain' },
    '/d': { status: 404, html: 'gone' },
    '/e': '<meta name=robots content=noindex>',
  })
  assert.deepEqual(found, ['/a | No title', '/b | No title'])
})
