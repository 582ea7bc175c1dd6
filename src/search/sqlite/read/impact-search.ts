// Finds the documents with the highest approximate scores from the impact lists (see impacts.ts). Reads the lists with
// the highest contributions first, and a fixed number of entries at most.

import type { DatabaseSync } from 'node:sqlite'
import { impactTerm, TIERS, tierScore } from '../../rank/impacts.ts'
import type { TermWeight } from '../../rank/scorer.ts'
import { impactListsOf } from './impact-lists.ts'

export interface ImpactRequest {
  terms: readonly TermWeight[]
  /** Only these documents; null: all. */
  among: readonly number[] | null
  /** FTS5 syntax that follows a term; may be empty. */
  restriction: string
  /** Entries of lists that are read. */
  maxEntries: number
  /** Documents in the index. */
  documents: number
}

export interface ApproximateHit {
  pageId: number
  score: number
}

export interface ImpactResult {
  /** Best first. */
  highest(limit: number): ApproximateHit[]
  /** Documents found. */
  size: number
  ids(): number[]
  /** All lists were read to their end. */
  isComplete: boolean
}

interface ImpactList {
  term: string
  score: number
}

/** The other terms, of prefixes or long texts, are ignored: each is sixteen lists. */
const MAX_TERMS = 96

export function findBestByImpact(db: DatabaseSync, request: ImpactRequest): ImpactResult {
  const { among, restriction, maxEntries } = request
  const table = new ScoreTable(among?.length ?? Math.min(maxEntries, request.documents))
  for (const id of among ?? []) table.add(id, 0)
  const impactLists = impactListsOf(db)
  let left = maxEntries
  for (const { term, score } of listsOf(request.terms)) {
    if (left === 0) break
    const ids = impactLists.read(term, restriction, left)
    left -= ids.length
    if (among === null) table.addAll(ids, score)
    else table.addPresent(ids, score)
  }
  const { size } = table
  return { highest: (limit) => table.highest(limit), size, ids: () => table.ids(), isComplete: left > 0 }
}

/** Highest contribution first. Equal terms were typed twice, or belong to two variants. */
function listsOf(terms: readonly TermWeight[]): ImpactList[] {
  const weights = new Map<string, number>()
  for (const { term, weight } of terms) weights.set(term, (weights.get(term) ?? 0) + weight)
  const lists: ImpactList[] = []
  for (const [term, weight] of [...weights].sort(([, a], [, b]) => b - a).slice(0, MAX_TERMS)) {
    for (let tier = 0; tier < TIERS; tier++)
      lists.push({ term: impactTerm(term, tier), score: weight * tierScore(tier) })
  }
  return lists.sort((a, b) => b.score - a.score)
}

const HASH = 0x9e3779b1
const BUCKETS = 2048

/** Scores by document id, above 0. With open addressing, since a Map takes three times as long. */
class ScoreTable {
  readonly #ids: Float64Array
  readonly #scores: Float64Array
  readonly #shift: number
  #size = 0

  constructor(maxDocuments: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(2 * maxDocuments)))
    this.#ids = new Float64Array(1 << bits)
    this.#scores = new Float64Array(1 << bits)
    this.#shift = 32 - bits
  }

  add(id: number, score: number): void {
    const slot = this.#slotOf(id)
    if (this.#ids[slot] === 0) {
      this.#ids[slot] = id
      this.#size += 1
    }
    this.#scores[slot] = (this.#scores[slot] ?? 0) + score
  }

  addAll(ids: ArrayLike<number>, score: number): void {
    for (let i = 0; i < ids.length; i++) this.add(ids[i] ?? 0, score)
  }

  /** Ignores documents that it does not have. */
  addPresent(ids: ArrayLike<number>, score: number): void {
    for (let i = 0; i < ids.length; i++) {
      const slot = this.#slotOf(ids[i] ?? 0)
      if (this.#ids[slot] !== 0) this.#scores[slot] = (this.#scores[slot] ?? 0) + score
    }
  }

  get size(): number {
    return this.#size
  }

  ids(): number[] {
    return Array.from(this.#ids.filter((id) => id !== 0))
  }

  /** Best first; ties by id, newest first. */
  highest(limit: number): ApproximateHit[] {
    const cut = this.#cutScore(limit)
    const best: ApproximateHit[] = []
    for (let slot = 0; slot < this.#ids.length; slot++) {
      const pageId = this.#ids[slot] ?? 0
      const score = this.#scores[slot] ?? 0
      if (pageId !== 0 && score >= cut) best.push({ pageId, score })
    }
    return best.sort((a, b) => b.score - a.score || b.pageId - a.pageId).slice(0, limit)
  }

  /** A score that at least `limit` documents reach, and few more. Found by counting, since sorting all is slow. */
  #cutScore(limit: number): number {
    if (this.#size <= limit) return 0
    let max = 0
    for (const score of this.#scores) if (score > max) max = score
    const counts = new Uint32Array(BUCKETS + 1)
    for (let slot = 0; slot < this.#ids.length; slot++) {
      if (this.#ids[slot] === 0) continue
      const bucket = Math.floor(((this.#scores[slot] ?? 0) / max) * BUCKETS)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
    let reached = 0
    let bucket = BUCKETS + 1
    while (bucket > 0 && reached < limit) reached += counts[--bucket] ?? 0
    return (bucket / BUCKETS) * max
  }

  #slotOf(id: number): number {
    const mask = this.#ids.length - 1
    let slot = Math.imul(id, HASH) >>> this.#shift
    while (this.#ids[slot] !== 0 && this.#ids[slot] !== id) slot = (slot + 1) & mask
    return slot
  }
}
