import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { duplicateTitles } from './duplicate-titles.ts'

it('lists pages with the title of an earlier one', async () => {
  const { found } = await auditSite(duplicateTitles, {
    '/': '<title>Home</title><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>',
    '/a': '<title>Home</title>a',
    '/b': '<title>Häuser 家</title>',
    '/c': '<title>Home </title>c',
    '/d': '<title>Home</title><link rel=canonical href=/a>',
  })
  assert.deepEqual(found, ['/a | / | Home | Same title', '/c | / | Home | Same title'])
})
