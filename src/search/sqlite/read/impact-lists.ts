// Reads impact lists: the documents of a tier of a term. Lists are kept in memory until the index changes: reading an
// entry takes 75 ns, and 5 from memory (2026-11). Questions have common words in common, and their lists are the
// longest.

import type { DatabaseSync } from 'node:sqlite'
import { readIds } from './read-ids.ts'
import { cachePerVersion } from './versioned-cache.ts'

/** Entries kept, of four bytes each. */
const MAX_KEPT = 2_000_000
const MAX_ID = 0xffff_ffff

export interface DocumentList {
  /** `terms` has all documents of a term, `impacts` the documents of a tier. */
  table: 'terms' | 'impacts'
  term: string
}

export const impactListsOf = cachePerVersion((db) => new ImpactLists(db))

class ImpactLists {
  readonly #db: DatabaseSync
  readonly #lists = new Map<string, Uint32Array>()
  #kept = 0

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** The newest `limit` documents; null: all. `restriction` is FTS5 syntax that follows the term; may be empty. */
  read({ table, term }: DocumentList, restriction: string, limit: number | null): ArrayLike<number> {
    const key = table === 'impacts' ? term : `${term} ${table}`
    const known = restriction === '' ? this.#lists.get(key) : undefined
    if (known !== undefined) return limit === null ? known : known.subarray(-limit)
    const ids = this.#readIds(table, `"${term}"${restriction}`, limit)
    const isWhole = limit === null || ids.length < limit
    if (restriction === '' && isWhole && (ids.at(-1) ?? 0) <= MAX_ID) this.#keep(key, new Uint32Array(ids))
    return ids
  }

  /** Oldest first. FTS5 takes a third less for a whole list in its own order (2026-11). */
  #readIds(table: DocumentList['table'], match: string, limit: number | null): number[] {
    if (limit === null) return readIds(this.#db, `select rowid as id from ${table} where ${table} match ?`, [match])
    const sql = `select rowid as id from ${table} where ${table} match ? order by rowid desc limit cast(? as integer)`
    return readIds(this.#db, sql, [match, limit]).reverse()
  }

  /** Drops the lists that were kept first. */
  #keep(key: string, ids: Uint32Array): void {
    for (const [oldest, { length }] of this.#lists) {
      if (this.#kept + ids.length <= MAX_KEPT) break
      this.#lists.delete(oldest)
      this.#kept -= length
    }
    this.#lists.set(key, ids)
    this.#kept += ids.length
  }
}
