import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getSurt } from 'warcio'
import { toSurts } from './surt.ts'

describe('the sort key of a URL', () => {
  it('has the host reversed and the query sorted', () => {
    assert.deepEqual(toSurts('https://www.Example.com:8080/A/b?z=2&a=1'), ['com,example:8080)/a/b?a=1&z=2'])
    assert.deepEqual(toSurts('http://example.com/'), ['com,example)/'])
  })

  it('of a folder is there with and without its final slash', () => {
    assert.deepEqual(toSurts('http://example.com/a/'), ['com,example)/a/', 'com,example)/a'])
  })

  it('is the one that warcio computes', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        assert.equal(toSurts(new URL(url).href)[0], getSurt(new URL(url).href))
      }),
    )
  })
})
