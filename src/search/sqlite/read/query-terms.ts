// Looks up the terms of a query in the index: the expansions of prefixes, and document frequencies.

import type { DatabaseSync } from 'node:sqlite'
import type { QueryNode } from '../../../ports/search.ts'
import { averageLength } from '../../rank/bm25.ts'
import { listQueryWords, validTerms, type WordStatistics, wordKey } from '../../rank/word-statistics.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'
import { termCountsOf } from './term-counts.ts'

export interface QueryTerms extends WordStatistics {
  /** The query without terms that no document has, and with the most common terms of prefixes that are too common. */
  text: QueryNode
  /** Some terms of a prefix are missing. */
  isTruncated: boolean
}

/** FTS5 merges the documents of all terms of a prefix before it returns the first: 0.15 us each (2026-11). */
const MAX_PREFIX_DOCUMENTS = 20_000
/** A more common prefix is replaced by this many terms. */
const MAX_PREFIX_TERMS = 32
/** Limits of the scan for terms, and of the documents they occur in; 50 ns per document (2026-11). */
const MAX_SCANNED = { terms: 1000, documents: 60_000 }

export function readQueryTerms(db: DatabaseSync, text: QueryNode): QueryTerms {
  const totals = readTotals(db)
  const counts = termCountsOf(db)
  const terms = new Map<string, readonly string[]>()
  const documentFrequencies = new Map<string, number>()
  const replaced = new Map<string, readonly string[]>()
  let isTruncated = false
  for (const { terms: words, isPrefix } of listQueryWords(text)) {
    const key = wordKey(words, isPrefix)
    if (terms.has(key)) continue
    if (isPrefix) {
      const expansions = words.map((prefix) => expandPrefix(db, prefix))
      terms.set(
        key,
        expansions.flatMap(({ list }) => list),
      )
      documentFrequencies.set(
        key,
        expansions.reduce((sum, { documents }) => sum + documents, 0),
      )
      if (expansions.every(({ isWhole }) => isWhole)) continue
      isTruncated = true
      replaced.set(
        key,
        expansions.flatMap(({ list }) => list.slice(0, MAX_PREFIX_TERMS)),
      )
      continue
    }
    const present = words.filter((term) => counts.count(term) > 0)
    terms.set(key, present)
    // Documents with two variants count twice, which hardly changes the rarity.
    const sum = present.reduce((total, term) => total + counts.count(term), 0)
    documentFrequencies.set(key, Math.min(totals.documents, sum))
    // At least one term, which finds nothing.
    replaced.set(key, present.length === 0 ? words.slice(0, 1) : present)
  }
  return { text: replaceTerms(text, replaced), terms, documentFrequencies, isTruncated, ...totals }
}

function replaceTerms(node: QueryNode, byKey: ReadonlyMap<string, readonly string[]>): QueryNode {
  if (node.kind === 'not') return { ...node, part: replaceTerms(node.part, byKey) }
  if ('parts' in node) return { ...node, parts: node.parts.map((part) => replaceTerms(part, byKey)) }
  if (node.kind !== 'term') return node
  const terms = byKey.get(wordKey(validTerms(node.terms), node.isPrefix))
  return terms === undefined ? node : { ...node, isPrefix: false, terms: [...terms] }
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
