// Looks up the terms of a query in the index: the expansions of prefixes, and document frequencies.

import type { DatabaseSync } from 'node:sqlite'
import type { QueryNode } from '../../../ports/search.ts'
import { averageLength } from '../../rank/bm25.ts'
import { listQueryWords, validTerms, type WordStatistics, wordKey } from '../../rank/word-statistics.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'

export interface QueryTerms extends WordStatistics {
  /** The query, with too common prefixes replaced by their most common terms. */
  text: QueryNode
  /** Some terms of a prefix are missing. */
  isTruncated: boolean
}

/** FTS5 merges the documents of all terms of a prefix before it returns the first: 0.15 us each (2026-11). */
const MAX_PREFIX_DOCUMENTS = 20_000
/** A more common prefix is replaced by this many terms. */
const MAX_PREFIX_TERMS = 32
/** Terms, and the documents they occur in, scanned to find those; 50 ns per document (2026-11). */
const MAX_SCANNED = { terms: 1000, documents: 60_000 }
/** A word in more documents is counted among the newest documents only; its rarity matters little. */
const MAX_COUNTED = 8192

/** `earlier` has words that were looked up before; the same words are not counted again. */
export function readQueryTerms(db: DatabaseSync, text: QueryNode, earlier?: WordStatistics): QueryTerms {
  const totals = readTotals(db)
  const terms = new Map<string, readonly string[]>()
  const documentFrequencies = new Map<string, number>()
  const tooCommon = new Map<string, string[]>()
  for (const { terms: words, isPrefix } of listQueryWords(text)) {
    const key = wordKey(words, isPrefix)
    if (terms.has(key)) continue
    const expansions = isPrefix ? words.map((prefix) => expandPrefix(db, prefix)) : []
    terms.set(key, isPrefix ? expansions.flatMap(({ list }) => list) : words)
    const having = isPrefix
      ? expansions.reduce((sum, { documents }) => sum + documents, 0)
      : (earlier?.documentFrequencies.get(key) ?? countDocuments(db, words, totals.documents))
    documentFrequencies.set(key, having)
    if (!expansions.every(({ isWhole }) => isWhole))
      tooCommon.set(
        key,
        expansions.flatMap(({ list }) => list.slice(0, MAX_PREFIX_TERMS)),
      )
  }
  const isTruncated = tooCommon.size > 0
  return { text: replacePrefixes(text, tooCommon), terms, documentFrequencies, isTruncated, ...totals }
}

function replacePrefixes(node: QueryNode, byKey: ReadonlyMap<string, string[]>): QueryNode {
  if (byKey.size === 0) return node
  if (node.kind === 'not') return { ...node, part: replacePrefixes(node.part, byKey) }
  if ('parts' in node) return { ...node, parts: node.parts.map((part) => replacePrefixes(part, byKey)) }
  if (node.kind !== 'term' || !node.isPrefix) return node
  const terms = byKey.get(wordKey(validTerms(node.terms), true))
  return terms === undefined ? node : { ...node, isPrefix: false, terms }
}

function readTotals(db: DatabaseSync): { documents: number; averageLength: number } {
  const row = prepareCached(db, 'select documents, terms from totals').get()
  const documents = Number(row?.['documents'])
  return { documents, averageLength: averageLength(Number(row?.['terms']), documents) }
}

/** Terms with this prefix, most common first. `isWhole` means that these are all, and few enough for FTS5 to merge. */
function expandPrefix(db: DatabaseSync, prefix: string): { list: string[]; documents: number; isWhole: boolean } {
  const found: { term: string; count: number }[] = []
  let documents = 0
  const end = prefixUpperBound(prefix)
  // Two variants, because FTS5 scans term by term if the bound is not a plain comparison.
  const statement = prepareCached(
    db,
    `select term, doc from term_rows where term >= ?${end === null ? '' : ' and term < ?'}`,
  )
  let isWhole = true
  for (const { term, doc } of statement.iterate(prefix, ...(end === null ? [] : [end]))) {
    if (found.length >= MAX_SCANNED.terms || (documents > MAX_SCANNED.documents && found.length >= MAX_PREFIX_TERMS)) {
      isWhole = false
      break
    }
    found.push({ term: String(term), count: Number(doc) })
    documents += Number(doc)
  }
  found.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
  return { list: found.map(({ term }) => term), documents, isWhole: isWhole && documents <= MAX_PREFIX_DOCUMENTS }
}

/** The number of documents with any of the terms. Extrapolated from the newest ones if there are very many. */
function countDocuments(db: DatabaseSync, terms: readonly string[], documents: number): number {
  const row = prepareCached(
    db,
    `select count(*) as n, min(id) as oldest
     from (select rowid as id from terms where terms match ? order by rowid desc limit ${MAX_COUNTED})`,
  ).get(terms.map((term) => `"${term}"`).join(' OR '))
  const count = Number(row?.['n'])
  if (count < MAX_COUNTED) return count
  const newer = prepareCached(db, 'select count(*) as n from documents where page_id >= ?').get(Number(row?.['oldest']))
  return Math.round((count / Number(newer?.['n'])) * documents)
}
