// The words of a query as the index has them: what begins as a prefix does, and how many documents have each.

import type { DatabaseSync } from 'node:sqlite'
import { type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { averageLength } from '../../rank/bm25.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'

export interface QueryTerms {
  /** The query, with the commonest terms in place of a beginning that too many documents have. */
  text: QueryNode
  /** By the key of a word: the terms that it stands for. */
  terms: ReadonlyMap<string, readonly string[]>
  /** By the same key: how many documents have one of them, about. */
  documentFrequencies: ReadonlyMap<string, number>
  /** Some terms with a beginning that is asked for are left out. */
  isTruncated: boolean
  documents: number
  /** Terms of a document. */
  averageLength: number
}

/** No term ends with a star. */
export function termKey(term: string, isPrefix: boolean): string {
  return isPrefix ? `${term}*` : term
}

/** FTS5 puts the documents of all terms with a beginning together before it tells the first: 0.15 us each (2026-11). */
const MAX_PREFIX_DOCUMENTS = 20_000
/** Else so many terms are looked for one by one. */
const MAX_PREFIX_TERMS = 32
/** Terms and their documents that are gone through to find those; 50 ns for each document (2026-11). */
const MAX_SCANNED = { terms: 1000, documents: 60_000 }
/** Of so many of the newest documents it is counted how many have a term, when that is enough to tell. */
const SAMPLE = 4096
const RELIABLE_COUNT = 32
const MAX_COUNTED = 20_000

export function readQueryTerms(db: DatabaseSync, text: QueryNode): QueryTerms {
  const totals = readTotals(db)
  const terms = new Map<string, readonly string[]>()
  const having = new Map<string, number>()
  const counter = new TermCounter(db, totals.documents)
  let isCut = false
  const note = (key: string, list: readonly string[], count: () => number) => {
    if (terms.has(key)) return
    terms.set(key, list)
    having.set(key, count())
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
        for (const term of valid(node.terms)) note(term, [term], () => counter.count(term))
        return node
      case 'term': {
        if (!node.isPrefix) {
          for (const term of valid(node.terms)) note(term, [term], () => counter.count(term))
          return node
        }
        const begun = valid(node.terms).map((prefix) => ({ prefix, ...expandPrefix(db, prefix) }))
        for (const { prefix, list, documents: sum } of begun) note(termKey(prefix, true), list, () => sum)
        if (begun.every(({ isWhole }) => isWhole)) return node
        isCut = true
        return { ...node, isPrefix: false, terms: begun.flatMap(({ list }) => list.slice(0, MAX_PREFIX_TERMS)) }
      }
    }
  }
  return { text: visit(text), terms, documentFrequencies: having, isTruncated: isCut, ...totals }
}

function valid(terms: readonly string[]): string[] {
  return terms.filter((term) => TERM_PATTERN.test(term))
}

function readTotals(db: DatabaseSync): { documents: number; averageLength: number } {
  const row = prepareCached(db, 'select documents, terms from totals').get()
  const documents = Number(row?.['documents'])
  return { documents, averageLength: averageLength(Number(row?.['terms']), documents) }
}

/** Terms that begin so, commonest first. Whole: these are all, and few enough for FTS5 to put together. */
function expandPrefix(db: DatabaseSync, prefix: string): { list: string[]; documents: number; isWhole: boolean } {
  const found: { term: string; count: number }[] = []
  let documents = 0
  const end = prefixUpperBound(prefix)
  // In two spellings, for what is not a plain bound FTS5 leaves to be looked at term by term.
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

/** In a bounded time, however common the term. */
class TermCounter {
  readonly #documents: number
  readonly #since: number
  readonly #sampled
  readonly #all

  constructor(db: DatabaseSync, documents: number) {
    this.#documents = documents
    const row = prepareCached(db, `select id from terms_docsize order by id desc limit 1 offset ${SAMPLE - 1}`).get()
    this.#since = Number(row?.['id'] ?? 0)
    // FTS5 passes over a rowid that is no integer, as bound numbers are not.
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
