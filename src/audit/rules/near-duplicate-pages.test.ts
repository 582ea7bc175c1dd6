import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { nearDuplicatePages } from './near-duplicate-pages.ts'

const letter = (n: number) => String.fromCharCode(97 + (n % 26))
const words = (seed: string, count: number) =>
  Array.from({ length: count }, (_, i) => seed + letter(i) + letter(i / 26) + letter(i * 7)).join(' ')
const text = words('alpha', 400)

it('lists pages with almost the same words, but not those with other words', async () => {
  const { found } = await auditSite(nearDuplicatePages, {
    '/': '<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>',
    '/a': `<p>${text}</p>`,
    '/b': `<p>${text}</p><p>one more</p>`,
    '/c': `<p>${words('beta', 400)}</p>`,
    '/d': `<div>${text}</div>`,
  })
  assert.deepEqual(found.sort(), [
    '/b | /a | About 100% of the text is the same',
    '/d | /a | About 100% of the text is the same',
  ])
})

it('leaves equal pages to the rule of duplicates, and needs the archive', async () => {
  const site = { '/': '<a href=/a>a</a><a href=/b>b</a>', '/a': `<p>${text}`, '/b': `<p>${text}` }
  assert.deepEqual((await auditSite(nearDuplicatePages, site)).found, [])
  const unarchived = Object.fromEntries(Object.entries(site).map(([url, html]) => [url, { html, isArchived: false }]))
  assert.deepEqual((await auditSite(nearDuplicatePages, unarchived)).summary.skipped, {
    'near-duplicate-pages': 'no_archive',
  })
})
