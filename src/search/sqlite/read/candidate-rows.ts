// Reads the rows of candidates, and computes values that need nothing but these rows.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { NEAR_BITS } from '../../../ports/pages.ts'
import type { IndexResult } from '../../../ports/search.ts'
import { countFacets, type FacetSource } from '../../rank/facets.ts'
import { type FingerprintHalves, hammingDistance } from '../../rank/fingerprint.ts'
import { prepareCached } from '../prepare-cached.ts'
import type { FilterSql } from './filter-sql.ts'

/** Rows as arrays take half the time of objects. */
export type CandidateRow = [
  pageId: number,
  hostKey: string,
  linkRank: number,
  changedAt: number,
  high: number | null,
  low: number | null,
  lang: string | null,
  url: string,
  title: string,
  length: number,
  bag: Uint8Array,
  contentType?: string | null,
  origin?: string,
]

/** Places in a CandidateRow. */
export const COLUMN = { url: 7, length: 9, bag: 10 } as const

type FacetRow = [lang: string | null, contentType: string | null, origin: string, changedAt: number]

const COLUMNS = 'd.page_id, d.host_key, d.link_rank, d.changed_at, d.print_high, d.print_low, d.lang, d.url, d.title'
const NO_BAG = '0, null'
const FACET_COLUMNS = 'd.content_type, substr(d.url, 1, d.path_start)'

/** Rows in the order of the ids. Documents that are gone, or do not pass the filter, are missing. */
export function readRowsById(
  db: DatabaseSync,
  ids: readonly number[],
  { conditions, wantsFacets }: { conditions: FilterSql; wantsFacets: boolean },
): CandidateRow[] {
  const statement = prepareCached(
    db,
    `select ${COLUMNS}, b.length, b.content${wantsFacets ? `, ${FACET_COLUMNS}` : ''}
     from json_each(?) as j cross join documents d on d.page_id = j.value cross join bags b on b.page_id = j.value
     where ${conditions.sql}`,
  )
  return rowsOf(statement, [JSON.stringify(ids), ...conditions.values])
}

export interface FilteredRowsRequest {
  conditions: FilterSql
  /** An FTS5 expression on the impacts table; null: all documents. */
  match: string | null
  /** Column of documents, highest first. */
  order: 'link_rank' | 'changed_at'
  /** Documents examined, in this order; null: all. */
  scanned: number | null
  limit: number
  wantsFacets: boolean
}

/** Documents that pass a filter, whatever their text. Their bags are not read. */
export function readFilteredRows(db: DatabaseSync, request: FilteredRowsRequest): CandidateRow[] {
  const { conditions, match, order, scanned, limit, wantsFacets } = request
  const documents =
    scanned === null ? 'documents d' : `(select * from documents order by ${order} desc limit ${scanned}) d`
  const source = match === null ? documents : 'impacts cross join documents d on d.page_id = impacts.rowid'
  const statement = prepareCached(
    db,
    `select ${COLUMNS}, ${NO_BAG}${wantsFacets ? `, ${FACET_COLUMNS}` : ''} from ${source}
     where ${match === null ? '' : 'impacts match ? and '}${conditions.sql} order by d.${order} desc limit ?`,
  )
  return rowsOf(statement, [...(match === null ? [] : [match]), ...conditions.values, limit])
}

function rowsOf(statement: StatementSync, values: (string | number | null)[]): CandidateRow[] {
  statement.setReturnArrays(true)
  return statement.all(...values) as unknown as CandidateRow[]
}

export function countRowFacets(rows: readonly CandidateRow[]): NonNullable<IndexResult['facets']> {
  return countFacets(rows.map(toFacetSource))
}

/** Facets of documents that are not read otherwise. */
export function countFacetsById(
  db: DatabaseSync,
  ids: readonly number[],
  conditions: FilterSql,
): NonNullable<IndexResult['facets']> {
  const statement = prepareCached(
    db,
    `select d.lang, ${FACET_COLUMNS}, d.changed_at from json_each(?) as j cross join documents d on d.page_id = j.value
     where ${conditions.sql}`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all(JSON.stringify(ids), ...conditions.values) as unknown as FacetRow[]
  return countFacets(
    rows.map(([lang, contentType, origin, changedAt]) => ({ host: originHost(origin), lang, contentType, changedAt })),
  )
}

function toFacetSource([, , , changedAt, , , lang, , , , , contentType, origin]: CandidateRow): FacetSource {
  return { host: originHost(origin ?? ''), lang, contentType: contentType ?? null, changedAt }
}

/** The origin is `http://host`. */
function originHost(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2)
}

export function rowFingerprint([, , , , high, low]: CandidateRow): FingerprintHalves | null {
  return high === null || low === null ? null : { high, low }
}

/** Undefined if no near-duplicates are requested or the page has no fingerprint; null if the page is not indexed. */
export function readFingerprint(db: DatabaseSync, pageId: number | null): FingerprintHalves | undefined | null {
  if (pageId === null) return undefined
  const row = prepareCached(db, 'select print_high, print_low from documents where page_id = ?').get(pageId)
  if (row === undefined) return null
  const { print_high: high, print_low: low } = row
  return typeof high === 'number' && typeof low === 'number' ? { high, low } : undefined
}

/** The filter preselects near-duplicates; this decides. */
export function isNearTarget(candidateRow: CandidateRow, target: FingerprintHalves | undefined): boolean {
  if (target === undefined) return true
  const fingerprint = rowFingerprint(candidateRow)
  return fingerprint !== null && hammingDistance(fingerprint, target) <= NEAR_BITS
}
