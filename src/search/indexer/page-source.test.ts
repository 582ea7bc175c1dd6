import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DocumentReaderFunction, NO_CONTENT } from '../../engine/media/content-type.ts'
import { packExtracted } from '../../engine/media/document-types.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { readPageSource } from './page-source.ts'

const EXTRACTED = { ...NO_CONTENT, text: 'words' }

interface ReadChanges {
  html?: string
  /** The payload is in the record of another page, together with the content extracted from it. */
  isRevisit?: boolean
}

function read(extracted: Buffer | null, documentReaderFunction: DocumentReaderFunction, changes: ReadChanges = {}) {
  const place = { segment: 's', offset: 0, length: 1 }
  const version = {
    id: 1,
    url: 'http://a.test/a.pdf',
    contentType: changes.html === undefined ? 'application/pdf' : 'text/html',
    httpStatus: 200,
    noindex: false,
    isArchived: true,
    record: place,
    payload: { ...place, offset: 9 },
  } as PageVersion
  const response = {
    url: version.url,
    fetchedAt: 0,
    ip: null,
    status: 200,
    isTruncated: false,
    sameAs: null,
    headers: [],
    payload: Buffer.from(changes.html ?? '%PDF-1.7'),
    extracted,
  }
  return readPageSource(
    version,
    {
      pages: { find: async () => version },
      archive: {
        read: async ({ offset }) =>
          offset === 0 && changes.isRevisit === true
            ? { ...response, sameAs: { url: 'http://b.test/', fetchedAt: 0 }, extracted: null }
            : response,
      },
      readDocument: documentReaderFunction,
    },
    { isIndexed: false },
  )
}

describe('text of a document for the index', () => {
  it('is the text extracted at fetch time', async () => {
    const source = await read(packExtracted(EXTRACTED), () => assert.fail('the document must not be read again'))
    assert.deepEqual(source, { source: { extracted: EXTRACTED } })
  })

  it('is read from the document if no extracted text was archived', async () => {
    assert.deepEqual(await read(null, async () => EXTRACTED), { source: { extracted: EXTRACTED } })
  })

  it('is what an indexer reported for the page, but not for another page with the same bytes', async () => {
    const reported = { ...EXTRACTED, title: 'Reported', isReported: true as const }
    const never = () => assert.fail('HTML is not read by a document reader')
    const [html, packed] = ['<p>old', packExtracted(reported)]
    assert.deepEqual(await read(packed, never, { html }), { source: { html, reported } })
    const other = await read(packed, never, { html, isRevisit: true })
    assert.deepEqual(other, { source: { html, reported: null } })
    const shared = await read(packExtracted(EXTRACTED), () => assert.fail('read again'), { isRevisit: true })
    assert.deepEqual(shared, { source: { extracted: EXTRACTED } })
  })

  it('is retried later if the document reader was stopped', async () => {
    const stopped = () => Promise.reject(new AppError('INTERRUPTED', 'The document reader was stopped.'))
    assert.deepEqual(await read(null, stopped), { isUnavailable: true })
  })
})
