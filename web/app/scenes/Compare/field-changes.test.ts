import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFieldChanges } from './field-changes.ts'

test('each changed field has a label and both values as text', () => {
  assert.deepEqual(
    listFieldChanges(['title', 'http_status', 'links'], { title: 'a', http_status: 200 }, { title: '', links: [1] }),
    [
      { field: 'title', label: 'Title', before: 'a', after: 'none' },
      { field: 'http_status', label: 'HTTP status', before: '200', after: 'none' },
      { field: 'links', label: 'Links', before: 'none', after: '[1]' },
    ],
  )
})

test('states and reasons have their labels', () => {
  const [state, reason] = listFieldChanges(
    ['state', 'reason'],
    { state: 'visited', reason: null },
    { state: 'not_found', reason: 'connect_refused' },
  )
  assert.deepEqual([state?.before, state?.after], ['Visited', 'Not found'])
  assert.deepEqual([reason?.before, reason?.after], ['none', 'Connection refused'])
})

test('a hash is cut to twelve digits', () => {
  assert.deepEqual(listFieldChanges(['content_hash'], { content_hash: 'abcdef0123456789' }, null), [
    { field: 'content_hash', label: 'Content hash', before: 'abcdef012345', after: 'none' },
  ])
})
