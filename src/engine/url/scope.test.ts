import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Scope, type ScopeSettings } from './scope.ts'

function check(url: string, seeds: string[], settings: Partial<ScopeSettings> = {}): string | null {
  const scope = new Scope({ scope: 'host', include: [], exclude: [], ...settings }, seeds)
  return scope.check(url, new URL(url).host)
}

describe('Scope', () => {
  const seeds = ['http://example.com/docs/start']

  it('host includes the seed host with and without www, and no other subdomain', () => {
    assert.equal(check('http://example.com/x', seeds), null)
    assert.equal(check('https://www.example.com/x', seeds), null)
    assert.equal(check('http://cdn.example.com/x', seeds), 'scope')
    assert.equal(check('http://example.com:8080/x', seeds), 'scope')
    assert.equal(check('http://example.com.evil.test/', seeds), 'scope')
    assert.equal(check('http://example.com/', ['http://www.example.com/']), null)
  })

  it('domain follows the public suffix list', () => {
    const domain = { scope: 'domain' } as const
    assert.equal(check('http://cdn.example.com/', seeds, domain), null)
    assert.equal(check('http://notexample.com/', seeds, domain), 'scope')
    assert.equal(check('http://other.co.uk/', ['http://shop.co.uk/'], domain), 'scope')
    assert.equal(check('http://a.b.shop.co.uk/', ['http://shop.co.uk/'], domain), null)
    assert.equal(check('http://b.github.io/', ['http://a.github.io/'], domain), 'scope')
    assert.equal(check('http://127.0.0.1:81/', ['http://127.0.0.1:80/'], domain), null)
    assert.equal(check('http://127.0.0.2/', ['http://127.0.0.1/'], domain), 'scope')
  })

  it('prefix includes everything in the folder of a seed', () => {
    const prefix = { scope: 'prefix' } as const
    assert.equal(check('http://example.com/docs/other', seeds, prefix), null)
    assert.equal(check('http://example.com/blog', seeds, prefix), 'scope')
    assert.equal(check('https://example.com/docs/other', seeds, prefix), 'scope')
    assert.equal(check('http://example.com/docs/a', ['http://example.com/docs/?q=/x/'], prefix), null)
  })

  it('any includes everything', () => {
    assert.equal(check('http://else.test/', seeds, { scope: 'any' }), null)
  })

  it('patterns select within the scope', () => {
    const settings = { include: ['/docs/', '\\.html$'], exclude: ['private'] }
    assert.equal(check('http://example.com/docs/a', seeds, settings), null)
    assert.equal(check('http://example.com/a.html', seeds, settings), null)
    assert.equal(check('http://example.com/a.pdf', seeds, settings), 'not_included')
    assert.equal(check('http://example.com/docs/private', seeds, settings), 'excluded_pattern')
  })

  it('an invalid pattern is a config error that names it', () => {
    assert.throws(() => check('http://example.com/', seeds, { include: ['('] }), { code: 'BAD_CONFIG' })
  })

  it('a seed is always in its own scope', () => {
    const kinds = fc.constantFrom('host', 'domain', 'prefix', 'any')
    const property = fc.property(fc.webUrl(), kinds, (text, scope) => {
      const seed = new URL(text).href
      return check(seed, [seed], { scope }) === null
    })
    fc.assert(property, { numRuns: 1000 })
  })
})
