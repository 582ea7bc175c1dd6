import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { duplicatePages } from './duplicate-pages.ts'

it('lists copies with the first page that has their content', async () => {
  const { found } = await auditSite(duplicatePages, {
    '/': '<title>Home</title><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>',
    '/a': '<title>A</title>text',
    '/b': '<title>A</title>text',
    '/c': '<title>C</title>text',
  })
  assert.deepEqual(found, ['/b | /a | A | Same content'])
})

it('accepts copies that name another canonical URL, or opt out of search indexes', async () => {
  const canonical = '<link rel=canonical href=/a><title>A</title>'
  const noindex = '<meta name=robots content=noindex>'
  const { found } = await auditSite(duplicatePages, {
    '/': '<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>',
    '/a': canonical,
    '/b': canonical,
    '/c': noindex,
    '/d': noindex,
  })
  assert.deepEqual(found, [])
})
