// Pages: any bytes are decoded and parsed, in one go or in steps, with text or without, with the same result.

import assert from 'node:assert/strict'
import { DEFAULT_MAX_LINKS } from '../../../src/config/defaults.ts'
import { detectContentType } from '../../../src/engine/media/detect-type.ts'
import { decodeHtml, findEncoding, type HtmlSource, openHtml } from '../../../src/engine/parse/charset/decode-html.ts'
import { sniffHtml } from '../../../src/engine/parse/charset/sniff-html.ts'
import { type HtmlFacts, HtmlReader, LINK_KINDS, readHtml } from '../../../src/engine/parse/html-reader.ts'
import { flatPage, foreignPage, framePage } from '../../../src/engine/parse/testing/html-grammar.ts'
import { SHARED_LENGTH } from '../../../src/engine/parse/utf16-codes.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import { HTML_CORPUS, HTML_TOKENS } from '../corpus/html.ts'
import { type FuzzTarget, pureTarget } from '../fuzz-target.ts'
import { fromArbitrary, makeInputWriter, randomTokens } from '../input-writer.ts'

const CONTENT_TYPES = [
  'text/html',
  'text/html; charset=utf-8',
  'text/html;x;charset="shift_jis"',
  'text/html; charset=utf-16le',
  'application/xhtml+xml; charset=iso-2022-jp',
  'text/html; charset=euc-kr',
  'text/html; charset=gb18030',
  'text/html; charset=nonsense',
  'text/html; charset="\\',
  '',
]

const SHORT_PAGE = '<title>short</title><a href=/short>short</a>'

export const htmlTarget: FuzzTarget = pureTarget(
  'html',
  makeInputWriter({
    corpus: HTML_CORPUS,
    tokens: HTML_TOKENS,
    grammars: [randomTokens(HTML_TOKENS), ...[flatPage, foreignPage, framePage].map(fromArbitrary)],
    maxBytes: 256 * 1024,
  }),
  check,
)

const READER = { wantText: true, sink: null, maxLinks: DEFAULT_MAX_LINKS, wantsRequisites: false }

function check(input: Buffer, seededRandom: SeededRandom): void {
  const contentType = seededRandom.pick(CONTENT_TYPES)
  detectContentType(contentType, input)
  sniffHtml(input)
  const { text, charset } = decodeHtml(input, contentType)
  assert.equal(findEncoding(charset), charset)
  assert.ok(text.length <= input.length * 2 + 1, 'a byte decodes to at most two characters')

  const facts = readHtml(text, false)
  checkFacts(facts, text)
  const withText = readHtml(text, true)
  assert.deepEqual(withoutText(withText), facts, 'extracting text changes nothing else')
  const decoded = { html: text, isUtf8: false }
  assert.deepEqual(readInSteps([decoded, false], seededRandom), facts)
  assert.deepEqual(readInSteps([decoded, true], seededRandom), withText)
  const source = openHtml(input, contentType)
  const encoded = readInSteps([source, true], seededRandom)
  assert.deepEqual(withShortTitle(encoded), withShortTitle(withText), 'decoding before or after changes nothing')
  if (text.length > SHARED_LENGTH) checkInterleaved(text, withText, seededRandom)
}

function checkFacts({ links, title, text }: HtmlFacts, page: string): void {
  assert.ok(links.length * 5 <= page.length, 'a link needs a tag')
  for (const link of links) assert.ok(LINK_KINDS.includes(link.kind) && link.href === trim(link.href))
  assert.equal(title, trim(title))
  assert.equal(text, '')
}

function trim(text: string): string {
  return text.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')
}

function withoutText(facts: HtmlFacts): HtmlFacts {
  return { ...facts, text: '', links: facts.links.map((link) => ({ ...link, text: '' })) }
}

/** A title is cut after 16 kB, and then after fewer characters if they are encoded. */
function withShortTitle(facts: HtmlFacts): HtmlFacts {
  return { ...facts, title: facts.title.slice(0, 5000) }
}

function readInSteps([source, wantText]: [HtmlSource, boolean], seededRandom: SeededRandom): HtmlFacts {
  const reader = new HtmlReader(source, { ...READER, wantText })
  const step = 1 + seededRandom.below(Math.max(1, source.html.length))
  while (reader.readOn(1 + seededRandom.below(step)));
  return reader.finish()
}

/** A long page may be parsed in steps, interleaved with short ones. */
function checkInterleaved(page: string, facts: HtmlFacts, seededRandom: SeededRandom): void {
  const source = { html: page, isUtf8: false }
  const readers = [new HtmlReader(source, READER), new HtmlReader(source, READER)]
  const readOn = () => readers.filter((reader) => reader.readOn(1 + seededRandom.below(page.length)))
  while (readOn().length > 0) readHtml(SHORT_PAGE, true)
  for (const reader of readers) assert.deepEqual(reader.finish(), facts)
}
