// Looks up the terms of a query in the index: the expansions of prefixes, and document frequencies.

import type { DatabaseSync } from 'node:sqlite'
import { type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { averageLength } from '../../rank/bm25.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'

export interface QueryTerms {
  /** The query, with too common prefixes replaced by their most common terms. */
  text: QueryNode
  /** By word key: the terms it stands for. */
  terms: ReadonlyMap<string, readonly string[]>
  /** By word key: the approximate number of documents with any of its terms. */
  documentFrequencies: ReadonlyMap<string, number>
  /** Some terms of a prefix are missing. */
  isTruncated: boolean
  documents: number
  /** Terms per document. */
  averageLength: number
}

/** Identifies a word of a query: a term, its variants together, or a prefix. No term contains a space or asterisk. */
export function wordKey(terms: readonly string[], isPrefix: boolean): string {
  return isPrefix ? `${terms.join(' ')}*` : terms.join(' ')
}

/** FTS5 merges the documents of all terms of a prefix before it returns the first: 0.15 us each (2026-11). */
const MAX_PREFIX_DOCUMENTS = 20_000
/** A more common prefix is replaced by this many terms. */
const MAX_PREFIX_TERMS = 32
/** Terms, and the documents they occur in, scanned to find those; 50 ns per document (2026-11). */
const MAX_SCANNED = { terms: 1000, documents: 60_000 }
/** A word in more documents is counted among the newest documents only; its rarity matters little. */
const MAX_COUNTED = 8192

export function readQueryTerms(db: DatabaseSync, text: QueryNode): QueryTerms {
  const totals = readTotals(db)
  const terms = new Map<string, readonly string[]>()
  const frequencies = new Map<string, number>()
  let isTruncated = false
  const register = (key: string, list: readonly string[], count: () => number) => {
    if (terms.has(key)) return
    terms.set(key, list)
    frequencies.set(key, count())
  }
  const registerWord = (words: readonly string[]) =>
    register(wordKey(words, false), words, () => countDocuments(db, words, totals.documents))
  const visit = (node: QueryNode): QueryNode => {
    switch (node.kind) {
      case 'not':
        return { ...node, part: visit(node.part) }
      case 'and':
      case 'or':
        return { ...node, parts: node.parts.map(visit) }
      case 'phrase':
      case 'near':
        for (const term of validTerms(node.terms)) registerWord([term])
        return node
      case 'term': {
        const valid = validTerms(node.terms)
        if (valid.length === 0) return node
        if (!node.isPrefix) {
          registerWord(valid)
          return node
        }
        const expansions = valid.map((prefix) => expandPrefix(db, prefix))
        const list = expansions.flatMap((expansion) => expansion.list)
        register(wordKey(valid, true), list, () => expansions.reduce((sum, { documents }) => sum + documents, 0))
        if (expansions.every(({ isWhole }) => isWhole)) return node
        isTruncated = true
        const common = expansions.flatMap((expansion) => expansion.list.slice(0, MAX_PREFIX_TERMS))
        return { ...node, isPrefix: false, terms: common }
      }
    }
  }
  return { text: visit(text), terms, documentFrequencies: frequencies, isTruncated, ...totals }
}

export function validTerms(terms: readonly string[]): string[] {
  return terms.filter((term) => TERM_PATTERN.test(term))
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
