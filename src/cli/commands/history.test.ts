import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isUnchanged } from './history.ts'
import type { PageDetails } from './page.ts'

const NOT_FOUND = {
  page_id: 1,
  visited_at: '2026-01-01T00:00:00.000Z',
  redirect_to: null,
  http_status: 404,
  content_hash: null,
  payload_digest: 'aa',
} as PageDetails

describe('a page version', () => {
  it('is unchanged if status, target and content equal those of the previous one', () => {
    assert.equal(isUnchanged(NOT_FOUND, { ...NOT_FOUND, visited_at: '2026-01-02T00:00:00.000Z' }), true)
    const others: Partial<PageDetails>[] = [
      { payload_digest: 'bb' },
      { http_status: 410 },
      { http_status: 301, redirect_to: 'http://a.test/' },
      { http_status: 200, content_hash: 'cc' },
    ]
    for (const other of others) assert.equal(isUnchanged(NOT_FOUND, { ...NOT_FOUND, ...other }), false)
  })

  it('is unchanged if only its compression differs', () => {
    const page = { ...NOT_FOUND, http_status: 200, content_hash: 'cc' }
    assert.equal(isUnchanged(page, { ...page, payload_digest: 'bb' }), true)
  })
})
