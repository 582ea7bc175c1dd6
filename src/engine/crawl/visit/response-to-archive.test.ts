import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FetchResponse } from '../../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { UrlPatterns } from '../../url/url-patterns.ts'
import {
  type ArchiveRules,
  NO_PAGE_FACTS,
  prepareForArchive,
  type ResponseToArchive,
  shouldArchive,
} from './response-to-archive.ts'
import type { Visit } from './visit-steps.ts'

function prepare(changes: Partial<FetchResponse>, note: string | null = null): ResponseToArchive {
  const url: Visit['url'] = {
    id: 1,
    url: 'http://a.test/',
    kind: 'page',
    depth: 0,
    hops: 0,
    attempts: 0,
    dueAt: 0,
    ancestry: null,
    lastVisit: null,
  }
  const result = { ...EMPTY_RESPONSE, ...changes }
  const visit: Visit = {
    token: 1,
    url,
    host: 'a.test',
    result,
    now: 0,
    openSubresources: () => assert.fail('not rendered'),
  }
  return prepareForArchive({ url: visit.url.url, fetchedAt: visit.now }, result, {
    facts: { ...NO_PAGE_FACTS, note },
    extracted: null,
    dom: null,
    screenshot: null,
    contentHash: null,
  })
}

function headOf(changes: Partial<FetchResponse>): string {
  return prepare(changes).head.toString('latin1')
}

describe('the archived head', () => {
  it('has the values of cookies only if the crawl does not use them', () => {
    const rawHeaders = ['Set-Cookie', 'sid=geheim; Path=/; Secure', 'Set-Cookie', 'geheim', 'X-A', 'b']
    assert.match(headOf({ rawHeaders }), /Set-Cookie: sid=geheim; Path/)
    const hidden = headOf({ rawHeaders, setsCookies: true })
    assert.match(hidden, /\r\nSet-Cookie: sid=\*\*\*; Path=\/; Secure\r\nSet-Cookie: \*\*\*\r\nX-A: b$/)
  })

  it('has the reason phrase and the headers', () => {
    const rawHeaders = ['X-A', '1', 'x-b', '\xe9']
    assert.equal(
      headOf({ status: 404, statusText: 'Not Found', rawHeaders }),
      'HTTP/1.1 404 Not Found\r\nX-A: 1\r\nx-b: \xe9',
    )
  })

  it('contains no line break from the reason phrase, in any charset', () => {
    assert.equal(headOf({ status: 200, statusText: 'a\u010d\u010a\u010d\u010ab' }), 'HTTP/1.1 200 a????b')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (statusText) => {
        assert.match(headOf({ status: 200, statusText }), /^HTTP\/1\.1 200 [\t\x20-\x7e]*$/)
      }),
    )
  })
})

describe('the archived request', () => {
  it('is exactly what was sent, one byte per character, and empty if requests are not archived', () => {
    const { request, item } = prepare({ sent: 'GET / HTTP/1.1\r\nx-a: \xe9' })
    assert.deepEqual([request.toString('latin1'), item.requestLength], ['GET / HTTP/1.1\r\nx-a: \xe9', 22])
    assert.deepEqual([prepare({}).request.length, prepare({}).item.requestLength], [0, 0])
  })
})

describe('the note of a page', () => {
  it('says that the body was truncated, after other problems', () => {
    const noteOf = (truncated: boolean, note: string | null) => prepare({ truncated }, note).page.note
    assert.deepEqual(
      [noteOf(false, null), noteOf(true, null), noteOf(false, 'binary'), noteOf(true, 'binary')],
      [null, 'truncated', 'binary', 'binary; truncated'],
    )
  })
})

describe('shouldArchive', () => {
  const NONE = UrlPatterns.compile([], 'archive_include')
  const rules: ArchiveRules = { archive: 'all', maxBytes: 10, maxBytesByType: new Map(), include: NONE, exclude: NONE }
  const caps = new Map([
    ['image/png', 0],
    ['image/*', 5],
  ])

  function isArchived(contentType: string, bytes: number, maxBytesByType = caps): boolean {
    const result = { ...EMPTY_RESPONSE, contentType, wire: Buffer.alloc(bytes) }
    return shouldArchive({ ...rules, maxBytesByType }, { url: 'http://a.test/', kind: 'page' }, result, false)
  }

  it('limits the size by media type, by type wildcard, or for all types', () => {
    assert.deepEqual(
      [isArchived('text/html', 10), isArchived('text/html', 11), isArchived('', 11)],
      [true, false, false],
    )
    assert.deepEqual(
      [isArchived('image/gif', 5), isArchived('image/gif', 6), isArchived('image/gif', 6, new Map())],
      [true, false, true],
    )
    assert.equal(isArchived('Image/PNG; q=1', 5000), true)
  })

  it('requires an include pattern to match and no exclude pattern', () => {
    const include = UrlPatterns.compile(['^http://[ab]\\.test/'], 'archive_include')
    const exclude = UrlPatterns.compile(['^http://b\\.test/', '/private/'], 'archive_exclude')
    const some = { ...rules, include, exclude }
    const urls = ['http://a.test/', 'http://b.test/', 'http://c.test/', 'http://a.test/private/1']
    assert.deepEqual(
      urls.map((url) => shouldArchive(some, { url, kind: 'page' }, EMPTY_RESPONSE, false)),
      [true, false, false, false],
    )
  })
})
