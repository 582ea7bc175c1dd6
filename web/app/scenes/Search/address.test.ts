import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlace, writePlace } from './address.ts'

test('what is written is read back, and defaults are not written', () => {
  const place = { q: 'a & b', sort: 'newest', crawl: 'c1', isExplained: true, isFolded: false, page: 12 } as const
  assert.deepEqual(readPlace(new URLSearchParams(writePlace(place).toString())), place)
  assert.equal(writePlace(readPlace(new URLSearchParams(''))).toString(), '')
})

test('nonsense in an address is the default', () => {
  assert.deepEqual(readPlace(new URLSearchParams('sort=x&page=-1&fold=2')), readPlace(new URLSearchParams()))
})
