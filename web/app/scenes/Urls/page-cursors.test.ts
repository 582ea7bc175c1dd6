import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRows, FIRST_PAGE, type PageCursors, pagesToRead, withPage } from './page-cursors.ts'

const ROWS = 10
const full = (next: string | null) => ({ items: Array.from({ length: ROWS }), next_cursor: next })

function walk(pages: number): PageCursors {
  let pageCursors: PageCursors = FIRST_PAGE
  for (let at = 0; at < pages; at += 1) pageCursors = withPage(pageCursors, at, full(`c${at + 1}`), ROWS)
  return pageCursors
}

test('a list grows by a page when a page with a next cursor is loaded', () => {
  assert.equal(countRows(FIRST_PAGE, ROWS), 10)
  assert.equal(countRows(walk(3), ROWS), 40)
  assert.deepEqual(walk(3).cursors, [null, 'c1', 'c2', 'c3'])
})

test('the last page determines the exact length', () => {
  const pageCursors = withPage(walk(3), 3, { items: Array.from({ length: 4 }), next_cursor: null }, ROWS)
  assert.equal(countRows(pageCursors, ROWS), 34)
})

test('an empty list has no rows', () => {
  assert.equal(countRows(withPage(FIRST_PAGE, 0, { items: [], next_cursor: null }, ROWS), ROWS), 0)
})

test('a list whose end moves grows again', () => {
  const ended = withPage(walk(1), 1, { items: Array.from({ length: 4 }), next_cursor: null }, ROWS)
  const pageCursors = withPage(ended, 1, full('c2'), ROWS)
  assert.equal(countRows(pageCursors, ROWS), 30)
})

test('refetching a page changes nothing if its end has not moved', () => {
  const pageCursors = walk(5)
  assert.equal(withPage(pageCursors, 2, full('c3'), ROWS), pageCursors)
})

test('a page whose end moved drops later cursors and keeps the length', () => {
  const pageCursors = withPage(walk(5), 2, full('other'), ROWS)
  assert.deepEqual(pageCursors.cursors, [null, 'c1', 'c2', 'other'])
  assert.equal(countRows(pageCursors, ROWS), 60)
})

test('only visible pages are loaded', () => {
  assert.deepEqual(pagesToRead(walk(8), { first: 35, last: 52 }, ROWS), [3, 4, 5])
})

test('rows without a known cursor are reached from the nearest known page', () => {
  const pageCursors = withPage(walk(8), 2, full('other'), ROWS)
  assert.deepEqual(pagesToRead(pageCursors, { first: 70, last: 79 }, ROWS), [3])
})
