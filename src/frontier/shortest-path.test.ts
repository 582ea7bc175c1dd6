import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FoundUrl } from '../ports/visits.ts'
import { childLength, OutgoingPaths } from './shortest-path.ts'

const LINK: FoundUrl = {
  url: 'http://a.test/x',
  host: 'a.test',
  key: 1n,
  kind: 'page',
  isRefresh: false,
  listing: null,
}
const REFRESH: FoundUrl = { ...LINK, isRefresh: true }
const SITEMAP: FoundUrl = { ...LINK, kind: 'sitemap' }

describe('paths to what a URL leads to', () => {
  it('a link is one level deeper, without hops', () => {
    assert.deepEqual(childLength({ depth: 2, hops: 3 }, false), { depth: 3, hops: 0 })
  })

  it('a redirect target is as deep, with one more hop', () => {
    assert.deepEqual(childLength({ depth: 2, hops: 3 }, true), { depth: 2, hops: 4 })
  })

  it('a page keeps its id as the parent, and counts a refresh as a hop', () => {
    const paths = new OutgoingPaths({ parent: 7 }, { depth: 1, hops: 1, kind: 'page' }, false)
    assert.deepEqual(paths.to(LINK), { parent: 7, depth: 2, hops: 0 })
    assert.deepEqual(paths.to(REFRESH), { parent: 7, depth: 2, hops: 2 })
    assert.deepEqual(paths.to(SITEMAP), paths.child)
  })

  it('a sitemap listed by a sitemap is as deep, with one more hop', () => {
    const paths = new OutgoingPaths({ parent: 7 }, { depth: 0, hops: 2, kind: 'sitemap' }, false)
    assert.deepEqual(paths.to(SITEMAP), { parent: 7, depth: 0, hops: 3 })
    assert.deepEqual(paths.to(LINK), { parent: 7, depth: 1, hops: 0 })
  })
})
