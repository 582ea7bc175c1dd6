import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { normaliseUrl } from './normalise-url.ts'

function norm(text: string, base?: string): string {
  const result = normaliseUrl(text, base)
  return 'url' in result ? result.url : `(${result.problem})`
}

describe('normaliseUrl', () => {
  const same: [string, string][] = [
    ['HTTP://Example.COM/Path', 'http://example.com/Path'],
    ['http://example.com', 'http://example.com/'],
    ['http://example.com:80/', 'http://example.com/'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['http://example.com:8080/', 'http://example.com:8080/'],
    ['http://example.com/a#frag', 'http://example.com/a'],
    ['http://example.com/a#', 'http://example.com/a'],
    ['http://example.com/?b=2&a=1', 'http://example.com/?b=2&a=1'],
    ['http://example.com/?', 'http://example.com/?'],
    ['http://example.com/a/../b/./c', 'http://example.com/b/c'],
    ['http://example.com/%7euser/%c3%a9', 'http://example.com/%7Euser/%C3%A9'],
    ['http://example.com/é', 'http://example.com/%C3%A9'],
    ['  http://exa\nmple.com/\ta ', 'http://example.com/a'],
    ['http:\\\\example.com\\a', 'http://example.com/a'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ]
  for (const [from, to] of same) it(`${JSON.stringify(from)} is ${to}`, () => assert.equal(norm(from), to))

  const refused: [string, string][] = [
    ['mailto:a@b.c', '(scheme)'],
    ['javascript:void(0)', '(scheme)'],
    ['ftp://example.com/', '(scheme)'],
    ['http://', '(malformed)'],
    ['not a url', '(malformed)'],
    ['http://a b/', '(malformed)'],
    ['http://user:pass@example.com/', '(credentials)'],
    [`http://example.com/${'a'.repeat(2048)}`, '(too_long)'],
  ]
  for (const [from, to] of refused) {
    it(`${JSON.stringify(from.slice(0, 40))} is rejected as ${to}`, () => assert.equal(norm(from), to))
  }

  it('distinguishes pages that differ in path case, trailing slash, query or escapes', () => {
    const different = ['/a', '/A', '/a/', '/a?', '/a?x', '/a?x=', '/%61', '/a;v=1', '/a//', '/a?x=1&y=2', '/a?y=2&x=1']
    const urls = different.map((path) => norm(`http://example.com${path}`))
    assert.equal(new Set(urls).size, different.length)
  })

  it('drops the fragment as WHATWG URL does', () => {
    const piece = fc.constantFrom('#', ' ', '\t', '\n', '\u0000', '/', '?', 'a', 'http://b.test', ':', '%20', '@', '\\')
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    const property = fc.property(text, (href) => {
      const expected = URL.parse(href, 'http://example.com/a?b')
      if (expected !== null) expected.hash = ''
      const target = normaliseUrl(href, 'http://example.com/a?b')
      if ('url' in target) assert.equal(target.url, expected?.href)
      else assert.equal(target.problem === 'malformed', expected === null)
    })
    fc.assert(property, { numRuns: 20_000 })
  })

  it('is idempotent', () => {
    const anyUrl = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: 'binary' }).map((tail) => `http://example.com/${tail}`),
      fc.string({ unit: 'grapheme' }).map((host) => `https://${host}/`),
    )
    const property = fc.property(anyUrl, (text) => {
      const once = normaliseUrl(text)
      return 'problem' in once || norm(once.url) === once.url
    })
    fc.assert(property, { numRuns: 10_000 })
  })
})
