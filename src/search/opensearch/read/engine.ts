// Requests of searches. They go to the alias, which may have no index yet.

import { AppError } from '../../../lib/errors.ts'
import { isTransientStatus, type SearchClient, SearchEngineError } from '../client.ts'
import type { EngineQuery } from './text-query.ts'

export interface SearchBody {
  query: EngineQuery
  size: number
  [more: string]: unknown
}

export interface EngineHit {
  _source?: Record<string, unknown>
  fields?: { card?: [string] }
}

export interface SearchResponse {
  hits: { total?: { value: number; relation: 'eq' | 'gte' }; hits: EngineHit[] }
  aggregations?: Record<string, unknown>
}

/** A search fails if a shard is unavailable: otherwise it would silently miss documents. */
const OPTIONS = { ignore_unavailable: true, allow_no_indices: true, allow_partial_search_results: false }
const PARAMETERS = Object.entries(OPTIONS)
  .map(([name, value]) => `${name}=${value}`)
  .join('&')

interface FailedSearch {
  status: number
  error: { type?: string; reason?: string }
}

export function search(client: SearchClient, body: SearchBody, parameters = ''): Promise<SearchResponse> {
  return client.send<SearchResponse>('POST', `/${client.prefix}/_search?${PARAMETERS}${parameters}`, body)
}

/** Several searches in one request. */
export async function searchAll(client: SearchClient, bodies: readonly SearchBody[]): Promise<SearchResponse[]> {
  if (bodies.length === 0) return []
  const header = JSON.stringify({ index: client.prefix, ...OPTIONS })
  const lines = bodies.map((body) => `${header}\n${JSON.stringify(body)}\n`).join('')
  type Responses = { responses: (SearchResponse | FailedSearch)[] }
  const { responses } = await client.send<Responses>('POST', '/_msearch', lines)
  return responses.map((response) => ('error' in response ? throwFailed(response) : response))
}

function throwFailed({ status, error: { type = '', reason = '' } }: FailedSearch): never {
  if (isTransientStatus(status)) throw new AppError('SEARCH_AWAY', `The search engine cannot search now: ${reason}`)
  throw new SearchEngineError(status, type, `A search failed: status ${status}, ${type}: ${reason}`)
}

/**
 * Request options of a search for cards. No stored fields: the engine would unpack the text of every document to read
 * its id.
 */
export const CARDS_ONLY = { _source: false, stored_fields: '_none_', docvalue_fields: ['card'] }

/** Number of documents that contain each of these terms. */
export async function countTerms(client: SearchClient, terms: readonly string[]): Promise<Map<string, number>> {
  if (terms.length === 0) return new Map()
  return readTermCounts(terms, await search(client, termCountSearch(terms)))
}

export function termCountSearch(terms: readonly string[]): SearchBody {
  const filters = Object.fromEntries(terms.map((term, i) => [`t${i}`, { term: { terms: term } }]))
  const aggs = { terms: { filters: { filters } } }
  return { query: { match_all: {} }, size: 0, track_total_hits: false, aggs }
}

export function readTermCounts(
  terms: readonly string[],
  { aggregations }: Pick<SearchResponse, 'aggregations'>,
): Map<string, number> {
  const found = aggregations as { terms?: { buckets: Record<string, { doc_count: number }> } } | undefined
  return new Map(terms.map((term, i) => [term, found?.terms?.buckets[`t${i}`]?.doc_count ?? 0]))
}
