import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFactChanges } from './fact-changes.ts'

test('facts that have changed are texts', () => {
  const changes = listFactChanges({
    noindex: { before: false, after: true },
    title: { before: null, after: 'Bakery' },
    http_status: { before: 200, after: 404 },
  })
  assert.deepEqual(
    changes.map(({ label, before, after }) => [label, before, after]),
    [
      ['Title', 'none', 'Bakery'],
      ['Status', '200', '404'],
      ['Marked noindex', 'no', 'yes'],
    ],
  )
  assert.deepEqual(listFactChanges({}), [])
})
