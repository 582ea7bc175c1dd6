// The terms of a query to highlight, each with the query words that it represents.

import type { Entity, IndexQuery, QueryNode, SearchFilter } from '../../ports/search.ts'
import { foldAccents } from '../analyse/character-classes.ts'
import { lookUpIndexTerm } from '../analyse/index-terms.ts'
import { nameWords } from '../entity-terms.ts'

export interface HighlightTerms {
  /** One bit per word of the query. Variants and synonyms of a word share its bit. */
  terms: ReadonlyMap<string, number>
  prefixes: readonly (readonly [prefix: string, words: number])[]
  /** The bits of all words. */
  allWords: number
  /** The words as typed. */
  typed: readonly string[]
}

/** Further words share the last bit. */
const MAX_WORDS = 29
const OTHER_WORD = 1 << 30

export type HighlightedQuery = Pick<IndexQuery, 'text' | 'anyWord' | 'words'> & { filter: Pick<SearchFilter, 'names'> }

export function collectHighlightTerms({ text, anyWord, words, filter }: HighlightedQuery): HighlightTerms {
  const parts = [...(text === null ? [] : [text]), ...filter.names.map(toNameNode)]
  const terms = new Map<string, number>()
  const prefixes: [string, number][] = []
  let allWords = 0
  let next = 0
  for (const part of parts) {
    const count = countWords(part)
    addNode(part, { first: next, count }, { terms, prefixes })
    allWords |= wordBits(next, count)
    next += count
  }
  if (anyWord !== null) addOtherTerms(anyWord, terms)
  return { terms, prefixes, allWords, typed: [...words, ...filter.names.flatMap(({ text: name }) => nameWords(name))] }
}

/** Names are found in English only. */
function toNameNode({ text }: Entity): QueryNode {
  return { kind: 'phrase', terms: nameWords(text).map((word) => lookUpIndexTerm(word, 'en')), field: null }
}

interface CollectedTerms {
  terms: Map<string, number>
  prefixes: [string, number][]
}

function addNode(part: QueryNode, { first, count }: { first: number; count: number }, collected: CollectedTerms): void {
  const { terms, prefixes } = collected
  switch (part.kind) {
    case 'not':
      return
    case 'and': {
      let next = first
      for (const inner of part.parts) {
        addNode(inner, { first: next, count: countWords(inner) }, collected)
        next += countWords(inner)
      }
      return
    }
    // Each alternative represents all words: "wifi" both words of "wi-fi".
    case 'or':
      for (const inner of part.parts) addNode(inner, { first, count }, collected)
      return
    case 'term':
      for (const term of part.terms) {
        if (part.isPrefix) prefixes.push([term, wordBits(first, count)])
        else addBits(terms, term, wordBits(first, count))
      }
      return
    case 'phrase':
    case 'near':
      for (const [i, term] of part.terms.entries()) {
        const isLast = i === part.terms.length - 1
        addBits(terms, term, wordBits(first + i, isLast ? Math.max(1, count - i) : 1))
      }
  }
}

/** Terms of the fallback that the query itself lacks count as one word. */
function addOtherTerms(node: QueryNode, terms: Map<string, number>): void {
  if ('parts' in node) for (const part of node.parts) addOtherTerms(part, terms)
  else if ('terms' in node && !(node.kind === 'term' && node.isPrefix)) {
    for (const term of node.terms) if (!terms.has(term)) terms.set(term, OTHER_WORD)
  }
}

function addBits(terms: Map<string, number>, term: string, words: number): void {
  terms.set(term, (terms.get(term) ?? 0) | words)
}

/**
 * The terms to highlight in a language. A stem of the query in another language may be an unrelated word of this one,
 * and a short part of a compound nearly always is: "or" of "executor".
 */
export function termsInLanguage({ terms, typed }: HighlightTerms, lang: string | null): Map<string, number> {
  const own = new Set(typed.flatMap((word) => [foldAccents(word), lookUpIndexTerm(word, lang)]))
  const isUnrelated = (term: string) => SHORT_PART.test(term) || typed.some((word) => isStemOf(term, foldAccents(word)))
  return new Map([...terms].filter(([term]) => typed.length === 0 || own.has(term) || !isUnrelated(term)))
}

/** A stem of the word in some language: it may lack an ending, or have another one. Ideographs have no stems. */
function isStemOf(term: string, word: string): boolean {
  if (term.charCodeAt(0) >= FIRST_HANGUL) return false
  return word.startsWith(term) || (term.startsWith(word) && term.length - word.length <= MAX_ADDED)
}

const SHORT_PART = /^[a-z]{1,2}$/
/** Hangul and ideographs come after all alphabets with stems. */
const FIRST_HANGUL = 0x1100
const MAX_ADDED = 1

function countWords(node: QueryNode): number {
  switch (node.kind) {
    case 'not':
      return 0
    case 'and':
      return node.parts.reduce((sum, part) => sum + countWords(part), 0)
    case 'or':
      return Math.max(...node.parts.map(countWords))
    case 'term':
      return 1
    case 'phrase':
    case 'near':
      return node.terms.length
  }
}

function wordBits(first: number, count: number): number {
  let bits = 0
  for (let word = first; word < first + count; word++) bits |= 1 << Math.min(word, MAX_WORDS)
  return bits
}

export function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Splits bits into numbers with one bit each. */
export function bitsOf(bits: number): number[] {
  const all: number[] = []
  for (let rest = bits; rest !== 0; rest &= rest - 1) all.push(rest & -rest)
  return all
}
