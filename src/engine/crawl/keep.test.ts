import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { EMPTY_RESPONSE } from '../fetch/fixture.response.ts'
import type { FetchResponse } from '../fetch/result.ts'
import { keepAnswer, NO_PAGE_FACTS } from './keep.ts'
import type { Visit } from './visit.ts'

function headOf(changes: Partial<FetchResponse>): string {
  const url: Visit['url'] = { id: 1, url: 'http://a.test/', kind: 'page', depth: 0, hops: 0, attempts: 0 }
  const result = { ...EMPTY_RESPONSE, ...changes }
  const visit: Visit = { token: 1, url, host: 'a.test', result, now: 0 }
  return keepAnswer(visit, result, NO_PAGE_FACTS, null).head.toString('latin1')
}

describe('the head that is kept', () => {
  it('has the phrase and the headers', () => {
    const rawHeaders = ['X-A', '1', 'x-b', '\xe9'].map((text) => Buffer.from(text, 'latin1'))
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
