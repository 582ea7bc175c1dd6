import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LinkResolver } from './link-resolver.ts'
import { normaliseUrl } from './normalise-url.ts'
import { stripSessionIds } from './session-ids.ts'

const BASES = [
  'http://example.com/',
  'http://example.com/a/b.html',
  'http://example.com/a/b/?q=/x/../y',
  'https://example.com:8443/dir/',
  'http://[2001:db8::1]/a',
  'http://127.0.0.1:8080/x?y',
  'http://example.com//a//b',
  'http://example.com/%7Euser/a;b=c/d:e',
  'http://example.com/(S(lit3py55t21z5v55vlm25s55))/a;jsessionid=1/b?PHPSESSID=2',
]

/** Fragments that make hrefs go wrong: dots, slashes, schemes, ports, escapes, blanks, backslashes, non-ASCII. */
const fragment = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '../',
    '../../',
    '/./',
    '/../',
    '?',
    '#',
    ':',
    '@',
    '\\',
    '%',
    '%2e',
    '%2E%2e',
    ' ',
    '\t',
    '\n',
  ),
  fc.constantFrom(
    'http:',
    'https:',
    'HTTP://',
    'http://example.com',
    'https://example.com:443',
    'javascript:',
    'mailto:',
  ),
  fc.constantFrom(
    'a',
    'index.html',
    'B',
    '~x',
    'a=1&b=2',
    'é',
    '日本',
    "'",
    '"',
    '<',
    '>',
    '^',
    '`',
    '{',
    '|',
    '}',
    '[',
    ']',
  ),
  fc.constantFrom('!', '$', '(', ')', '*', '+', ',', ';', '=', '-', '_', '\u0000', '\u007f', '\ud800'),
)
const sessionPiece = fc.constantFrom(
  ';jsessionid=',
  ';JSESSIONID=a1!b2',
  '?PHPSESSID=',
  '&CFID=1',
  '&CFTOKEN=2',
  '&sid=0123456789abcdef',
  '(S(lit3py55t21z5v55vlm25s55))',
)
const href = fc
  .array(fc.oneof({ weight: 4, arbitrary: fragment }, { weight: 1, arbitrary: sessionPiece }), { maxLength: 8 })
  .map((pieces) => pieces.join(''))

/** Returns true if the href was plain. */
function assertAgrees(base: string, href: string): boolean {
  return [true, false].map((keepSessionIds) => assertPathsAgree(base, href, keepSessionIds)).includes(true)
}

function assertPathsAgree(base: string, href: string, keepSessionIds: boolean): boolean {
  const linkResolver = new LinkResolver(base, keepSessionIds)
  const path = linkResolver.resolvePlain(href)
  const exact = linkResolver.resolveExact(href)
  if (exact === null) {
    assert.ok(href === '' || href.startsWith('#'))
    assert.equal(path, null)
    return false
  }
  const expected = normaliseUrl(href, base)
  if ('url' in expected && !keepSessionIds) expected.url = stripSessionIds(expected.url)
  assert.deepEqual(exact, expected)
  if (path !== null) assert.deepEqual({ url: linkResolver.origin + path, host: linkResolver.host }, exact)
  return path !== null
}

describe('LinkResolver', () => {
  it('agrees with WHATWG URL on any href', () => {
    const property = fc.property(fc.constantFrom(...BASES), href, (base, text) => {
      assertAgrees(base, text)
    })
    fc.assert(property, { numRuns: 20_000 })
  })

  it('agrees with WHATWG URL on plain hrefs, and uses the fast path for most', () => {
    let fast = 0
    const plain = fc.string({ unit: fc.constantFrom(...'abcXYZ019-._~/?=&+,;:@!$()*#') })
    const property = fc.property(fc.constantFrom(...BASES), plain, (base, text) => {
      if (assertAgrees(base, text)) fast += 1
    })
    fc.assert(property, { numRuns: 20_000 })
    assert.ok(fast > 5000, `${fast} of 20,000 were plain`)
  })

  it('agrees with WHATWG URL on links to parent folders, on the fast path', () => {
    for (const base of [...BASES, 'http://example.com/a/b/c/d/e.html']) {
      for (const href of ['../', '../x.html', '../../a/b.html#part', '../../../../../../x?y', '../#part', '../a:b'])
        assert.equal(assertAgrees(base, href), true, `${href} on ${base}`)
      for (const href of ['..', '../.', '../..', '../.x', './x', '..x', '.../x', `${'../'.repeat(100)}x`])
        assertAgrees(base, href)
    }
  })

  it('a session id is not part of a link unless it is to be kept', () => {
    const base = 'http://example.com/(S(lit3py55t21z5v55vlm25s55))/shop/'
    const dropping = new LinkResolver(base)
    assert.equal(dropping.resolvePlain('cart?PHPSESSID=1&a=2'), '/shop/cart?a=2')
    assert.deepEqual(dropping.resolveExact('é;jsessionid=1'), {
      url: 'http://example.com/shop/%C3%A9',
      host: 'example.com',
    })
    assert.equal(new LinkResolver('http://example.com/', true).resolvePlain('a;jsessionid=1'), '/a;jsessionid=1')
  })

  it('a link of a page of javadoc to itself in frames is a link to the frames', () => {
    const linkResolver = new LinkResolver('http://a.test/api/org/example/Page.html')
    assert.equal(linkResolver.resolvePlain('../../index.html?org/example/Page.html'), '/api/index.html')
    assert.equal(linkResolver.resolvePlain('../../index.html?org/example/Page'), '/api/index.html')
    assert.deepEqual(linkResolver.resolveExact('./../../index.html?org/example/Page.html'), {
      url: 'http://a.test/api/index.html',
      host: 'a.test',
    })
    assert.equal(new LinkResolver('http://example.com/').resolvePlain('index.html?'), '/index.html?')
    for (const other of [
      '/api/index.html?org/example/Other.html',
      '/api/index.html?org/example/Pag',
      '/index.html?news.html',
    ])
      assert.equal(linkResolver.resolvePlain(other), other)
    const kept = new LinkResolver('http://a.test/api/Page.html', true)
    assert.equal(kept.resolvePlain('index.html?Page.html'), '/api/index.html?Page.html')
  })

  it('a fragment or an empty href leads to a base that is another URL', () => {
    const linkResolver = new LinkResolver('http://example.com/dir/', false, 'http://example.com/page')
    for (const href of ['#top', '']) {
      assert.equal(linkResolver.resolvePlain(href), null)
      assert.deepEqual(linkResolver.resolveExact(href), { url: 'http://example.com/dir/', host: 'example.com' })
    }
  })

  it('a route in the hash is part of the URL if it is to be kept', () => {
    const kept = new LinkResolver('http://a.test/app/#/old', false, 'http://a.test/app/#/old', true)
    const resolve = (href: string) => {
      const target = kept.resolvePlain(href)
      if (target !== null) return `http://a.test${target}`
      const exact = kept.resolveExact(href)
      return exact !== null && 'url' in exact ? exact.url : null
    }
    assert.equal(resolve('#/x'), 'http://a.test/app/#/x')
    assert.equal(resolve('#!/x'), 'http://a.test/app/#!/x')
    assert.equal(resolve('#!x'), 'http://a.test/app/#!x')
    assert.equal(resolve('/b#/x?y=%c3'), 'http://a.test/b#/x?y=%C3')
    assert.equal(resolve('next'), 'http://a.test/app/next')
    assert.equal(resolve('next#part'), 'http://a.test/app/next')
    for (const href of ['#part', '#/', '#!/', '#', '']) assert.equal(resolve(href), null, href)
    assert.equal(new LinkResolver('http://a.test/app/').resolveExact('#/x'), null)
  })

  it('a fragment alone is not a link', () => {
    assert.equal(new LinkResolver('http://example.com/').resolveExact('#top'), null)
    assert.equal(new LinkResolver('http://example.com/').resolveExact(''), null)
  })
})
