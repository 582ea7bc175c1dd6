import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { highlightHtml } from './highlight-html.ts'

it('highlights the matches and escapes everything else', () => {
  assert.equal(
    highlightHtml('<script>alert("apple")</script> & pear', [[15, 20]]),
    '&lt;script&gt;alert(&quot;<mark>apple</mark>&quot;)&lt;/script&gt; &amp; pear',
  )
  assert.equal(highlightHtml("<b>'s", [[0, 3]]), '<mark>&lt;b&gt;</mark>&#39;s')
})

it('no text yields any tag but mark, and no text is lost', () => {
  const texts = fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ' ', '&amp;', '<mark>') })
  fc.assert(
    fc.property(texts, fc.nat(20), fc.nat(20), (text, from, length) => {
      const start = Math.min(from, text.length)
      const html = highlightHtml(text, [[start, Math.min(text.length, start + length)]])
      assert.deepEqual(html.match(/<[^>]*>?/g), ['<mark>', '</mark>'])
      const SIGNS: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
      assert.equal(
        html.replace(/<\/?mark>/g, '').replace(/&[^;]+;/g, (sign) => SIGNS[sign] ?? '?'),
        text,
      )
    }),
  )
})
