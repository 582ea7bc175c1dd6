// The cursors of a long paginated list. Only visible pages are loaded; for all others the cursor is kept. Cursors stay
// valid while rows are added, so a refetched page keeps its position.

export interface PageCursors {
  /** The cursor of each page, up to the first page not reached yet. The first page has none. */
  cursors: readonly (string | null)[]
  /** Number of pages known to exist, even if their cursors have to be found again. */
  reached: number
  /** Total number of rows, once the end was reached. */
  rows: number | null
}

export const FIRST_PAGE: PageCursors = { cursors: [null], reached: 1, rows: null }

export interface PageResponse {
  items: readonly unknown[]
  next_cursor: string | null
}

/** The cursors after a page was loaded. If its end has moved, later cursors are dropped but the length is kept. */
export function withPage(pageCursors: PageCursors, at: number, response: PageResponse, pageRows: number): PageCursors {
  if (response.next_cursor === null) {
    const rows = at * pageRows + response.items.length
    if (pageCursors.rows === rows && pageCursors.reached === at + 1) return pageCursors
    return { cursors: pageCursors.cursors.slice(0, at + 1), reached: at + 1, rows }
  }
  const isSame = pageCursors.cursors[at + 1] === response.next_cursor
  if (isSame && (pageCursors.rows === null || pageCursors.reached > at + 1)) return pageCursors
  const cursors = isSame ? pageCursors.cursors : [...pageCursors.cursors.slice(0, at + 1), response.next_cursor]
  const isBehindEnd = pageCursors.reached <= at + 1
  return { cursors, reached: Math.max(pageCursors.reached, at + 2), rows: isBehindEnd ? null : pageCursors.rows }
}

/** Length of the list. The last known page counts as full until it is loaded. */
export function countRows(pageCursors: PageCursors, pageRows: number): number {
  return pageCursors.rows ?? pageCursors.reached * pageRows
}

/** The pages to load for these rows, or the last page with a known cursor, which leads to the next one. */
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
