// The way through a long list whose pages are reached by cursors. Only pages that are looked at are loaded; of all others
// the cursor is kept. A cursor stays good while rows are added, so a page that is read anew stays in its place.

export interface PageCursors {
  /** Where each page begins; the first has none. Complete up to the first page that was never reached. */
  cursors: readonly (string | null)[]
  /** How many pages have been seen to exist, also while their cursors have to be found again. */
  reached: number
  /** Rows of the whole list, once its end was seen. */
  rows: number | null
}

export const FIRST_PAGE: PageCursors = { cursors: [null], reached: 1, rows: null }

export interface PageResponse {
  items: readonly unknown[]
  next_cursor: string | null
}

/** The way after a page was read. A page that now ends elsewhere makes the cursors behind it void, but not the place. */
export function withPage(pageCursors: PageCursors, at: number, answer: PageResponse, pageRows: number): PageCursors {
  if (answer.next_cursor === null) {
    const rows = at * pageRows + answer.items.length
    if (pageCursors.rows === rows && pageCursors.reached === at + 1) return pageCursors
    return { cursors: pageCursors.cursors.slice(0, at + 1), reached: at + 1, rows }
  }
  const isSame = pageCursors.cursors[at + 1] === answer.next_cursor
  if (isSame && (pageCursors.rows === null || pageCursors.reached > at + 1)) return pageCursors
  const cursors = isSame ? pageCursors.cursors : [...pageCursors.cursors.slice(0, at + 1), answer.next_cursor]
  const isBehindEnd = pageCursors.reached <= at + 1
  return { cursors, reached: Math.max(pageCursors.reached, at + 2), rows: isBehindEnd ? null : pageCursors.rows }
}

/** Rows that the list has room for. The last page that was reached but not read counts as full. */
export function countRows(pageCursors: PageCursors, pageRows: number): number {
  return pageCursors.rows ?? pageCursors.reached * pageRows
}

/** Pages to read for these rows: those whose cursor is known, else the nearest before them, from where the way goes on. */
export function pagesToRead(
  pageCursors: PageCursors,
  rows: { first: number; last: number },
  pageRows: number,
): number[] {
  const furthest = pageCursors.cursors.length - 1
  const from = Math.min(Math.floor(Math.max(0, rows.first) / pageRows), furthest)
  const to = Math.min(Math.floor(Math.max(0, rows.last) / pageRows), furthest)
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
