import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { escapeQuery, normalisePath, normalisePattern, toOctets } from './octets.ts'

describe('normalisePath', () => {
  const same: [string, string][] = [
    ['/foo/bar?baz=quz&a=b', '/foo/bar?baz=quz&a=b'],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84'],
    ['/%62%61%7A%7E', '/baz~'],
    ['/a%2fb%3f', '/a%2Fb%3F'],
    ['/a b|c^d', '/a%20b%7Cc%5Ed'],
    ['/file-*.html', '/file-%2A.html'],
    ['/foo-$', '/foo-%24'],
    ['/a:b@[c]', '/a%3Ab%40%5Bc%5D'],
    ['/100%', '/100%25'],
    ['/100%zz%4', '/100%25zz%254'],
    ['/%%34%31', '/%2541'],
    ['/\ud800', '/%EF%BF%BD'],
    ['', '/'],
    ['?a', '/?a'],
  ]
  for (const [from, to] of same) it(`${JSON.stringify(from)} is ${to}`, () => assert.equal(normalisePath(from), to))

  it('is idempotent', () => {
    const anyPath = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\/[%0-9a-fA-F*$:?/]*$/))
    fc.assert(fc.property(anyPath, (path) => normalisePath(normalisePath(path)) === normalisePath(path)))
  })
})

describe('normalisePattern', () => {
  const same: [string, string][] = [
    ['/*.gif$', '/*.gif$'],
    ['/a$b', '/a%24b'],
    ['/a$$', '/a%24$'],
    ['/a%2a%24', '/a%2A%24'],
    ['/a%2*b', '/a%252*b'],
    ['$', '$'],
    ['*', '*'],
  ]
  for (const [from, to] of same) it(`${from} is ${to}`, () => assert.equal(normalisePattern(from), to))

  it('equals the path of the same text if it has no special characters', () => {
    const plain = fc.string({ unit: 'binary' }).map((text) => `/${text.replace(/[*$]/g, '')}`)
    fc.assert(fc.property(plain, (text) => normalisePattern(toOctets(text)) === normalisePath(text)))
  })
})

it('slashes and question marks are escaped in a query only', () => {
  assert.equal(escapeQuery('/a/b?c=d/e?f'), '/a/b?c=d%2Fe%3Ff')
  assert.equal(escapeQuery('/a/b'), '/a/b')
})
