// Terms or words with a prefix. The engine has no list of them, so they are collected from some of the documents that
// have one, and then counted in all.

import type { FacetCount } from '../../../ports/search.ts'
import type { SearchClient } from '../client.ts'
import { type SearchBody, type SearchResponse, search, searchAll } from './engine.ts'

/** Documents per shard whose terms are collected. */
const SAMPLED = 1000

type PrefixField = 'terms' | 'words'

export function prefixSearch(field: PrefixField, prefix: string, limit: number): SearchBody {
  const include = `${prefix.replaceAll(/[.?+*|{}[\]()"\\#@&<>~^$-]/g, '\\$&')}.*`
  // Collecting from the documents, in place of numbering all terms of the index.
  const terms = { field, size: limit, shard_size: 5 * limit, include, execution_hint: 'map' }
  return {
    query: prefix === '' ? { match_all: {} } : { prefix: { [field]: { value: prefix } } },
    size: 0,
    track_total_hits: true,
    aggs: { sample: { sampler: { shard_size: SAMPLED }, aggs: { terms: { terms } } } },
  }
}

interface Sampled {
  sample?: { doc_count: number; terms: { buckets: { key: string; doc_count: number }[] } }
}

/** Terms with the prefix, most common first. */
export function readPrefixTerms({ hits, aggregations }: SearchResponse): { terms: FacetCount[]; isExact: boolean } {
  const { sample } = (aggregations ?? {}) as Sampled
  const terms = (sample?.terms.buckets ?? []).map(({ key, doc_count: count }) => ({ key, count }))
  return { terms, isExact: sample === undefined || sample.doc_count >= (hits.total?.value ?? 0) }
}

export async function findByPrefix(
  client: SearchClient,
  { field, prefix, limit }: { field: PrefixField; prefix: string; limit: number },
): Promise<FacetCount[]> {
  const { terms, isExact } = readPrefixTerms(await search(client, prefixSearch(field, prefix, limit)))
  return sortCounts(isExact ? terms : await countAll(client, field, terms))
}

async function countAll(client: SearchClient, field: PrefixField, terms: FacetCount[]): Promise<FacetCount[]> {
  const bodies = terms.map(({ key }) => ({ query: { term: { [field]: key } }, size: 0, track_total_hits: true }))
  const counted = await searchAll(client, bodies)
  return terms.map(({ key }, i) => ({ key, count: counted[i]?.hits.total?.value ?? 0 }))
}

function sortCounts(counts: FacetCount[]): FacetCount[] {
  return counts.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
}
