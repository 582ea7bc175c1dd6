import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { textHash } from '../text-hash.ts'
import { hostKey, prefixUpperBound } from './host-key.ts'

describe('keys', () => {
  it('of URLs are distinct integers', () => {
    const hashes = Array.from({ length: 100_000 }, (_, i) => textHash(`http://a.test/page/${i}`))
    assert.equal(new Set(hashes).size, hashes.length)
    assert.ok(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0))
    // Both halves of the hash vary.
    assert.ok(hashes.some((hash) => hash > 2 ** 52) && new Set(hashes.map((hash) => hash % 2 ** 32)).size > 99_900)
  })

  it('of hosts start with the key of their parent', () => {
    assert.equal(hostKey('www.example.test'), 'test.example.www.')
    assert.equal(hostKey('example.test:81'), 'test.example.:81')
    assert.ok(hostKey('a.example.test:81').startsWith(hostKey('example.test')))
    assert.ok(!hostKey('myexample.test').startsWith(hostKey('example.test')))
  })

  it('with a prefix sort below its upper bound', () => {
    assert.equal(prefixUpperBound(''), null)
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (prefix, rest) => {
        const end = prefixUpperBound(prefix)
        const bytes = (text: string) => Buffer.from(text)
        assert.ok(end !== null && bytes(prefix + rest).compare(bytes(end)) < 0)
      }),
    )
  })
})
