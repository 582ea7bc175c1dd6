import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeReference } from '../../../src/demo/link-spelling.ts'
import { isFollowed, type Reference, type SiteNode } from '../../../src/demo/site-model.ts'
import { expectCrawl } from '../../oracle/expected-crawl.ts'
import { BASE_HREFS, makeSite } from './make-site.ts'

const SEEDS = [1, 2, 3, 42424, 91817]
const ORIGINS = ['http://127.0.0.1:8080', 'http://site.test', 'https://site.test', 'https://site.test:8443']

function references(node: SiteNode): { reference: Reference; base: string }[] {
  if (node.kind === 'redirect') return [{ reference: node.to, base: node.path }]
  if (!('content' in node)) return []
  return node.content.links.map((reference) => ({ reference, base: node.content.base ?? node.path }))
}

test('the same seed gives the same site, another seed another one', () => {
  assert.deepEqual(makeSite(7, { pages: 60 }), makeSite(7, { pages: 60 }))
  assert.notDeepEqual(makeSite(7, { pages: 60 }), makeSite(8, { pages: 60 }))
})

test('paths of the model are canonical', () => {
  for (const seed of SEEDS) {
    for (const path of makeSite(seed, { pages: 200 }).nodes.keys()) {
      const url = new URL(`http://site.test${path}`)
      assert.equal(url.pathname + url.search, path)
    }
  }
})

test('every spelling of a link resolves to its target', () => {
  for (const seed of SEEDS) {
    for (const node of makeSite(seed, { pages: 200 }).nodes.values()) {
      for (const { reference, base } of references(node)) {
        for (const origin of ORIGINS) checkSpelling(reference, base, origin)
      }
    }
  }
})

function checkSpelling(reference: Reference, base: string, origin: string): void {
  const url = URL.parse(writeReference(reference, origin), origin + base)
  const shown = JSON.stringify(reference)
  switch (reference.target.kind) {
    case 'node':
      assert.equal(url?.origin, new URL(origin).origin, shown)
      assert.equal(url.pathname + url.search, reference.target.path, shown)
      return
    case 'external':
      assert.ok(url !== null && url.origin !== new URL(origin).origin, shown)
      return
    case 'nothing':
      assert.ok(url === null || !url.protocol.startsWith('http'), shown)
  }
}

test('a large enough site has every kind of node and link', () => {
  const kinds = new Set<string>()
  const vias = new Set<string>()
  for (const node of makeSite(5, { pages: 300 }).nodes.values()) {
    kinds.add(node.kind)
    if ('content' in node) for (const link of node.content.links) vias.add(link.via)
  }
  assert.deepEqual(
    [...kinds].sort(),
    'broken document flaky forbidden gone missing page redirect reset slow unauthorised'.split(' '),
  )
  assert.deepEqual(
    [...vias].sort(),
    'a area canonical comment iframe next refresh script style template textarea'.split(' '),
  )
})

test('nearly every URL can be reached, and none that must never be', () => {
  for (const seed of SEEDS) {
    for (const pages of [11, 40, 200]) {
      const site = makeSite(seed, { pages })
      const plan = { seeds: ['http://site.test/'], maxDepth: null, retries: 2, followRedirects: true }
      const urls = [...expectCrawl([{ site, origin: 'http://site.test' }], plan).keys()]
      const reached = urls.filter((url) => !BASE_HREFS.includes(url.slice('http://site.test'.length)))
      assert.equal(reached.length, pages, `seed ${seed}, ${pages} pages`)
      assert.ok(!urls.some((url) => url.includes('/never/')))
    }
  }
})

test('a site is deep enough to test depth limits', () => {
  const site = makeSite(42424, { pages: 200 })
  const plan = { seeds: ['http://site.test/'], maxDepth: null, retries: 2, followRedirects: true }
  const depths = [...expectCrawl([{ site, origin: 'http://site.test' }], plan).values()].map((row) => row.depth)
  assert.ok(Math.max(...depths) >= 8, `deepest is ${Math.max(...depths)}`)
})

test('hidden links lead to existing URLs, so that following one is detected', () => {
  for (const node of makeSite(9, { pages: 100 }).nodes.values()) {
    if (!('content' in node)) continue
    for (const link of node.content.links) if (!isFollowed(link.via)) assert.match(link.href, /^\/never\//)
  }
})
