import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readViewState, writeViewState } from './view-state.ts'

test('a view state survives writing and reading, and defaults are not written', () => {
  const viewState = { q: 'a & b', sort: 'newest', crawl: 'c1', isExplained: true, isFolded: false, page: 12 } as const
  assert.deepEqual(readViewState(new URLSearchParams(writeViewState(viewState).toString())), viewState)
  assert.equal(writeViewState(readViewState(new URLSearchParams(''))).toString(), '')
})

test('invalid values are replaced by the defaults', () => {
  assert.deepEqual(readViewState(new URLSearchParams('sort=x&page=-1&fold=2')), readViewState(new URLSearchParams()))
})
