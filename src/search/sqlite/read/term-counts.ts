// The number of documents that contain a term. Counts are kept until the index changes: most words of a query are
// common, and common words take longest to count.

import type { DatabaseSync } from 'node:sqlite'
import { prepareCached } from '../prepare-cached.ts'
import { cachePerVersion } from './versioned-cache.ts'

/** In a larger index, a term with more documents is counted among the newest ones only; its rarity matters little. */
const LARGE_INDEX = 100_000
const MAX_COUNTED = 8192
/** A phrase of common terms is counted in this many of the newest documents. */
const SAMPLE = 4096
const MAX_KEPT = 20_000

export const termCountsOf = cachePerVersion((db) => new TermCounts(db))

class TermCounts {
  readonly #db: DatabaseSync
  readonly #counts = new Map<string, number>()
  /** Counts that stopped at a limit. */
  readonly #lowerBounds = new Map<string, number>()

  #sampleStart: number | null = null

  readonly #documents: number

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#documents = Number(prepareCached(db, 'select documents from totals').get()?.['documents'])
  }

  get #isSmall(): boolean {
    return this.#documents <= LARGE_INDEX
  }

  /** The id of the first of the newest documents. */
  get sampleStart(): number {
    this.#sampleStart ??= Number(
      prepareCached(
        this.#db,
        `select min(id) as id from (select id from terms_docsize order by id desc limit ${SAMPLE})`,
      ).get()?.['id'],
    )
    return this.#sampleStart
  }

  /** Extrapolated from the newest documents if there are very many. */
  count(term: string): number {
    const known = this.#counts.get(term)
    if (known !== undefined) return known
    const count = this.#count(term)
    this.#keep(this.#counts, term, count)
    return count
  }

  /** Counts no further than `limit`. */
  countUpTo(term: string, limit: number): number {
    const known = this.#counts.get(term) ?? this.#lowerBounds.get(term)
    if (known !== undefined && (known >= limit || this.#counts.has(term))) return Math.min(known, limit)
    if (this.#isSmall) return Math.min(this.count(term), limit)
    const statement = prepareCached(
      this.#db,
      'select count(*) as n from (select 1 from terms where terms match ? limit ?)',
    )
    const count = Number(statement.get(`"${term}"`, limit)?.['n'])
    this.#keep(count < limit ? this.#counts : this.#lowerBounds, term, count)
    return count
  }

  /** Counting all documents of a term takes 20 ns each, counting the newest 85 (2026-11). */
  #count(term: string): number {
    const documents = this.#documents
    if (this.#isSmall)
      return Number(prepareCached(this.#db, 'select doc from term_rows where term = ?').get(term)?.['doc'] ?? 0)
    const row = prepareCached(
      this.#db,
      `select count(*) as n, min(id) as oldest
       from (select rowid as id from terms where terms match ? order by rowid desc limit ${MAX_COUNTED})`,
    ).get(`"${term}"`)
    const count = Number(row?.['n'])
    if (count < MAX_COUNTED) return count
    const newer = prepareCached(this.#db, 'select count(*) as n from documents where page_id >= ?').get(
      Number(row?.['oldest']),
    )
    return Math.round((count / Number(newer?.['n'])) * documents)
  }

  #keep(counts: Map<string, number>, term: string, count: number): void {
    if (counts.size >= MAX_KEPT) counts.clear()
    counts.set(term, count)
  }
}
