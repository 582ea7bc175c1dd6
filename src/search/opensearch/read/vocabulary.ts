// The entry of a term, how many documents have some terms, and titles.

import { BLOCK_BREAK, FIELDS, MAX_PHRASE_COUNT, TERM_PATTERN, type TermEntry } from '../../../ports/search.ts'
import { BagReader } from '../../rank/term-bag.ts'
import type { SearchClient } from '../client.ts'
import { unpackCard } from '../document-card.ts'
import { cutTerm, type StoredDocument, splitTerms, titleKey } from '../document-source.ts'
import { CARDS_ONLY, countTerms, search, searchAll } from './engine.ts'
import { readTotals } from './query-terms.ts'
import { matchPhrase } from './text-query.ts'

/** Documents scanned to find those with the highest frequency. */
const MAX_SCANNED_DOCUMENTS = 2000

export async function readTermEntry(client: SearchClient, text: string, limit: number): Promise<TermEntry | null> {
  if (!TERM_PATTERN.test(text)) return null
  const term = cutTerm(text)
  const query = { term: { terms: term } }
  const [{ documents }, { hits }] = await Promise.all([
    readTotals(client),
    search(client, {
      query,
      size: MAX_SCANNED_DOCUMENTS,
      track_total_hits: true,
      ...CARDS_ONLY,
    }),
  ])
  const reader = new BagReader(new Map([[term, [term]]]))
  const counted = hits.hits.map(({ fields }) => {
    const { page, bag } = unpackCard(fields?.card?.[0] ?? '')
    reader.read(bag)
    return { page, frequency: FIELDS.reduce((sum, _, i) => sum + reader.count(reader.numberOf(term), i), 0) }
  })
  if (counted.length === 0) return null
  const best = counted.sort((a, b) => b.frequency - a.frequency || a.page - b.page).slice(0, limit)
  const pages = best.map(({ page }) => page)
  const stored = await search(client, {
    query: { terms: { page: pages } },
    size: pages.length,
    _source: ['page', 'url', 'fields'],
  })
  const sources = stored.hits.hits.map(({ _source }) => _source as unknown as StoredDocument)
  const entries = sources.sort((a, b) => pages.indexOf(a.page) - pages.indexOf(b.page)).map(toEntry(term))
  return { term, documentFrequency: hits.total?.value ?? 0, documents, entries }
}

function toEntry(term: string): (document: StoredDocument) => TermEntry['entries'][number] {
  return ({ page: pageId, url, fields }) => {
    const all = FIELDS.map((field) => {
      const terms = splitTerms(fields[field])
      return [field, terms.flatMap((one, i) => (one === term ? [i] : []))] as const
    }).filter(([, positions]) => positions.length > 0)
    const frequency = all.reduce((sum, [, positions]) => sum + positions.length, 0)
    return { pageId, url, frequency, positions: Object.fromEntries(all) }
  }
}

export async function countPhrases(
  client: SearchClient,
  phrases: readonly string[][],
  maxOfTerm = MAX_PHRASE_COUNT,
): Promise<number[]> {
  const cut = phrases.map((phrase) => phrase.map(cutTerm))
  const terms = [...new Set(cut.flat())].filter((term) => TERM_PATTERN.test(term) && term !== BLOCK_BREAK)
  const counts = await countTerms(client, terms)
  const rarest = cut.map((phrase) => Math.min(maxOfTerm, ...phrase.map((term) => counts.get(term) ?? 0)))
  const examined = cut.flatMap((phrase, i) => (phrase.length > 1 && (rarest[i] ?? 0) > 0 ? [i] : []))
  const bodies = examined.map((i) => ({
    query: matchPhrase(cut[i] ?? [], null),
    size: 0,
    track_total_hits: MAX_PHRASE_COUNT,
  }))
  const found = await searchAll(client, bodies)
  for (const [n, i] of examined.entries()) rarest[i] = Math.min(MAX_PHRASE_COUNT, found[n]?.hits.total?.value ?? 0)
  return rarest
}

/** Documents per shard whose titles are collected. */
const SAMPLED = 5000

export async function suggestTitles(client: SearchClient, prefix: string, limit: number): Promise<string[]> {
  const terms = { field: 'title', size: limit, order: [{ _count: 'desc' }, { _key: 'asc' }], execution_hint: 'map' }
  const { aggregations } = await search(client, {
    query: { prefix: { title_key: { value: titleKey(prefix) } } },
    size: 0,
    aggs: { sample: { sampler: { shard_size: SAMPLED }, aggs: { titles: { terms } } } },
  })
  const found = aggregations as { sample?: { titles: { buckets: { key: string }[] } } } | undefined
  return (found?.sample?.titles.buckets ?? []).map(({ key }) => key)
}
