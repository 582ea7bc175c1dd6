import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SeenUrls } from './seen-urls.ts'
import { hashOrigin, hashPath, lanesToKey, urlKey } from './url-key.ts'

function keyOf(url: string, seed = 7) {
  const key = { hi: 0, lo: 0 }
  hashOrigin('http://example.com', seed, key)
  hashPath(url, key, key)
  return key
}

describe('URL keys', () => {
  it('half a million regular URLs have distinct keys, and each lane alone is as good as chance', () => {
    const n = 500_000
    const keys = new Set<bigint>()
    const lo = new Set<number>()
    const hi = new Set<number>()
    for (let i = 0; i < n; i++) {
      const key = keyOf(`/shop/item-${i % 1000}?page=${Math.floor(i / 1000)}`)
      keys.add(lanesToKey(key))
      lo.add(key.lo)
      hi.add(key.hi)
    }
    assert.equal(keys.size, n)
    const byChance = n ** 2 / 2 ** 33
    for (const lane of [lo, hi]) assert.ok(n - lane.size < byChance * 2, `${n - lane.size} collisions in a lane`)
  })

  it('are the same whether hashed at once or origin first', () => {
    assert.equal(urlKey('http://example.com/a?b', 7), lanesToKey(keyOf('/a?b')))
  })

  it('distinguish origins', () => {
    assert.notEqual(urlKey('http://example.com/', 1), urlKey('http://example.co/m', 1))
  })

  it('depend on the seed', () => {
    assert.notEqual(urlKey('http://a.test/', 1), urlKey('http://a.test/', 2))
  })

  it('are the signed form of their lanes', () => {
    assert.equal(lanesToKey({ hi: 0xffffffff, lo: 0xffffffff }), -1n)
    assert.equal(lanesToKey({ hi: 1, lo: 2 }), 4294967298n)
  })
})

describe('SeenUrls', () => {
  it('a URL is new once', () => {
    const seen = new SeenUrls(1000)
    assert.equal(seen.addIfCloser(keyOf('a'), 3), true)
    assert.equal(seen.addIfCloser(keyOf('a'), 3), false)
    assert.equal(seen.addIfCloser(keyOf('a'), 4), false)
  })

  it('a URL found at a shorter distance is new again', () => {
    const seen = new SeenUrls(1000)
    seen.addIfCloser(keyOf('a'), 3)
    assert.equal(seen.addIfCloser(keyOf('a'), 2), true)
    assert.equal(seen.addIfCloser(keyOf('a'), 2), false)
  })

  it('remembers everything while it grows', () => {
    const seen = new SeenUrls(1_000_000)
    for (let i = 0; i < 200_000; i++) assert.equal(seen.addIfCloser(keyOf(`u${i}`), 1), true)
    let forgotten = 0
    for (let i = 0; i < 200_000; i++) if (seen.addIfCloser(keyOf(`u${i}`), 1)) forgotten += 1
    assert.ok(forgotten < 200, `${forgotten} forgotten`)
  })

  it('forgets rather than exceed its bound', () => {
    const seen = new SeenUrls(16_384)
    for (let i = 0; i < 100_000; i++) seen.addIfCloser(keyOf(`u${i}`), 1)
    assert.ok(seen.entries <= 16_384)
    assert.equal(seen.addIfCloser(keyOf('u99999'), 1), false)
  })
})
