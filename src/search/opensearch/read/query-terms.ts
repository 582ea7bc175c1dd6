// Looks up the words of a query in the index: document frequencies, and the most common terms of prefixes.

import type { QueryNode } from '../../../ports/search.ts'
import { averageLength } from '../../rank/bm25.ts'
import { listQueryWords, type WordStatistics, wordKey } from '../../rank/word-statistics.ts'
import type { SearchClient } from '../client.ts'
import { cutTerm } from '../document-source.ts'
import { readTermCounts, type SearchResponse, search, searchAll, termCountSearch } from './engine.ts'
import { prefixSearch, readPrefixTerms } from './prefix-terms.ts'

const MAX_PREFIX_TERMS = 20

/** The same for every query, so the engine caches the result. */
const TOTALS = {
  query: { match_all: {} },
  size: 0,
  track_total_hits: true,
  aggs: { length: { sum: { field: 'length' } } },
}

const NOTHING: SearchResponse = { hits: { hits: [] } }

export async function readTotals(client: SearchClient): Promise<{ documents: number; averageLength: number }> {
  return toTotals(await search(client, TOTALS))
}

function toTotals({ hits, aggregations }: SearchResponse): { documents: number; averageLength: number } {
  const documents = hits.total?.value ?? 0
  const sums = aggregations as { length?: { value: number } } | undefined
  return { documents, averageLength: averageLength(sums?.length?.value ?? 0, documents) }
}

export async function readQueryTerms(client: SearchClient, text: QueryNode): Promise<WordStatistics> {
  const words = listQueryWords(text)
  const prefixes = [...new Set(words.filter(({ isPrefix }) => isPrefix).flatMap(({ terms }) => terms))]
  const plain = [...new Set(words.filter(({ isPrefix }) => !isPrefix).flatMap(({ terms }) => terms.map(cutTerm)))]
  const expandPrefixes = prefixes.map((prefix) => prefixSearch('terms', cutTerm(prefix), MAX_PREFIX_TERMS))
  const countPlain = plain.length === 0 ? [] : [termCountSearch(plain)]
  const [total, ...responses] = await searchAll(client, [TOTALS, ...countPlain, ...expandPrefixes])
  const totals = toTotals(total ?? NOTHING)
  const frequencies = readTermCounts(plain, responses[0] ?? NOTHING)
  const expanded = responses.slice(countPlain.length)
  const expansions = new Map(prefixes.map((prefix, i) => [prefix, expanded[i]]))
  const terms = new Map<string, readonly string[]>()
  const documentFrequencies = new Map<string, number>()
  for (const { terms: list, isPrefix } of words) {
    const key = wordKey(list, isPrefix)
    const found = isPrefix ? list.flatMap((prefix) => expansions.get(prefix) ?? []) : []
    const all = isPrefix
      ? found.flatMap((one) => readPrefixTerms(one).terms.map((term) => term.key))
      : list.map(cutTerm)
    terms.set(key, all)
    // Documents with two variants count twice, which hardly changes the rarity.
    const sum = isPrefix
      ? found.reduce((count, { hits }) => count + (hits.total?.value ?? 0), 0)
      : all.reduce((count, term) => count + (frequencies.get(term) ?? 0), 0)
    documentFrequencies.set(key, Math.min(totals.documents, sum))
  }
  return { terms, documentFrequencies, ...totals }
}
