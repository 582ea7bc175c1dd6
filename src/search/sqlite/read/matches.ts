// The ids of the documents that match a query, newest first, and other orders of them.

import type { DatabaseSync } from 'node:sqlite'
import type { IndexQuery } from '../../../ports/search.ts'
import { combineScore } from '../../rank/score-factors.ts'
import { prepareCached } from '../prepare-cached.ts'
import type { FilterSql } from './filter-sql.ts'
import { readIds } from './read-ids.ts'
import type { ApproximateHit } from './score-table.ts'

export interface Matches {
  ids: number[]
  /** There are no other matches. */
  isComplete: boolean
}

export interface MatchRequest {
  /** An FTS5 expression on the terms table. */
  match: string
  conditions: FilterSql
  /** Matches returned. */
  counted: number
  /** Limit of matches whose filter is checked. */
  scanned: number
}

export function readMatches(db: DatabaseSync, { match, conditions, counted, scanned }: MatchRequest): Matches {
  if (!conditions.hasConditions) {
    const ids = readIds(db, 'select rowid as id from terms where terms match ? order by rowid desc limit ?', [
      match,
      counted + 1,
    ])
    return { ids: ids.slice(0, counted), isComplete: ids.length <= counted }
  }
  // The inner limit bounds the work of a filter that rejects nearly everything.
  const ids = readIds(
    db,
    `select d.page_id as id from (select rowid as match_id from terms where terms match ? order by rowid desc limit ?)
     cross join documents d on d.page_id = match_id where ${conditions.sql} limit ?`,
    [match, scanned, ...conditions.values, counted + 1],
  )
  const isComplete = ids.length <= counted && !hasMoreMatches(db, match, scanned)
  return { ids: ids.slice(0, counted), isComplete }
}

function hasMoreMatches(db: DatabaseSync, match: string, than: number): boolean {
  return readIds(db, 'select rowid as id from terms where terms match ? limit 1 offset ?', [match, than]).length > 0
}

/** The documents that changed last. */
export function orderByChange(db: DatabaseSync, ids: readonly number[], limit: number): number[] {
  return readIds(
    db,
    `select d.page_id as id from json_each(?) as j cross join documents d on d.page_id = j.value
     order by d.changed_at desc, d.page_id desc limit ?`,
    [JSON.stringify(ids), limit],
  )
}

/** Adds what is known about a document besides its text to approximate scores, and sorts by them. */
export function orderByApproximateScore(
  db: DatabaseSync,
  hits: readonly ApproximateHit[],
  query: Pick<IndexQuery, 'sort' | 'now' | 'preferredLang'>,
): number[] {
  const statement = prepareCached(
    db,
    `select d.page_id, d.link_rank, d.lang, d.changed_at from json_each(?) as j cross join documents d on d.page_id = j.value`,
  )
  statement.setReturnArrays(true)
  const textScores = new Map(hits.map(({ pageId, score }) => [pageId, score]))
  const rows = statement.all(JSON.stringify([...textScores.keys()])) as unknown as [
    number,
    number,
    string | null,
    number,
  ][]
  return rows
    .map(([pageId, linkRank, lang, changedAt]) => {
      const document = { linkRank, lang, changedAt, isPartial: false }
      return { pageId, score: combineScore(textScores.get(pageId) ?? 0, document, query).score }
    })
    .sort((a, b) => b.score - a.score || b.pageId - a.pageId)
    .map(({ pageId }) => pageId)
}
