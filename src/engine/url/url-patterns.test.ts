import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MAX_WEIGHT, translatePattern } from '../../config/values/pattern-syntax.ts'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { MAX_URL_LENGTH } from './normalise-url.ts'
import { UrlPatterns } from './url-patterns.ts'

function matches(pattern: string, url: string): boolean {
  return UrlPatterns.compile([pattern], 'exclude').matches(url)
}

/** Everything that RegExp and RE2 interpret differently, and common parts of patterns. */
const PIECES = [
  'a',
  'b',
  'x',
  '/',
  '.',
  '-',
  '=',
  ',',
  ':',
  '"',
  '&',
  '~',
  '#',
  '%2F',
  'é',
  '😀',
  '?!',
  '|',
  '^',
  '$',
  '(',
  ')',
  '*',
  '+',
  '?',
  '*?',
  '{2}',
  '{1,3}',
  '{2,}',
  '{0}',
  '{,3}',
  '{',
  '}',
  ']',
  '(a|b)',
  '(?:ab)',
  '(?<n>a)',
  '(?i:AB)',
  '(?-i:a)',
  '(?i-:A)',
  '(?s:.)',
  '[a-c]',
  '[^a-c]',
  '[\\w-a]',
  '[]',
  '[^]',
  '[-a]',
  '[a-]',
  '[\\d-]',
  '[^\\W]',
  '[\\b]',
  '[\\]x]',
  '[[]',
  '[\\1]',
  '[\\8]',
  '[\\c]',
  '[\\cA-\\x61]',
  '[:alpha:]',
  '[[:alpha:]]',
  '\\.',
  '\\-',
  '\\/',
  '\\?',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '\\W',
  '\\D',
  '\\b',
  '\\B',
  '\\a',
  '\\A',
  '\\z',
  '\\Q',
  '\\E',
  '\\C',
  '\\p',
  '\\pL',
  '\\x61',
  '\\x',
  '\\x{61}',
  '\\u0061',
  '\\u',
  '\\0',
  '\\cA',
  '\\c',
  '\\_',
  '\\e',
  '\\h',
  '\\k',
]
const CHARACTERS = [...'abxABX/.-09_?=%2F{}[]()|^$\\*+pLQEAzCehk:,&~"#']

describe('patterns', () => {
  it('match like RegExp', () => {
    const pattern = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 })
      .map((pieces) => pieces.join(''))
    const urls = fc.array(fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }), { minLength: 20, maxLength: 20 })
    const property = fc.property(pattern, urls, (text, inputs) => {
      fc.pre(isRegExp(text) && !('refused' in translatePattern(text)))
      const expected = new RegExp(text)
      // In a long list, a pattern is matched by another code path than alone.
      const many = UrlPatterns.compile([text, ...Array(20).fill('no match')], 'exclude')
      for (const input of inputs) {
        const url = input.join('')
        assert.equal(matches(text, url), expected.test(url), `${text} on ${url}`)
        assert.equal(many.matches(url), expected.test(url), `${text} among others on ${url}`)
      }
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('that people write match as intended', () => {
    const table: [string, string[], string[]][] = [
      [
        '^https?://docs\\.a\\.test/en/',
        ['http://docs.a.test/en/', 'https://docs.a.test/en/x'],
        ['http://docsxa.test/en/'],
      ],
      ['\\.pdf$', ['http://a.test/x.pdf'], ['http://a.test/x.pdf?y', 'http://a.test/xpdf']],
      ['^http://a\\.test/$', ['http://a.test/'], ['http://a.test/x', 'https://a.test/']],
      ['/tag/', ['http://a.test/tag/x'], ['http://a.test/tags']],
      ['[?&](?:sort|order)=', ['http://a.test/?sort=1', 'http://a.test/?a&order=x'], ['http://a.test/sort=']],
      ['(?i:\\.JPE?G)$', ['http://a.test/x.jpg', 'http://a.test/x.JpeG'], ['http://a.test/x.jpgs']],
      ['/\\d{4}/\\d\\d/', ['http://a.test/2026/11/'], ['http://a.test/202/11/']],
      ['', ['http://a.test/'], []],
    ]
    for (const [pattern, yes, no] of table) {
      for (const url of yes) assert.ok(matches(pattern, url), `${pattern} ${url}`)
      for (const url of no) assert.ok(!matches(pattern, url), `${pattern} ${url}`)
    }
  })

  it('take linear time where RegExp takes forever', () => {
    const patterns = [
      '^http://127[.]0[.]0[.]1:1/q(a+)+$',
      '(a*)*b$',
      '.*-.*-.*-.*-x$',
      '(a|a)*$b',
      '(?:a?){400}a{400}b',
    ]
    for (const pattern of patterns) {
      const url = `http://127.0.0.1:1/q${'a'.repeat(1_000)}${'-'.repeat(1_000)}!`
      assert.equal(matches(pattern, url), false, pattern)
    }
  })

  it('of the maximum size take bounded time for the longest URL', () => {
    const url = `http://a.test/${'ab'.repeat(MAX_URL_LENGTH / 2)}`.slice(0, MAX_URL_LENGTH - 1)
    for (const pattern of [`(?:a|b)*a(?:a|b){900}$`, '(?:(?:a|b)*x?){900}[cd]$', '\\w{1000}$|[a-b]{999}$']) {
      const tookMs = cpuMs(() => assert.equal(matches(pattern, `${url}!`), false, pattern))
      assert.ok(tookMs < 30_000, `${pattern} took ${tookMs} ms`)
    }
  })

  it('that would be too large are rejected before they are compiled', () => {
    for (const pattern of ['(?:x{900}){900}', 'x{1000}'.repeat(280), `${'(?:'.repeat(90)}x${'){9}'.repeat(90)}`]) {
      assert.deepEqual(featureOf(pattern), 'size', pattern)
    }
    const largest = translatePattern(`${'[ab]{999}'.repeat(5)}`)
    assert.ok('weight' in largest && largest.weight > MAX_WEIGHT * 0.9)
  })

  it('are rejected by the feature that no linear engine supports', () => {
    const features = { 'a(?=b)': 'look-ahead', '(?<!a)b': 'look-behind', '(a)\\1': 'back-reference', '(': 'syntax' }
    for (const [pattern, feature] of Object.entries(features)) assert.equal(featureOf(pattern), feature)
    assert.throws(() => UrlPatterns.compile(['fine', 'a(?=b)'], 'exclude'), {
      code: 'BAD_CONFIG',
      message: /^exclude must be a regular expression without look-ahead .* it is "a\(\?=b\)"\.$/,
    })
  })
})

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text) !== null
  } catch {
    return false
  }
}

function featureOf(pattern: string): string | null {
  const translated = translatePattern(pattern)
  return 'refused' in translated ? translated.feature : null
}
