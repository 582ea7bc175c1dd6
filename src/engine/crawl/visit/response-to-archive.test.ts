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

function keep(changes: Partial<FetchResponse>, note: string | null = null): ResponseToArchive {
  const url: Visit['url'] = {
    id: 1,
    url: 'http://a.test/',
    kind: 'page',
    depth: 0,
    hops: 0,
    attempts: 0,
    dueAt: 0,
    ancestry: null,
  }
  const result = { ...EMPTY_RESPONSE, ...changes }
  const visit: Visit = { token: 1, url, host: 'a.test', result, now: 0 }
  return prepareForArchive(visit, result, { facts: { ...NO_PAGE_FACTS, note }, extracted: null, contentHash: null })
}

function headOf(changes: Partial<FetchResponse>): string {
  return keep(changes).head.toString('latin1')
}

describe('the head that is kept', () => {
  it('has the phrase and the headers', () => {
    const rawHeaders = ['X-A', '1', 'x-b', '\xe9']
    assert.equal(
      headOf({ status: 404, statusText: 'Not Found', rawHeaders }),
      'HTTP/1.1 404 Not Found\r\nX-A: 1\r\nx-b: \xe9',
    )
  })

  it('has no line end that a phrase brings, in whatever characters', () => {
    assert.equal(headOf({ status: 200, statusText: 'a\u010d\u010a\u010d\u010ab' }), 'HTTP/1.1 200 a????b')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (statusText) => {
        assert.match(headOf({ status: 200, statusText }), /^HTTP\/1\.1 200 [\t\x20-\x7e]*$/)
      }),
    )
  })
})

describe('the request that is kept', () => {
  it('is as it was sent, a byte for a character, and nothing when it was not wanted', () => {
    const { request, item } = keep({ sent: 'GET / HTTP/1.1\r\nx-a: \xe9' })
    assert.deepEqual([request.toString('latin1'), item.requestLength], ['GET / HTTP/1.1\r\nx-a: \xe9', 22])
    assert.deepEqual([keep({}).request.length, keep({}).item.requestLength], [0, 0])
  })
})

describe('the note of a page', () => {
  it('says that it was cut, beside what else is odd about it', () => {
    const noteOf = (truncated: boolean, note: string | null) => keep({ truncated }, note).page.note
    assert.deepEqual(
      [noteOf(false, null), noteOf(true, null), noteOf(false, 'binary'), noteOf(true, 'binary')],
      [null, 'truncated', 'binary', 'binary; truncated'],
    )
  })
})

describe('what is kept', () => {
  const NONE = UrlPatterns.compile([], 'archive_include')
  const rules: ArchiveRules = { archive: 'all', maxBytes: 10, maxBytesByType: new Map(), include: NONE, exclude: NONE }
  const caps = new Map([
    ['image/png', 0],
    ['image/*', 5],
  ])

  function isKept(contentType: string, bytes: number, maxBytesByType = caps): boolean {
    const result = { ...EMPTY_RESPONSE, contentType, wire: Buffer.alloc(bytes) }
    return shouldArchive({ ...rules, maxBytesByType }, 'http://a.test/', result, false)
  }

  it('has a size that is allowed for its type, for its kind of types, or for all', () => {
    assert.deepEqual([isKept('text/html', 10), isKept('text/html', 11), isKept('', 11)], [true, false, false])
    assert.deepEqual(
      [isKept('image/gif', 5), isKept('image/gif', 6), isKept('image/gif', 6, new Map())],
      [true, false, true],
    )
    assert.equal(isKept('Image/PNG; q=1', 5000), true)
  })

  it('matches a pattern to include and none to exclude, of which a host is one', () => {
    const include = UrlPatterns.compile(['^http://[ab]\\.test/'], 'archive_include')
    const exclude = UrlPatterns.compile(['^http://b\\.test/', '/private/'], 'archive_exclude')
    const some = { ...rules, include, exclude }
    const urls = ['http://a.test/', 'http://b.test/', 'http://c.test/', 'http://a.test/private/1']
    assert.deepEqual(
      urls.map((url) => shouldArchive(some, url, EMPTY_RESPONSE, false)),
      [true, false, false, false],
    )
  })
})
