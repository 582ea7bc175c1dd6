import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSelected, readFilters, toFeedQuery } from './filters.ts'

test('filters are read from the URL, and unknown values are ignored', () => {
  const filters = readFilters(new URLSearchParams('kind=removed&kind=added&kind=removed&kind=lost&min_words=20'))
  assert.deepEqual(filters, { kinds: ['removed', 'added'], minWords: 20, url: '' })
  assert.deepEqual(toFeedQuery(filters), { kind: ['removed', 'added'], min_words: 20 })
  assert.deepEqual(toFeedQuery(readFilters(new URLSearchParams('min_words=many'))), {})
})

test('only changes of the selected kinds are counted', () => {
  const counts = { added: 1, changed: 20, removed: 300, returned: 0, redirected: 4, pending: 50 }
  assert.equal(countSelected(counts, readFilters(new URLSearchParams())), 325)
  assert.equal(countSelected(counts, readFilters(new URLSearchParams('kind=removed'))), 300)
})
