// The terms of a query to highlight, each with the words of the query it stands for.

import type { QueryNode } from '../../ports/search.ts'

export interface HighlightTerm {
  /** One bit per word of the query. Variants and synonyms of a word share its bit. */
  words: number
  /** The longest of its variants, which is nearest to what was typed: "parse" for "par", its stem in some language. */
  form: string
}

export interface HighlightTerms {
  terms: ReadonlyMap<string, HighlightTerm>
  prefixes: readonly (readonly [prefix: string, words: number])[]
  /** The bits of all words. */
  allWords: number
}

/** Further words share the last bit. */
const MAX_WORDS = 30
/** A longer one is another word, such as a synonym. */
const MAX_ENDING = 3

export function collectHighlightTerms(node: QueryNode | null): HighlightTerms {
  const bits = new Map<string, number>()
  const prefixes: [string, number][] = []
  const allWords = node === null ? 0 : wordBits(0, countWords(node))
  const add = (part: QueryNode, first: number, count: number): void => {
    switch (part.kind) {
      case 'not':
        return
      case 'and': {
        let next = first
        for (const inner of part.parts) {
          add(inner, next, countWords(inner))
          next += countWords(inner)
        }
        return
      }
      // Either part stands for all its words: "wifi" for both words of "wi-fi".
      case 'or':
        for (const inner of part.parts) add(inner, first, count)
        return
      case 'term':
        for (const term of part.terms) {
          if (part.isPrefix) prefixes.push([term, wordBits(first, count)])
          else addBits(bits, term, wordBits(first, count))
        }
        return
      case 'phrase':
      case 'near':
        for (const [i, term] of part.terms.entries()) {
          const isLast = i === part.terms.length - 1
          addBits(bits, term, wordBits(first + i, isLast ? Math.max(1, count - i) : 1))
        }
    }
  }
  if (node !== null) add(node, 0, countWords(node))
  const terms = new Map([...bits].map(([term, words]) => [term, { words, form: longestForm(term, words, bits) }]))
  return { terms, prefixes, allWords }
}

function addBits(bits: Map<string, number>, term: string, words: number): void {
  bits.set(term, (bits.get(term) ?? 0) | words)
}

function longestForm(term: string, words: number, bits: ReadonlyMap<string, number>): string {
  let longest = term
  for (const [other, otherWords] of bits) {
    const isVariant = otherWords === words && other.startsWith(term) && other.length - term.length <= MAX_ENDING
    if (isVariant && other.length > longest.length) longest = other
  }
  return longest
}

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

/** Each as a number of its own. */
export function bitsOf(bits: number): number[] {
  const all: number[] = []
  for (let rest = bits; rest !== 0; rest &= rest - 1) all.push(rest & -rest)
  return all
}
