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

/** No term ends with an asterisk. */
export function termKey(term: string, isPrefix: boolean): string {
  return isPrefix ? `${term}*` : term
}

/** FTS5 merges the documents of all terms of a prefix before it returns the first: 0.15 us each (2026-11). */
const MAX_PREFIX_DOCUMENTS = 20_000
/** A more common prefix is replaced by this many terms. */
const MAX_PREFIX_TERMS = 32
/** Terms, and the documents they occur in, scanned to find those; 50 ns per document (2026-11). */
const MAX_SCANNED = { terms: 1000, documents: 60_000 }
/** Document frequencies are extrapolated from this many of the newest documents, if enough of them match. */
const SAMPLE = 4096
const RELIABLE_COUNT = 32
const MAX_COUNTED = 20_000

export function readQueryTerms(db: DatabaseSync, text: QueryNode): QueryTerms {
  const totals = readTotals(db)
  const terms = new Map<string, readonly string[]>()
  const frequencies = new Map<string, number>()
  const counter = new TermCounter(db, totals.documents)
  let isTruncated = false
  const register = (key: string, list: readonly string[], count: () => number) => {
    if (terms.has(key)) return
    terms.set(key, list)
    frequencies.set(key, count())
  }
  const visit = (node: QueryNode): QueryNode => {
    switch (node.kind) {
      case 'not':
        return { ...node, part: visit(node.part) }
      case 'and':
      case 'or':
        return { ...node, parts: node.parts.map(visit) }
      case 'phrase':
      case 'near':
        for (const term of valid(node.terms)) register(term, [term], () => counter.count(term))
        return node
      case 'term': {
        if (!node.isPrefix) {
          for (const term of valid(node.terms)) register(term, [term], () => counter.count(term))
          return node
        }
        const expansions = valid(node.terms).map((prefix) => ({ prefix, ...expandPrefix(db, prefix) }))
        for (const { prefix, list, documents: sum } of expansions) register(termKey(prefix, true), list, () => sum)
        if (expansions.every(({ isWhole }) => isWhole)) return node
        isTruncated = true
        return { ...node, isPrefix: false, terms: expansions.flatMap(({ list }) => list.slice(0, MAX_PREFIX_TERMS)) }
      }
    }
  }
  return { text: visit(text), terms, documentFrequencies: frequencies, isTruncated, ...totals }
}

function valid(terms: readonly string[]): string[] {
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

/** Counts in bounded time, however common the term is. */
class TermCounter {
  readonly #documents: number
  readonly #since: number
  readonly #sampled
  readonly #all

  constructor(db: DatabaseSync, documents: number) {
    this.#documents = documents
    const row = prepareCached(db, `select id from terms_docsize order by id desc limit 1 offset ${SAMPLE - 1}`).get()
    this.#since = Number(row?.['id'] ?? 0)
    // FTS5 ignores a bound on rowid that is not an integer, hence the cast.
    this.#sampled = prepareCached(
      db,
      'select count(*) as n from terms where terms match ? and rowid >= cast(? as integer)',
    )
    this.#all = prepareCached(
      db,
      `select count(*) as n from (select 1 from terms where terms match ? limit ${MAX_COUNTED})`,
    )
  }

  count(term: string): number {
    const match = `"${term}"`
    const sampled = Number(this.#sampled.get(match, this.#since)?.['n'])
    if (this.#documents <= SAMPLE) return sampled
    if (sampled >= RELIABLE_COUNT) return Math.round((sampled / SAMPLE) * this.#documents)
    return Number(this.#all.get(match)?.['n'])
  }
}
