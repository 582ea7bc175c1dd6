import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatChange } from './format-change.ts'

test('fields, states and reasons are words', () => {
  assert.equal(formatChange('state', 'visited', 'not_found'), 'state visited -> not found')
  assert.equal(formatChange('reason', null, 'max_pages'), 'reason none -> max pages')
  assert.equal(formatChange('http_status', 200, 404), 'HTTP status 200 -> 404')
  assert.equal(formatChange('title', undefined, 'A_b'), 'title none -> A_b')
})

test('hashes have 12 digits', () => {
  const [a, b] = ['0123456789abcdef'.repeat(4), 'fedcba9876543210'.repeat(4)]
  assert.equal(formatChange('content_hash', a, b), 'content hash 0123456789ab -> fedcba987654')
})
