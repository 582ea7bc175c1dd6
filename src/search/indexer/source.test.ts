import assert from 'node:assert/strict'
import { it } from 'node:test'
import { packExtracted } from '../../engine/media/heavy.ts'
import { NOTHING } from '../../engine/media/type.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { readSource } from './source.ts'

it('takes the text of a document that was extracted when it was fetched', async () => {
  const place = { segment: 's', offset: 0, length: 1 }
  const version = {
    ...{ id: 1, url: 'http://a.test/a.pdf', contentType: 'application/pdf', httpStatus: 200, noindex: false },
    ...{ isKept: true, record: place, payload: place },
  } as PageVersion
  const extracted = { ...NOTHING, text: 'words' }
  const answer = {
    ...{
      url: version.url,
      fetchedAt: 0,
      ip: null,
      status: 200,
      isTruncated: false,
      sameAs: null,
      requestLength: 0,
      headers: [],
    },
    ...{ payload: Buffer.from('%PDF-1.7'), extracted: packExtracted(extracted) },
  }
  const reading = {
    pages: { find: async () => version },
    archive: { read: async () => answer },
    readDocument: () => assert.fail('it was read before'),
  }
  assert.deepEqual(await readSource(version, reading), { source: { extracted } })
})
