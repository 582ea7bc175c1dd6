import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { AppError } from '../../lib/errors.ts'
import type { ArchivedResponse } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { NO_CONTENT } from '../media/content-type.ts'
import { packExtracted } from '../media/document-types.ts'
import { readArchivedPage } from './read-archived-page.ts'

const POSITION = { segment: 's', offset: 0, length: 1 }
const VERSION = {
  id: 1,
  url: 'http://a.test/',
  visitedAt: 0,
  contentType: 'text/html',
  isArchived: true,
  record: POSITION,
  payload: POSITION,
} as PageVersion

/** Fields that do not matter to these tests. */
const PLAIN_RESPONSE = {
  fetchedAt: 0,
  ip: null,
  status: 200,
  isTruncated: false,
  extracted: null,
  sameAs: null,
}

function read(headers: [string, string][], payload: Buffer, version = VERSION) {
  const response: ArchivedResponse = { ...PLAIN_RESPONSE, url: version.url, headers, payload }
  return readArchivedPage(version, {
    pages: { find: async () => version },
    archive: { read: async () => response },
    readDocument: () => assert.fail('not a document'),
  })
}

const PDF_VERSION = { ...VERSION, contentType: 'application/pdf' }
const EXTRACTED = { ...NO_CONTENT, text: 'words', author: 'Ann', pages: 3, links: [{ href: '/x', rel: '', text: 'x' }] }

/** Reads a document back, with its archived extract, and counts how often it is parsed again. */
async function readDocument(extracted: Buffer | null, sameAs: ArchivedResponse['sameAs'] = null) {
  let readings = 0
  const about = { url: '', fetchedAt: 0, ip: null, status: 200, isTruncated: false }
  const whole = { ...about, extracted, sameAs: null }
  const payload = { segment: 's', offset: 50, length: 1 }
  const version = { ...PDF_VERSION, payload: sameAs === null ? POSITION : payload }
  const responses = new Map<number, ArchivedResponse>([
    [50, { ...whole, headers: [], payload: Buffer.from('%PDF-1.7') }],
  ])
  const ownRecord =
    sameAs === null ? responses.get(50) : { ...whole, headers: [], payload: Buffer.alloc(0), extracted: null, sameAs }
  const page = await readArchivedPage(version, {
    pages: { find: async () => version },
    archive: {
      async read({ offset }) {
        const response = offset === 0 ? ownRecord : responses.get(offset)
        assert.ok(response !== undefined)
        return response
      },
    },
    async readDocument() {
      readings += 1
      return { ...EXTRACTED, text: 'read again' }
    },
  })
  return { text: page.text, author: page.author, pageCount: page.pageCount, links: page.links, readings }
}

describe('a document that is read back', () => {
  const known = {
    text: 'words',
    author: 'Ann',
    pageCount: 3,
    links: [{ url: 'http://a.test/x', href: '/x', anchorText: 'x', rel: '' }],
  }

  it('is not parsed again if its text was archived, with it or with the same payload elsewhere', async () => {
    const kept = packExtracted(EXTRACTED)
    assert.deepEqual(await readDocument(kept), { ...known, readings: 0 })
    assert.deepEqual(await readDocument(kept, { url: 'http://b.test/', fetchedAt: 0 }), { ...known, readings: 0 })
  })

  it('is parsed again if its text was not archived', async () => {
    assert.deepEqual(await readDocument(null), { ...known, text: 'read again', readings: 1 })
  })

  it('has no archived text that is too long', () => {
    assert.equal(packExtracted({ ...EXTRACTED, text: 'x'.repeat(5 << 20) }).length, 0)
  })
})

describe('a page that is read back', () => {
  it('has every coding decoded, from one header or two', async () => {
    const packed = brotliCompressSync(gzipSync('<p>Hello'))
    const codings: [string, string][][] = [
      [['Content-Encoding', 'gzip, br']],
      [
        ['content-encoding', 'gzip'],
        ['X-A', '1'],
        ['Content-Encoding', 'br'],
      ],
    ]
    for (const headers of codings) {
      const { text, hasOwnHeaders } = await read(headers, packed)
      assert.deepEqual([text, hasOwnHeaders], ['Hello', true])
    }
  })

  it('that the store has lost is distinguished from one that was not archived', async () => {
    const lost = { ...VERSION, payload: null }
    await assert.rejects(read([], Buffer.alloc(0), lost), { code: 'ARCHIVE_BROKEN', message: /no longer knows where/ })
    const notKept = { ...VERSION, isArchived: false, record: null, payload: null }
    await assert.rejects(read([], Buffer.alloc(0), notKept), { code: 'PAGE_NOT_KEPT' })
  })

  it('has an error message if its coding cannot be decoded', async () => {
    await assert.rejects(read([['Content-Encoding', 'gzip']], Buffer.from('plain')), {
      code: 'ARCHIVE_BROKEN',
      message:
        'The archived bytes of http://a.test/ cannot be decoded as "gzip", as its header says. Use --wire to get them undecoded.',
    })
  })

  it('whose own record is damaged has the payload from elsewhere, and only the headers to decode it', async () => {
    const payload = { segment: 's', offset: 50, length: 1 }
    const headers: [string, string][] = [
      ['Content-Encoding', 'gzip'],
      ['X-Of-Another', '1'],
    ]
    const about = {
      url: 'http://b.test/',
      fetchedAt: 0,
      ip: null,
      status: 200,
      isTruncated: false,
      extracted: null,
      sameAs: null,
    }
    const parts = (code: 'ARCHIVE_BROKEN' | 'ARCHIVE_AWAY') => ({
      pages: { find: async () => version },
      archive: {
        async read({ offset }: { offset: number }) {
          if (offset === 0) throw new AppError(code, 'no')
          return { ...about, headers, payload: gzipSync('<p>Hello') }
        },
      },
      readDocument: () => assert.fail('not a document'),
    })
    const version = { ...VERSION, payload }
    const page = await readArchivedPage(version, parts('ARCHIVE_BROKEN'))
    assert.deepEqual([page.text, page.headers, page.hasOwnHeaders], ['Hello', headers.slice(0, 1), false])
    await assert.rejects(readArchivedPage(version, parts('ARCHIVE_AWAY')), { code: 'ARCHIVE_AWAY' })
  })
})
