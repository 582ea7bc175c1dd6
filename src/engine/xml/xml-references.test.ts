import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locsOf, withLoc } from '../sitemap/testing/read-both-ways.ts'

const LOCS: readonly [fact: string, content: string, loc: string][] = [
  ['the five names', '/?a=1&amp;b=&lt;&gt;&quot;&apos;', `/?a=1&b=<>"'`],
  ['decimal numbers', '/&#233;&#38;', '/é&'],
  ['hexadecimal numbers', '/&#xE9;&#X1f600;&#x0026;', '/é😀&'],
  ['a reference is decoded once', '/?a&amp;amp;b&#38;lt;', '/?a&amp;b&lt;'],
  ['a bare ampersand', '/?a=1&b=2&', '/?a=1&b=2&'],
  ['names of HTML stay unchanged', '/?a=1&copy;&nbsp;', '/?a=1&copy;&nbsp;'],
  ['names are case-sensitive', '/&AMP;', '/&AMP;'],
  ['a reference without its semicolon', '/?a&amp', '/?a&amp'],
  ['no digits', '/&#;&#x;&;', '/&#;&#x;&;'],
  ['digits of the wrong kind', '/&#1f;&#xg;', '/&#1f;&#xg;'],
  ['numbers that are not a character', '/&#0;&#xD800;&#x110000;&#99999999999;', '/����'],
  ['an ampersand before a reference', '/&&amp;', '/&&'],
  ['references to blanks around it', '&#32;&#10;/a&#9;', '/a'],
]

for (const [fact, content, loc] of LOCS) {
  test(`references in a loc: ${fact}`, () => {
    assert.deepEqual(locsOf(withLoc(content)), [loc])
  })
}

test('nothing is decoded in CDATA', () => {
  assert.deepEqual(locsOf(withLoc('<![CDATA[/?a=1&amp;b]]>&amp;c')), ['/?a=1&amp;b&c'])
})
