// Streams the URLs of a run in the sort orders of this API. It uses offsets where native lists have cursors, so the rows
// before the offset are read and skipped.

import { setImmediate } from 'node:timers/promises'
import type { UrlState } from '../../lib/states.ts'
import type { Browse, UrlOrder } from '../../ports/browse.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { updatedAt } from './run-json.ts'

export const RUN_SORTS = ['id', 'visited_at', 'updated_at', 'normalized_url'] as const
export type RunSort = (typeof RUN_SORTS)[number]

export interface SortedRowsRequest {
  crawlId: string
  /** Null for any state. */
  states: UrlState[] | null
  sort: RunSort
  isDescending: boolean
  /** Approximate number of rows that will be read. */
  count: number
}

type RowStream = AsyncGenerator<UrlRow, void, undefined>
const MAX_BATCH_ROWS = 10_000
/** Yields to other requests after this time. */
const MAX_BLOCKING_MS = 20
const ANY = { reason: null, host: null, depth: null, httpStatus: null, contentType: null, text: null }

/** When sorted by visited_at, unvisited URLs come last in either direction. */
export function readSortedRows(browse: Pick<Browse, 'urls'>, request: SortedRowsRequest): RowStream {
  const { sort, isDescending } = request
  const readRows = (order: UrlOrder, descending = isDescending) => readAllRows(browse, request, order, descending)
  const visited = () => filterRowStream(readRows('visited'), (row) => row.visitedAt !== null)
  const unvisited = (descending: boolean) =>
    filterRowStream(readRows('found', descending), (row) => row.visitedAt === null)
  switch (sort) {
    case 'id':
      return readRows('found')
    case 'normalized_url':
      return readRows('url')
    case 'visited_at':
      return concatRows(visited(), () => unvisited(false))
    case 'updated_at':
      return mergeByUpdatedAt(visited(), unvisited(isDescending), isDescending)
  }
}

export async function* readAllRows(
  browse: Pick<Browse, 'urls'>,
  { crawlId, states, count }: Pick<SortedRowsRequest, 'crawlId' | 'states' | 'count'>,
  order: UrlOrder,
  isDescending: boolean,
): RowStream {
  const limit = Math.min(MAX_BATCH_ROWS, Math.max(1, count))
  let cursor: string | null = null
  let yieldedAt = performance.now()
  do {
    const { rows, nextCursor } = await browse.urls(crawlId, { ...ANY, states, order, isDescending, limit, cursor })
    for (const row of rows) {
      yield row
      // Callers may spend long on a row, for example on matching patterns against its redirect target.
      if (performance.now() - yieldedAt < MAX_BLOCKING_MS) continue
      await setImmediate()
      yieldedAt = performance.now()
    }
    cursor = nextCursor
  } while (cursor !== null)
}

async function* filterRowStream(rowStream: RowStream, isWanted: (row: UrlRow) => boolean): RowStream {
  for await (const row of rowStream) if (isWanted(row)) yield row
}

/** Starts the second stream only when the first has ended. */
async function* concatRows(first: RowStream, second: () => RowStream): RowStream {
  yield* first
  yield* second()
}

async function* mergeByUpdatedAt(left: RowStream, right: RowStream, isDescending: boolean): RowStream {
  let [a, b] = [await left.next(), await right.next()]
  while (!(a.done && b.done)) {
    const isLeftNext = b.done || (!a.done && updatedAt(a.value) < updatedAt(b.value) !== isDescending)
    if (isLeftNext && !a.done) {
      yield a.value
      a = await left.next()
    } else if (!b.done) {
      yield b.value
      b = await right.next()
    }
  }
}

/** Returns up to `limit` matching rows after the first `offset` matches. */
export async function takePage(
  rowStream: RowStream,
  { offset, limit }: { offset: number; limit: number },
  matches: (row: UrlRow) => boolean,
): Promise<UrlRow[]> {
  const page: UrlRow[] = []
  let matchCount = 0
  for await (const row of rowStream) {
    if (!matches(row)) continue
    matchCount += 1
    if (matchCount <= offset) continue
    page.push(row)
    if (page.length === limit) break
  }
  return page
}

/** Few rows, in the same orders. */
export function sortRows<T extends UrlRow>(rows: readonly T[], sort: RunSort, isDescending: boolean): T[] {
  const sorted = rows.toSorted((a, b) => compareBy(a, b, sort) || a.id - b.id)
  return isDescending ? sorted.toReversed() : sorted
}

function compareBy(a: UrlRow, b: UrlRow, sort: RunSort): number {
  switch (sort) {
    case 'id':
      return 0
    case 'normalized_url':
      return a.url < b.url ? -1 : Number(a.url > b.url)
    case 'visited_at':
      return (a.visitedAt ?? 0) - (b.visitedAt ?? 0)
    case 'updated_at':
      return updatedAt(a) - updatedAt(b)
  }
}
