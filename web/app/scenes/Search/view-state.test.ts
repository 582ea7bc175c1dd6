import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readViewState, writeViewState } from './view-state.ts'

test('what is written is read back, and defaults are not written', () => {
  const place = { q: 'a & b', sort: 'newest', crawl: 'c1', isExplained: true, isFolded: false, page: 12 } as const
  assert.deepEqual(readViewState(new URLSearchParams(writeViewState(place).toString())), place)
  assert.equal(writeViewState(readViewState(new URLSearchParams(''))).toString(), '')
})

test('nonsense in an address is the default', () => {
  assert.deepEqual(readViewState(new URLSearchParams('sort=x&page=-1&fold=2')), readViewState(new URLSearchParams()))
})
