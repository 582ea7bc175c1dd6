// The way through a long list whose pages are reached by cursors. Only pages that are looked at are loaded; of all others
// the cursor is kept. A cursor stays good while rows are added, so a page that is read anew stays in its place.

export interface Way {
  /** Where each page begins; the first has none. Complete up to the first page that was never reached. */
  cursors: readonly (string | null)[]
  /** How many pages have been seen to exist, also while their cursors have to be found again. */
  reached: number
  /** Rows of the whole list, once its end was seen. */
  rows: number | null
}

export const START: Way = { cursors: [null], reached: 1, rows: null }

export interface PageAnswer {
  items: readonly unknown[]
  next_cursor: string | null
}

/** The way after a page was read. A page that now ends elsewhere makes the cursors behind it void, but not the place. */
export function withPage(way: Way, at: number, answer: PageAnswer, pageRows: number): Way {
  if (answer.next_cursor === null) {
    const rows = at * pageRows + answer.items.length
    if (way.rows === rows && way.reached === at + 1) return way
    return { cursors: way.cursors.slice(0, at + 1), reached: at + 1, rows }
  }
  const isSame = way.cursors[at + 1] === answer.next_cursor
  if (isSame && (way.rows === null || way.reached > at + 1)) return way
  const cursors = isSame ? way.cursors : [...way.cursors.slice(0, at + 1), answer.next_cursor]
  const isBehindEnd = way.reached <= at + 1
  return { cursors, reached: Math.max(way.reached, at + 2), rows: isBehindEnd ? null : way.rows }
}

/** Rows that the list has room for. The last page that was reached but not read counts as full. */
export function rowCount(way: Way, pageRows: number): number {
  return way.rows ?? way.reached * pageRows
}

/** Pages to read for these rows: those whose cursor is known, else the nearest before them, from where the way goes on. */
export function pagesToRead(way: Way, rows: { first: number; last: number }, pageRows: number): number[] {
  const furthest = way.cursors.length - 1
  const from = Math.min(Math.floor(Math.max(0, rows.first) / pageRows), furthest)
  const to = Math.min(Math.floor(Math.max(0, rows.last) / pageRows), furthest)
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
