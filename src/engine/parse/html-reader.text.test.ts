import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHtml } from './html-reader.ts'
import { flatPage, foreignPage, framePage } from './testing/html-grammar.ts'

const TEXTS: readonly [fact: string, html: string, text: string][] = [
  ['space is collapsed', ' a \n\t b\r\n', 'a b'],
  ['inline tags do not split words', 'o<b>n</b>e<span></span>two<my-tag>x</my-tag>', 'onetwox'],
  ['each block is a line', 'a<div>b c</div>d<p>e<li>f<td>g<h1>h</h1>i', 'a\nb c\nd\ne\nf\ng\nh\ni'],
  ['line breaks and rules end a line', 'a<br>b<hr/>c', 'a\nb\nc'],
  ['line ends of the source are spaces', '<p>a\nb\r\n<b>c</b>\n\n<pre>d\ne</pre>', 'a b c\nd e'],
  ['empty blocks leave no line', '<div><p> </p>\n<p><br>a<br><br>\t</div><ul><li></ul>b', 'a\nb'],
  ['references are decoded, but never across tags', 'a &lt;b&gt; &am<i>p;</i>', 'a <b> &amp;'],
  ['NUL is dropped', 'a\0b', 'ab'],
  ['a bracket that opens nothing is text', 'a < b <3 c', 'a < b <3 c'],
  ['comments are not seen', 'a<!-- x -->b<?x>c</ x>d', 'abcd'],
  [
    'script, style, title and textarea are not seen',
    'a<script>x</script><style>x</style><title>x</title><textarea>x</textarea>b',
    'a\nb',
  ],
  [
    'iframe, noembed and noframes content is not seen',
    'a<iframe>x</iframe><noembed>x</noembed><noframes>x</noframes>b',
    'a\nb',
  ],
  ['templates are not seen', 'a<template>x<p>y</template>b', 'a\nb'],
  ['noscript is seen', 'a<noscript> b</noscript>', 'a b'],
  ['xmp and plaintext are seen as they stand', '<xmp>a &amp; <b></xmp>c<plaintext>d</p>', 'a &amp; <b>\nc\nd</p>'],
  ['a NUL in raw text makes no line', '<xmp>a\0b</xmp><svg><![CDATA[c\0d]]></svg>', 'a\uFFFDb\nc\uFFFDd'],
  [
    'SVG text and CDATA are seen, its title and style are not',
    '<svg><title>x</title><style>x</style><text>a</text><![CDATA[ <b>&amp;]]></svg>',
    'a <b>&amp;',
  ],
  [
    'MathML is seen, its annotations are not',
    '<math><semantics><mi>x</mi><annotation encoding=application/x-tex>y</annotation></semantics></math>z',
    'xz',
  ],
  [
    'a formula of KaTeX is seen once',
    '<span class="katex"><span class="katex-mathml"><math display=block><mn>1</mn></math></span><span class="katex-html">1</span></span> <math><mn>2</mn></math>',
    '1 2',
  ],
  ['text after the last tag is seen', '<p>a</p>b', 'a\nb'],
  ['text before a cut tag is seen', 'a<a href=', 'a'],
]

for (const [fact, html, text] of TEXTS) {
  test(fact, () => assert.equal(readHtml(html, true).text, text))
}

test('no line is empty or has space to spare', () => {
  const lines = fc.oneof(flatPage, foreignPage, framePage).map((html) => readHtml(html, true).text)
  fc.assert(fc.property(lines, (text) => assert.match(text, /^$|^[^\t\n\f\r ]+([ \n][^\t\n\f\r ]+)*$/)))
})

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

test('anchor texts are the same if nothing else is read, and text is the same without links', () => {
  const same = (html: string) => {
    const all = readHtml(html, true)
    const { links, title, lang, baseHref } = readHtml(html, 'anchors')
    assert.deepEqual(
      { links, title, lang, baseHref },
      { links: all.links, title: all.title, lang: all.lang, baseHref: all.baseHref },
    )
    const { text, links: none, description } = readHtml(html, true, null, 0)
    assert.deepEqual([text, none, description], [all.text, [], all.description])
  }
  for (const html of [
    'x <a href=1> a <b>b</b>\n c</a> y <a href=2>d<p>e<a href=3>f</p></a> g',
    'before<a href=1><img alt=x>one<br>two</a>after<a name=x>not a link</a><a href=2>&amp; &lt;three&gt;',
    '<p>x<svg><a href=1><text>in a picture</text></a></svg><a href=2><script>x</script>y<!-- z --></a>z',
  ])
    same(html)
  for (const page of [flatPage, foreignPage, framePage]) fc.assert(fc.property(page, same), { numRuns: 500 })
})
