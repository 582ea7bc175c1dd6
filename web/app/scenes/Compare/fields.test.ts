import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './fields.ts'

test('each field that differs has a line with both values as text', () => {
  assert.deepEqual(
    changesOf(['title', 'http_status', 'links'], { title: 'a', http_status: 200 }, { title: '', links: [1] }),
    [
      { field: 'title', before: 'a', after: 'none' },
      { field: 'http_status', before: '200', after: 'none' },
      { field: 'links', before: 'none', after: '[1]' },
    ],
  )
})
