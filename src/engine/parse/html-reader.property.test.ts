import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_MAX_LINKS } from '../../config/defaults.ts'
import { openHtml } from './charset/decode-html.ts'
import { HtmlReader, readHtml } from './html-reader.ts'
import { flatPage, foreignPage, framePage } from './testing/html-grammar.ts'
import { type OracleFacts, readWithTree } from './testing/html-oracle.ts'

const OPTIONS = { wantText: true, sink: null, maxLinks: DEFAULT_MAX_LINKS, wantsRequisites: false }
const seed = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

function readOurs(html: string, wantText: boolean): Omit<OracleFacts, 'mixesNames'> {
  const { links, baseHref, title, lang } = readHtml(html, wantText)
  return { links: links.map((link) => `${link.kind} ${link.href}`).sort(), baseHref, title, lang }
}

function agree(html: string): void {
  const { mixesNames, ...expected } = readWithTree(html)
  fc.pre(!mixesNames)
  assert.deepEqual(readOurs(html, false), expected)
  assert.deepEqual(readOurs(html, true), expected)
}

test(`random pages have the links, title and base that a tree builder finds (seed ${seed})`, () => {
  fc.assert(fc.property(flatPage, agree), { seed, numRuns: 2000 })
})

test(`random pages with SVG and MathML have the links, title and base that a tree builder finds (seed ${seed})`, () => {
  fc.assert(fc.property(foreignPage, agree), { seed, numRuns: 2000 })
})

test(`random pages with framesets have the links, title and base that a tree builder finds (seed ${seed})`, () => {
  fc.assert(fc.property(framePage, agree), { seed, numRuns: 1000 })
})

test(`a page in UTF-8 reads the same whether it is decoded before or after, and however it is split (seed ${seed})`, () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', 'é', 'ß', '日本', '€', '😀', '\u0080', '\u07ff', '\uffff', '&', '&eacute;'),
  })
  const piece = fc.oneof(
    text,
    fc.tuple(text, text).map(([href, anchor]) => `<a href="${href.replaceAll('"', '')}">${anchor}</a>`),
    text.map((title) => `<title>${title}</title>`),
    text.map((verbatim) => `<p><xmp>${verbatim}</xmp>`),
    text.map((name) => `<é${name} ${name}=${name}>`),
    fc.constantFrom('<svg>', '</svg>', '<!--é-->', '<script>"é"</script>', '<plaintext>'),
  )
  const page = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(page, fc.integer({ min: 1, max: 40 }), (html, step) => {
      const reader = new HtmlReader(openHtml(Buffer.from(html), 'text/html;charset=utf-8'), OPTIONS)
      while (reader.readOn(step));
      assert.deepEqual(reader.finish(), readHtml(html, true))
    }),
    { seed, numRuns: 2000 },
  )
})

test(`no string makes it throw (seed ${seed})`, () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<', '>', '</', '<!--', '<a', '<svg>', '"', '=', '&'),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const html = pieces.join('')
      assert.deepEqual(readOurs(html, true), readOurs(html, false))
    }),
    { seed, numRuns: 1000 },
  )
})
