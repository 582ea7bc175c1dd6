// The urls of a run in the orders of the dialect, one after the other. It counts from an offset where the native lists
// have cursors, so what comes before the offset is read and passed over.

import { setImmediate } from 'node:timers/promises'
import type { Browse, UrlOrder } from '../../ports/browse.ts'
import type { UrlState } from '../../ports/state.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { updatedAt } from './run-json.ts'

export const RUN_SORTS = ['id', 'visited_at', 'updated_at', 'normalized_url'] as const
export type RunSort = (typeof RUN_SORTS)[number]

export interface SortedRowsRequest {
  crawlId: string
  /** Null: any. */
  states: UrlState[] | null
  sort: RunSort
  isDescending: boolean
  /** About how many will be read. */
  count: number
}

type RowStream = AsyncGenerator<UrlRow, void, undefined>
const MAX_BATCH_ROWS = 10_000
/** Other requests wait no longer than this, and one row. */
const MAX_BLOCKING_MS = 20
const ANY = { reason: null, host: null, depth: null, httpStatus: null, contentType: null, text: null }

/** What was never visited comes last by visited_at, whichever the direction. */
export function readSortedRows(browse: Pick<Browse, 'urls'>, wanted: SortedRowsRequest): RowStream {
  const { sort, isDescending } = wanted
  const walk = (order: UrlOrder, isDown = isDescending) => readAllRows(browse, wanted, order, isDown)
  const visited = () => filterRowStream(walk('visited'), (row) => row.visitedAt !== null)
  const unvisited = (isDown: boolean) => filterRowStream(walk('found', isDown), (row) => row.visitedAt === null)
  switch (sort) {
    case 'id':
      return walk('found')
    case 'normalized_url':
      return walk('url')
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
  let turnedAt = performance.now()
  do {
    const { rows, nextCursor } = await browse.urls(crawlId, { ...ANY, states, order, isDescending, limit, cursor })
    for (const row of rows) {
      yield row
      // What callers do with a row may take long, such as matching patterns against its redirect target.
      if (performance.now() - turnedAt < MAX_BLOCKING_MS) continue
      await setImmediate()
      turnedAt = performance.now()
    }
    cursor = nextCursor
  } while (cursor !== null)
}

async function* filterRowStream(rowStream: RowStream, isWanted: (row: UrlRow) => boolean): RowStream {
  for await (const row of rowStream) if (isWanted(row)) yield row
}

/** The other is not begun before it is needed. */
async function* concatRows(one: RowStream, other: () => RowStream): RowStream {
  yield* one
  yield* other()
}

async function* mergeByUpdatedAt(one: RowStream, other: RowStream, isDescending: boolean): RowStream {
  let [a, b] = [await one.next(), await other.next()]
  while (!(a.done && b.done)) {
    const isOne = b.done || (!a.done && updatedAt(a.value) < updatedAt(b.value) !== isDescending)
    if (isOne && !a.done) {
      yield a.value
      a = await one.next()
    } else if (!b.done) {
      yield b.value
      b = await other.next()
    }
  }
}

/** So many rows that pass, behind the first `offset` of them. */
export async function takePage(
  rowStream: RowStream,
  { offset, limit }: { offset: number; limit: number },
  passes: (row: UrlRow) => boolean,
): Promise<UrlRow[]> {
  const taken: UrlRow[] = []
  let passed = 0
  for await (const row of rowStream) {
    if (!passes(row)) continue
    passed += 1
    if (passed <= offset) continue
    taken.push(row)
    if (taken.length === limit) break
  }
  return taken
}
