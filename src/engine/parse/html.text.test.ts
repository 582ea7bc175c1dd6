import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from './html.ts'

const TEXTS: readonly [fact: string, html: string, text: string][] = [
  ['space is collapsed', ' a \n\t b\r\n', 'a b'],
  ['inline tags do not split words', 'o<b>n</b>e<span></span>two<my-tag>x</my-tag>', 'onetwox'],
  ['block tags split words', 'a<div>b</div>c<p>d<li>e<td>f<h1>g</h1>h', 'a b c d e f g h'],
  ['line breaks and rules split words', 'a<br>b<hr/>c', 'a b c'],
  ['references are decoded, but never across tags', 'a &lt;b&gt; &am<i>p;</i>', 'a <b> &amp;'],
  ['NUL is dropped', 'a\0b', 'ab'],
  ['a bracket that opens nothing is text', 'a < b <3 c', 'a < b <3 c'],
  ['comments are not seen', 'a<!-- x -->b<?x>c</ x>d', 'abcd'],
  [
    'script, style, title and textarea are not seen',
    'a<script>x</script><style>x</style><title>x</title><textarea>x</textarea>b',
    'a b',
  ],
  [
    'iframe, noembed and noframes content is not seen',
    'a<iframe>x</iframe><noembed>x</noembed><noframes>x</noframes>b',
    'a b',
  ],
  ['templates are not seen', 'a<template>x<p>y</template>b', 'a b'],
  ['noscript is seen', 'a<noscript> b</noscript>', 'a b'],
  ['xmp and plaintext are seen as they stand', '<xmp>a &amp; <b></xmp>c<plaintext>d</p>', 'a &amp; <b> c d</p>'],
  [
    'SVG text and CDATA are seen, its title and style are not',
    '<svg><title>x</title><style>x</style><text>a</text><![CDATA[ <b>&amp;]]></svg>',
    'a <b>&amp;',
  ],
  ['text after the last tag is seen', '<p>a</p>b', 'a b'],
  ['text before a cut tag is seen', 'a<a href=', 'a'],
]

for (const [fact, html, text] of TEXTS) {
  test(fact, () => assert.equal(readHtml(html, true).text, text))
}

function anchors(html: string): string[] {
  return readHtml(html, true).links.map((link) => link.text)
}

test('an anchor has its own text', () => {
  assert.deepEqual(anchors('x<a href=1> a <b>b</b>c&amp;\n d </a>y<a href=2></a><a href=3>e</a>'), ['a bc& d', '', 'e'])
})

test('the next anchor ends the one before, with or without href', () => {
  assert.deepEqual(anchors('<a href=1>a<a href=2>b<a>c'), ['a', 'b'])
})

test('an anchor that is never closed runs to the end', () => {
  assert.deepEqual(anchors('<p><a href=1>a<p>b'), ['a b'])
})

test('an SVG anchor has text', () => {
  assert.deepEqual(anchors('<svg><a href=1><text>a</text></a><text>b</text></svg>'), ['a'])
})

test('links that are not anchors have no text', () => {
  assert.deepEqual(anchors('<area href=1>a<iframe src=2>b</iframe><link rel=next href=3>c'), ['', '', ''])
})

test('without text there is none', () => {
  assert.equal(readHtml('<p>a', false).text, '')
})

test('the text makes no difference to the other facts', () => {
  const html =
    '<title>t</title><base href=/b><p>x<a href=1>a</a><svg><a href=2></svg><template><a href=3></template><a href=4>'
  const without = readHtml(html, false)
  const withText = readHtml(html, true)
  const bare = { ...withText, text: '', links: withText.links.map((link) => ({ ...link, text: '' })) }
  assert.deepEqual(bare, without)
})
