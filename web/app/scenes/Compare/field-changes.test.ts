import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFieldChanges } from './field-changes.ts'

test('each field that differs has a line with both values as text', () => {
  assert.deepEqual(
    listFieldChanges(['title', 'http_status', 'links'], { title: 'a', http_status: 200 }, { title: '', links: [1] }),
    [
      { field: 'title', before: 'a', after: 'none' },
      { field: 'http_status', before: '200', after: 'none' },
      { field: 'links', before: 'none', after: '[1]' },
    ],
  )
})

test('of a hash the first twelve digits are shown', () => {
  assert.deepEqual(listFieldChanges(['content_hash'], { content_hash: 'abcdef0123456789' }, null), [
    { field: 'content_hash', before: 'abcdef012345', after: 'none' },
  ])
})
