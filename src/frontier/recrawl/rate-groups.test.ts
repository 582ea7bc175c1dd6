import assert from 'node:assert/strict'
import { it } from 'node:test'
import { importanceOf } from './importance.ts'
import { groupNames, isSourceGroup, type RateHints, rateGroupOf } from './rate-groups.ts'

const HTML: RateHints = { source: null, contentType: 'text/html; charset=utf-8', changefreq: null, maxAgeMs: null }

function patternOf(url: string): string | undefined {
  return groupNames(rateGroupOf(url, HTML))[0]
}

it('URLs in the same folders, numbers apart, are one group', () => {
  assert.equal(patternOf('http://a.test'), '/')
  assert.equal(patternOf('http://a.test/about'), '/')
  assert.equal(patternOf('http://a.test/news/2026/11/title.html'), '/news/#/')
  assert.equal(patternOf('http://a.test/news/2025/1/other'), '/news/#/')
  assert.equal(patternOf('http://a.test/user42/'), '/user#/')
  assert.equal(patternOf('http://a.test/list?page=2'), '/?')
})

it('within a pattern, what the server says about a URL makes narrower groups', () => {
  const url = 'http://a.test/x/1'
  const names = [
    HTML,
    { ...HTML, contentType: 'application/pdf' },
    { ...HTML, changefreq: 'daily' },
    ...[0, 60_000, 86_400_000, 1e11].map((maxAgeMs) => ({ ...HTML, maxAgeMs })),
  ].map((hints) => rateGroupOf(url, hints))
  assert.equal(new Set(names).size, 7)
  for (const name of names) assert.deepEqual(groupNames(name), ['/x/', name])
  assert.equal(rateGroupOf(url, { ...HTML, maxAgeMs: 60_000 }), rateGroupOf(url, { ...HTML, maxAgeMs: 600_000 }))
})

it('names are short, whatever a server sends', () => {
  const long = 'x'.repeat(10_000)
  const name = rateGroupOf(`http://a.test/${long}/${long}/`, { ...HTML, contentType: `${long} y`, changefreq: long })
  assert.ok(name.length < 300)
})

it('sitemaps and feeds are groups of their own', () => {
  const group = rateGroupOf('http://a.test/sitemap.xml', { ...HTML, source: 'sitemap' })
  assert.deepEqual([isSourceGroup(group), groupNames(group)], [true, [group]])
  assert.equal(isSourceGroup(rateGroupOf('http://a.test/@x', HTML)), false)
  assert.deepEqual(groupNames(''), [])
})

it('a page matters more near the start, and if the sitemap says so', () => {
  const plain = { depth: 2, priority: null }
  assert.ok(importanceOf({ ...plain, depth: 0 }) > importanceOf(plain))
  assert.ok(importanceOf({ ...plain, priority: 1 }) > importanceOf(plain))
  assert.equal(importanceOf({ ...plain, priority: 0.5 }), importanceOf(plain))
  assert.equal(importanceOf({ ...plain, priority: Number.NaN }), importanceOf(plain))
  assert.ok(importanceOf({ depth: 1000, priority: 0 }) > 0.1)
})
