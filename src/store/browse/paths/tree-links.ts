// The links among the URLs of a path tree, by position: read once, so that links between groups can be counted for any
// groups.

import type { BrowseDb } from '../browse-db.ts'
import { KeyTable } from '../graph/key-table.ts'
import { findPosition } from './build-path-tree.ts'
import type { PathTree } from './path-tree.ts'

/** Four bytes each. */
const MAX_LINKS = 5_000_000
const BATCH_ROWS = 2000

export interface TreeLinks {
  /** Index in `targets` of each URL's first link; the last entry is the number of links. */
  starts: Uint32Array
  targets: Uint32Array
  /** Links that lead to each URL. */
  inlinks: Uint32Array
  isWhole: boolean
}

/** Links of a page to itself are skipped. */
export async function readTreeLinks(db: BrowseDb, crawl: number, { urls }: PathTree): Promise<TreeLinks> {
  const { dialect } = db
  const text = `select u.id, l.targets
    from (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_ROWS}) u
    left join links l on ${dialect.ofUrl('l')} order by u.id`
  const table = new KeyTable(urls.ids.length)
  for (let i = 0; i < urls.ids.length; i++) table.set(urls.keyLow[i] ?? 0, urls.keyHigh[i] ?? 0, i)
  const starts = new Uint32Array(urls.ids.length + 1)
  const inlinks = new Uint32Array(urls.ids.length)
  const targets = new GrowingList()
  const end = urls.ids.at(-1) ?? 0
  let read = 0
  let isWhole = true
  for (let last = 0; last < end && isWhole; ) {
    const rows = await db.tuples(text, [crawl, last])
    for (const [id, keys] of rows) {
      const at = findPosition(urls.ids, Number(id))
      if (at === -1 || keys === null) continue
      // URLs without links have the same start as the next one.
      while (read <= at) starts[read++] = targets.length
      for (const to of table.positions(keys as Uint8Array)) {
        if (to === at) continue
        targets.push(to)
        inlinks[to] = (inlinks[to] ?? 0) + 1
      }
    }
    isWhole = targets.length < MAX_LINKS
    if (rows.length < BATCH_ROWS) break
    last = Number(rows.at(-1)?.[0])
  }
  while (read < starts.length) starts[read++] = targets.length
  return { starts, targets: targets.finish(), inlinks, isWhole }
}

/** Numbers in a typed array that doubles as it grows. */
class GrowingList {
  #numbers = new Uint32Array(1024)
  length = 0

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  finish(): Uint32Array {
    return this.#numbers.slice(0, this.length)
  }
}
