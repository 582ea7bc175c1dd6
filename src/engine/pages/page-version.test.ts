import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PageVersion } from '../../ports/pages.ts'
import { isUnchanged, toVersionJson } from './page-version.ts'

const NOT_FOUND = {
  id: 1,
  visitedAt: 0,
  firstSeenAt: 0,
  expiresAt: null,
  redirectTo: null,
  httpStatus: 404,
  contentHash: null,
  payloadDigest: 'aa',
} as PageVersion

describe('a page version', () => {
  it('is unchanged if status, target and content equal those of the previous one', () => {
    assert.equal(isUnchanged(NOT_FOUND, { ...NOT_FOUND, visitedAt: 9 }), true)
    const others: Partial<PageVersion>[] = [
      { payloadDigest: 'bb' },
      { httpStatus: 410 },
      { httpStatus: 301, redirectTo: 'http://a.test/' },
      { httpStatus: 200, contentHash: 'cc' },
    ]
    for (const other of others) assert.equal(isUnchanged(NOT_FOUND, { ...NOT_FOUND, ...other }), false)
  })

  it('is unchanged if only its compression differs', () => {
    const page = { ...NOT_FOUND, httpStatus: 200, contentHash: 'cc' }
    assert.equal(isUnchanged(page, { ...page, payloadDigest: 'bb' }), true)
  })

  it('has snake-case names in JSON', () => {
    for (const name of Object.keys(toVersionJson(NOT_FOUND))) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
  })
})
