// The urls of a run in the orders of the dialect, one after the other. It counts from an offset where the native lists
// have cursors, so what comes before the offset is read and passed over.

import { setImmediate } from 'node:timers/promises'
import type { Browse, UrlOrder } from '../../../ports/browse.ts'
import type { UrlState } from '../../../ports/state.ts'
import type { UrlRow } from '../../../ports/urls.ts'
import { updatedAt } from './json.ts'

export const RUN_SORTS = ['id', 'visited_at', 'updated_at', 'normalized_url'] as const
export type RunSort = (typeof RUN_SORTS)[number]

export interface WantedRows {
  crawlId: string
  /** Null: any. */
  states: UrlState[] | null
  sort: RunSort
  isDescending: boolean
  /** About how many will be read. */
  count: number
}

type Rows = AsyncGenerator<UrlRow, void, undefined>
const MAX_PIECE = 10_000
/** Other requests wait no longer than this, and one row. */
const MAX_TURN_MS = 20
const ANY = { reason: null, host: null, depth: null, httpStatus: null, contentType: null, text: null }

/** What was never visited comes last by visited_at, whichever the direction. */
export function rowsInOrder(browse: Pick<Browse, 'urls'>, wanted: WantedRows): Rows {
  const { sort, isDescending } = wanted
  const walk = (order: UrlOrder, isDown = isDescending) => walkRows(browse, wanted, order, isDown)
  const visited = () => only(walk('visited'), (row) => row.visitedAt !== null)
  const unvisited = (isDown: boolean) => only(walk('found', isDown), (row) => row.visitedAt === null)
  switch (sort) {
    case 'id':
      return walk('found')
    case 'normalized_url':
      return walk('url')
    case 'visited_at':
      return oneThenOther(visited(), () => unvisited(false))
    case 'updated_at':
      return merge(visited(), unvisited(isDescending), isDescending)
  }
}

export async function* walkRows(
  browse: Pick<Browse, 'urls'>,
  { crawlId, states, count }: Pick<WantedRows, 'crawlId' | 'states' | 'count'>,
  order: UrlOrder,
  isDescending: boolean,
): Rows {
  const limit = Math.min(MAX_PIECE, Math.max(1, count))
  let cursor: string | null = null
  let turnedAt = performance.now()
  do {
    const { rows, nextCursor } = await browse.urls(crawlId, { ...ANY, states, order, isDescending, limit, cursor })
    for (const row of rows) {
      yield row
      // What callers do with a row may take long, such as matching patterns against its redirect target.
      if (performance.now() - turnedAt < MAX_TURN_MS) continue
      await setImmediate()
      turnedAt = performance.now()
    }
    cursor = nextCursor
  } while (cursor !== null)
}

async function* only(rows: Rows, isWanted: (row: UrlRow) => boolean): Rows {
  for await (const row of rows) if (isWanted(row)) yield row
}

/** The other is not begun before it is needed. */
async function* oneThenOther(one: Rows, other: () => Rows): Rows {
  yield* one
  yield* other()
}

async function* merge(one: Rows, other: Rows, isDescending: boolean): Rows {
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
export async function takeRows(
  rows: Rows,
  { offset, limit }: { offset: number; limit: number },
  passes: (row: UrlRow) => boolean,
): Promise<UrlRow[]> {
  const taken: UrlRow[] = []
  let passed = 0
  for await (const row of rows) {
    if (!passes(row)) continue
    passed += 1
    if (passed <= offset) continue
    taken.push(row)
    if (taken.length === limit) break
  }
  return taken
}
