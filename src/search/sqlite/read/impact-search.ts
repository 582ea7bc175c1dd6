// Finds the documents with the highest approximate scores from the impact lists (see impacts.ts). Reads the lists with
// the highest contributions first, and a fixed number of entries at most. Stops earlier when no document that is only
// in the remaining lists can be among the best: on questions over 31,572 pages, the first ten hits share .996 with a
// search that reads on (2026-11).

import type { DatabaseSync } from 'node:sqlite'
import { impactTerm, TIERS, tierScore } from '../../rank/impacts.ts'
import type { TermWeight } from '../../rank/scorer.ts'
import { prepareCached } from '../prepare-cached.ts'
import { type DocumentList, impactListsOf } from './impact-lists.ts'
import { type ApproximateHit, ScoreTable } from './score-table.ts'
import { termCountsOf } from './term-counts.ts'

export interface ImpactRequest {
  terms: readonly TermWeight[]
  /** Restricts the search to these documents; null for all. */
  among: readonly number[] | null
  /** FTS5 syntax that follows a term; may be empty. */
  restriction: string
  /** Entries of lists that are read. */
  maxEntries: number
  /** The number of best documents for which it may stop early; more of them take the remaining lists too. Null: never. */
  wanted: number | null
  /** Documents in the index. */
  documents: number
}

export interface ImpactResult {
  /** Best first. */
  highest(limit: number): ApproximateHit[]
  /** Documents found before it stopped. */
  size: number
  ids(): number[]
  /** All lists were read to their end. */
  isComplete: boolean
}

interface ScoredList extends DocumentList {
  /** The term without its tier. */
  word: string
  score: number
}

/** Other terms, such as those of prefixes or long texts, are ignored: each is sixteen lists. */
const MAX_TERMS = 96
/**
 * A term with fewer documents is read as one list: its documents are scored exactly anyway, and a list takes 20 us before
 * its first entry (2026-11).
 */
const RARE = 64
/** The tier that documents of a rare term count for, high enough that none is missed. */
const RARE_TIER = 11

/** The stop condition examines all documents found so far, so it is not checked after every list. */
const ENTRIES_PER_CHECK = 8192

export function findBestByImpact(db: DatabaseSync, request: ImpactRequest): ImpactResult {
  const { among, restriction, maxEntries, documents, wanted } = request
  const table = new ScoreTable(among?.length ?? Math.min(maxEntries, documents), newestId(db))
  if (among !== null) table.addAll(among, 0)
  const impactLists = impactListsOf(db)
  const lists = listsOf(request.terms, termCountsOf(db))
  const unreadScores = wanted === null ? [] : sumHighestFrom(lists)
  let next = 0
  let left = maxEntries
  const readLists = (stopsFor: number | null) => {
    let checkedAt = maxEntries
    for (; next < lists.length && left > 0; next++) {
      if (stopsFor !== null && checkedAt - left >= ENTRIES_PER_CHECK) {
        checkedAt = left
        if (table.cutScore(stopsFor) > (unreadScores[next] ?? 0)) return
      }
      const list = lists[next] ?? NO_LIST
      // No list has more entries than there are documents.
      const ids = impactLists.read(list, restriction, documents > left ? left : null)
      left -= ids.length
      if (among === null) table.addAll(ids, list.score)
      else table.addPresent(ids, list.score)
    }
  }
  readLists(wanted)
  const { size } = table
  return {
    highest(limit) {
      if (wanted !== null && limit > wanted) readLists(null)
      return table.highest(limit)
    },
    size,
    ids() {
      readLists(null)
      return table.ids()
    },
    isComplete: next === lists.length && left > 0,
  }
}

function newestId(db: DatabaseSync): number {
  return Number(prepareCached(db, 'select max(id) as id from terms_docsize').get()?.['id'] ?? 0)
}

const NO_LIST: ScoredList = { table: 'terms', term: '', word: '', score: 0 }

/** For each list: the highest score of a document that is in no earlier list. */
function sumHighestFrom(lists: readonly ScoredList[]): number[] {
  const highest = new Map<string, number>()
  let sum = 0
  const sums = lists.toReversed().map(({ word, score }) => {
    sum += score - (highest.get(word) ?? 0)
    highest.set(word, score)
    return sum
  })
  return sums.reverse()
}

/** Highest contribution first. Equal terms were typed twice, or belong to two variants. */
function listsOf(terms: readonly TermWeight[], counts: { count(term: string): number }): ScoredList[] {
  const weights = new Map<string, number>()
  for (const { term, weight } of terms) weights.set(term, (weights.get(term) ?? 0) + weight)
  const lists: ScoredList[] = []
  for (const [term, weight] of [...weights].sort(([, a], [, b]) => b - a).slice(0, MAX_TERMS)) {
    if (counts.count(term) < RARE) {
      lists.push({ table: 'terms', term, word: term, score: weight * tierScore(RARE_TIER) })
      continue
    }
    for (let tier = 0; tier < TIERS; tier++)
      lists.push({ table: 'impacts', term: impactTerm(term, tier), word: term, score: weight * tierScore(tier) })
  }
  return lists.sort((a, b) => b.score - a.score)
}
