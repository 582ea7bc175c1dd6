import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { NO_CONTENT } from '../content-type.ts'
import { detectContentType } from '../detect-type.ts'
import { DOCUMENT_LIMITS, type DocumentType, isDocumentFailure } from '../document-types.ts'
import { makeDocx, makeEpub, makeOdt, makeZip } from '../testing/zip-files.ts'
import { readDocument } from './read-document.ts'

function read(type: DocumentType, body: Buffer, limits = DOCUMENT_LIMITS) {
  return readDocument({ type, url: 'https://a.test/x', contentType: '', body }, limits)
}

const CHAPTERS = [
  '<html><body><p>One</p><a href="c%201.xhtml">on</a></body></html>',
  '<html><body><p>Two &amp; more <a href="https://b.test/">b</a></p></body></html>',
]
const EPUB = makeEpub(CHAPTERS, '<dc:title>A book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator>')

const RELATIONSHIPS =
  '<Relationships><Relationship Id="r1" Target="https://b.test/?a=1&amp;b=2" TargetMode="External"/><Relationship Id="r2" Target="styles.xml"/></Relationships>'
const DOCX = makeDocx(
  '<w:p><w:r><w:t xml:space="preserve">Hello </w:t></w:r><w:hyperlink r:id="r1"><w:r><w:t>the link</w:t></w:r></w:hyperlink></w:p><w:p/><w:p><w:r><w:t>a</w:t><w:tab/><w:t>b &lt; c</w:t></w:r></w:p>',
  {
    'word/_rels/document.xml.rels': RELATIONSHIPS,
    'word/footnotes.xml': '<w:footnotes><w:p><w:r><w:t>a note</w:t></w:r></w:p></w:footnotes>',
    'docProps/core.xml': '<cp:coreProperties><dc:title>T</dc:title><cp:keywords>k, l</cp:keywords></cp:coreProperties>',
  },
)
const ODT = makeOdt(
  '<text:h>Head</text:h><text:p>a<text:s/>b <text:a xlink:href="https://b.test/">link</text:a><text:a xlink:href="#top">up</text:a></text:p>',
  {
    'meta.xml':
      '<office:meta><dc:title>T</dc:title><dc:language>de</dc:language><meta:keyword>k</meta:keyword><meta:keyword>l</meta:keyword><meta:document-statistic meta:page-count="3"/></office:meta>',
  },
)

describe('a document', () => {
  it('in EPUB yields its chapters in order, its metadata, and its external links', async () => {
    assert.deepEqual(await read('epub', EPUB), {
      ...NO_CONTENT,
      title: 'A book',
      author: 'Ann, Bo',
      text: 'One\non\nTwo & more b',
      links: [{ href: 'https://b.test/', rel: '', text: 'b' }],
    })
  })

  it('in EPUB is read if it was zipped with its folder', async () => {
    const { title, text } = await read('epub', makeEpub(CHAPTERS, '<dc:title>A book</dc:title>', 'epub/'))
    assert.deepEqual([title, text], ['A book', 'One\non\nTwo & more b'])
  })

  it('in Word yields its text and notes, its metadata, and its links', async () => {
    assert.deepEqual(await read('docx', DOCX), {
      ...NO_CONTENT,
      title: 'T',
      keywords: 'k, l',
      text: 'Hello the link\n\na\tb < c\na note',
      links: [{ href: 'https://b.test/?a=1&b=2', rel: '', text: 'the link' }],
    })
  })

  it('in OpenDocument yields its text, its metadata, and its links', async () => {
    assert.deepEqual(await read('odt', ODT), {
      ...NO_CONTENT,
      title: 'T',
      lang: 'de',
      keywords: 'k, l',
      text: 'Head\na b linkup',
      links: [{ href: 'https://b.test/', rel: '', text: 'link' }],
      pages: 3,
    })
  })

  it('is recognised by the files in the zip', () => {
    const types = [EPUB, DOCX, ODT, makeZip({ a: 'b' })].map((body) => detectContentType('', body).type)
    assert.deepEqual(types, ['epub', 'docx', 'odt', 'unknown'])
  })

  it('of compressed text or a compressed page is read as such', async () => {
    const text = await read('gzip', gzipSync('words and https://b.test/x'))
    assert.deepEqual(
      [text.text, text.links.map(({ href }) => href)],
      ['words and https://b.test/x', ['https://b.test/x']],
    )
    const page = await read('gzip', gzipSync('<!doctype html><title>T</title><p>Hello'))
    assert.deepEqual([page.title, page.text], ['T', 'Hello'])
    assert.deepEqual(await read('gzip', gzipSync('a\0b')), NO_CONTENT)
  })

  it('that is encrypted or damaged has a problem', async () => {
    const problem = async (type: DocumentType, body: Buffer) => (await read(type, body)).problem
    const locked = Buffer.from(DOCX)
    locked.writeUInt16LE(1, locked.indexOf('PK\x01\x02') + 8)
    assert.equal(await problem('docx', locked), 'docx_encrypted')
    const manifest = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'
    assert.equal(await problem('odt', makeOdt('', { 'META-INF/manifest.xml': manifest })), 'odt_encrypted')
    for (const type of ['epub', 'docx', 'odt'] as const) {
      assert.equal(await problem(type, EPUB.subarray(0, 200)), `${type}_broken`)
      assert.equal(await problem(type, makeZip({ a: 'b' })), `${type}_broken`)
    }
    assert.equal(await problem('gzip', Buffer.from('no gzip')), 'gzip_broken')
  })
})

describe('a hostile document', () => {
  const SMALL = { ...DOCUMENT_LIMITS, maxUnpackedBytes: 1 << 20, maxChars: 1000, maxLinks: 5 }

  it('is unpacked only up to the limit', async () => {
    const bomb = '<p>'.padEnd(50 << 20)
    const epub = await read('epub', makeEpub(['<p>One', bomb, '<p>Three']), SMALL)
    assert.deepEqual([epub.text, epub.problem], ['One\nThree', 'cut'])
    assert.equal((await read('odt', makeOdt(bomb), SMALL)).problem, 'cut')
    const { text, problem } = await read('gzip', gzipSync('word '.repeat(5 << 20)), SMALL)
    assert.deepEqual([text.startsWith('word word'), problem], [true, 'cut'])
  })

  it('is read only up to the text and link limits', async () => {
    const link = '<a href="https://b.test/">x</a>'
    const { text, links, problem } = await read('epub', makeEpub([link.repeat(10) + 'word '.repeat(1000)]), SMALL)
    assert.deepEqual([text.length <= 1000, links.length, problem], [true, 5, 'cut'])
  })

  it('yields a result, whatever its bytes', async () => {
    const at = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    const whole = fc.constantFrom<[DocumentType, Buffer]>(
      ['epub', EPUB],
      ['docx', DOCX],
      ['odt', ODT],
      ['gzip', gzipSync('a b')],
    )
    await fc.assert(
      fc.asyncProperty(whole, fc.array(at, { maxLength: 6 }), fc.nat(), async ([type, sound], changes, length) => {
        const body = Buffer.from(sound.subarray(0, changes.length === 0 ? length % sound.length : sound.length))
        for (const [offset, bytes] of changes) {
          const start = offset % body.length
          body.set(bytes.subarray(0, body.length - start), start)
        }
        const { problem } = await read(type, body, SMALL)
        assert.ok(problem === null || problem === 'cut' || isDocumentFailure(problem), String(problem))
      }),
      { numRuns: 500 },
    )
  })
})
