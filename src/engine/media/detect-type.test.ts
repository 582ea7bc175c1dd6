import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CONTENT_TYPES } from './content-types.ts'
import { detectContentType } from './detect-type.ts'

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const GZIP = '\x1f\x8b\x08\0\0\0\0\0'
const ZIP = 'PK\x03\x04\x14\0'
const PDF = '%PDF-1.7\n1 0 obj'
const PAGE = '<!doctype html><title>x</title>'
const DECLARATION = '<?xml version="1.0"?>'
const RSS1 = '<rdf:RDF xmlns="http://purl.org/rss/1.0/">'
const FOAF = '<rdf:RDF xmlns="http://xmlns.com/foaf/0.1/">'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const EPUB = `${'PK\x03\x04'.padEnd(18, '\0')}\x14\0\0\0\x14\0\0\0\x08\0\0\0mimetypeapplication/epub+zipPK`

type Row = [label: string, bytes: string, type: string, mismatch: string | null]

/** The mismatch without its label. */
const CASES: Record<string, Row[]> = {
  'the label wins if the bytes allow it': [
    ['text/html', PAGE, 'html', null],
    ['text/html; charset=utf-8', 'plain words', 'html', null],
    [' TEXT/HTML ;charset=x', PAGE, 'html', null],
    ['text/html, text/html', PAGE, 'html', null],
    ['text/html', '', 'html', null],
    ['text/plain', PAGE, 'text', null],
    ['text/plain', `${DECLARATION}<rss>`, 'text', null],
    ['text/markdown', '# x', 'text', null],
    ['text/plain', '\xff\xfea\0b\0', 'text', null],
    ['application/xhtml+xml', '<html>', 'xhtml', null],
    ['application/pdf', PDF, 'pdf', null],
    ['application/x-pdf', `junk ${PDF}`, 'pdf', null],
    ['application/pdf', '', 'pdf', null],
    [DOCX, ZIP, 'docx', null],
    ['application/epub+zip', ZIP, 'epub', null],
    ['application/vnd.oasis.opendocument.text', ZIP, 'odt', null],
    ['application/x-gzip', GZIP, 'gzip', null],
  ],
  'bytes that contradict the label win, with a mismatch': [
    ['text/html', PDF, 'pdf', 'application/pdf'],
    ['text/html', PNG, 'unknown', 'image/png'],
    ['text/html; charset=utf-8', GZIP, 'gzip', 'application/gzip'],
    ['text/html', EPUB, 'epub', 'application/epub+zip'],
    ['application/xhtml+xml', ZIP, 'unknown', 'application/zip'],
    ['text/plain', PDF, 'pdf', 'application/pdf'],
    ['text/plain', 'a\0b', 'unknown', 'application/octet-stream'],
    ['text/plain', `${PAGE}\0`, 'unknown', 'application/octet-stream'],
    ['application/pdf', PAGE, 'html', 'text/html'],
    ['application/pdf', 'No such file.', 'text', 'text/plain'],
    ['application/pdf', '\0\0', 'unknown', 'application/octet-stream'],
    ['text/xml', GZIP, 'gzip', 'application/gzip'],
    ['application/epub+zip', PAGE, 'html', 'text/html'],
  ],
  'an unknown or vague label': [
    ['application/vnd.ms-excel', ZIP, 'unknown', null],
    ['', EPUB, 'epub', null],
    ['application/octet-stream', `${ZIP}word/document.xml`, 'docx', null],
    ['application/octet-stream', ZIP, 'unknown', null],
    ['application/octet-stream', GZIP, 'gzip', null],
    ['application/json', PAGE, 'unknown', null],
    ['image/png', PAGE, 'unknown', null],
    ['', '', 'unknown', null],
    ['', PAGE, 'html', null],
    ['', ` \n${PAGE}`, 'html', null],
    ['', '<html>', 'html', null],
    ['', PDF, 'pdf', null],
    ['', PNG, 'unknown', null],
    ['', 'words', 'text', null],
    ['', 'a\x01', 'unknown', null],
    ['', `\xef\xbb\xbf${PAGE}`, 'text', null],
    ['', `${DECLARATION}<html>`, 'xhtml', null],
    ['', `${DECLARATION}<thing>`, 'xml', null],
    ['', '<rss version="2.0">', 'feed', null],
    ['application/octet-stream', PDF, 'pdf', null],
    ['application/octet-stream', '\0', 'unknown', null],
    ['binary/octet-stream', PAGE, 'html', null],
  ],
  'XML is recognised by its root element': [
    ['application/xml', '<rss version="2.0">', 'feed', null],
    ['text/xml', `${DECLARATION}\n<!-- by x -->\n<feed xmlns="a">`, 'feed', null],
    ['text/xml', `\xef\xbb\xbf${DECLARATION}<?style a>b?><urlset\n>`, 'sitemap', null],
    ['application/xml', '<!DOCTYPE s SYSTEM "a" [<!ENTITY b "c>">]><sitemapindex>', 'sitemap', null],
    ['application/xml', '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0"><HTML>', 'xhtml', null],
    ['application/xml', RSS1, 'feed', null],
    ['application/rdf+xml', FOAF, 'xml', null],
    ['application/xml', '<thing/>', 'xml', null],
    ['application/xml', 'no markup', 'xml', null],
    ['image/svg+xml', '<svg>', 'xml', null],
    ['application/rss+xml', '<feed>', 'feed', null],
    ['application/atom+xml', '<!-- cut', 'feed', null],
    ['application/rss+xml', '<html>', 'xhtml', 'application/xhtml+xml'],
    ['application/rss+xml', '<thing>', 'xml', 'application/xml'],
    ['application/xml', '\xff\xfe<\0r\0s\0s\0>\0', 'feed', null],
    ['application/xml', '\xfe\xff\0<\0r\0s\0s\0>', 'feed', null],
  ],
  'feeds and sitemaps labelled as pages are found, but a page with a declaration stays one': [
    ['text/html', '<rss version="2.0">', 'feed', 'application/rss+xml'],
    ['text/html', `\n${DECLARATION}<urlset>`, 'sitemap', 'application/xml'],
    ['text/html', `${DECLARATION}<!DOCTYPE html><html>`, 'html', null],
    ['text/html', `${DECLARATION}<thing>`, 'html', null],
    ['text/html', '<font>', 'html', null],
    ['text/html', FOAF, 'html', null],
  ],
}

for (const [fact, rows] of Object.entries(CASES)) {
  it(fact, () => {
    for (const [label, bytes, type, is] of rows) {
      const found = detectContentType(label, Buffer.from(bytes, 'latin1'))
      const essence = label.split(/[;,]/)[0]?.trim().toLowerCase()
      const mismatch = is === null ? null : `labelled ${essence}, is ${is}`
      assert.deepEqual([found.type, found.mismatch], [type, mismatch], JSON.stringify([label, bytes]))
    }
  })
}

describe('detectContentType', () => {
  it('returns the media type even if it is not supported', () => {
    assert.equal(detectContentType('', Buffer.from(PNG, 'latin1')).mediaType, 'image/png')
    assert.equal(detectContentType('Image/SVG+xml; q', Buffer.from('<svg>')).mediaType, 'image/svg+xml')
    assert.equal(detectContentType('text/html', Buffer.from(PDF)).mediaType, 'application/pdf')
  })

  it('accepts any label and any bytes', () => {
    const labels = fc.oneof(fc.string(), fc.constantFrom('text/html', 'text/xml', 'text/plain', 'application/pdf', ''))
    const pieces = fc.array(fc.constantFrom('<', '<!', '<!--', '[', ']>', '<?', 'rss', '>', ' ', '\xef\xbb\xbf', '\0'))
    const bodies = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      pieces.map((parts) => Buffer.from(parts.join(''), 'latin1')),
    )
    fc.assert(
      fc.property(labels, bodies, (label, body) => {
        const { type, mismatch } = detectContentType(label, body)
        assert.ok(type === 'unknown' || CONTENT_TYPES.some(({ name }) => name === type))
        if (label === '') assert.equal(mismatch, null)
      }),
    )
  })
})

describe('the list of content types', () => {
  it('has no duplicate name, media type, root or signature', () => {
    for (const values of [
      CONTENT_TYPES.map(({ name }) => name),
      CONTENT_TYPES.flatMap(({ mediaTypes }) => mediaTypes),
      CONTENT_TYPES.flatMap(({ roots }) => Object.keys(roots)),
      CONTENT_TYPES.flatMap(({ signature }) => signature ?? []),
    ]) {
      assert.equal(new Set<string>(values).size, values.length)
    }
  })
})
