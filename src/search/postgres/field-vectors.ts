// The terms of a document as tsvectors. A tsvector has four labels, but there are seven fields: the first vector has
// all terms, the second repeats the four smaller fields under separate labels. Positions continue from field to field,
// with a gap in between, so that no phrase spans two fields.

import { BLOCK_BREAK, FIELDS, type Field, type IndexDocument } from '../../ports/search.ts'

export type Label = 'A' | 'B' | 'C' | 'D'

export interface FieldPlace {
  /** `all` is the column `terms`, `small` the column `others`. */
  vector: 'all' | 'small'
  label: Label
}

export const FIELD_PLACES: Readonly<Record<Field, FieldPlace>> = {
  title: { vector: 'all', label: 'A' },
  headings: { vector: 'all', label: 'B' },
  anchors: { vector: 'small', label: 'A' },
  url: { vector: 'small', label: 'B' },
  description: { vector: 'small', label: 'C' },
  boilerplate: { vector: 'small', label: 'D' },
  body: { vector: 'all', label: 'D' },
}

/** Labels must ascend in both vectors: `occurrences` relies on it. */
const ORDER: readonly Field[] = ['title', 'headings', 'anchors', 'url', 'description', 'boilerplate', 'body']

/** Terms with a position, per field; the body gets the rest. */
const MAX_POSITIONS: Readonly<Record<Field, number>> = {
  title: 500,
  headings: 2000,
  anchors: 1000,
  url: 200,
  description: 500,
  boilerplate: 3000,
  body: Number.POSITIVE_INFINITY,
}
/**
 * The last position Postgres supports, used for terms that can be found but not in a phrase. No term has the position
 * before it.
 */
export const NO_POSITION = 16_383
/** Slightly below the limit of Postgres. */
const MAX_VECTOR_BYTES = 900_000
/** Postgres allows lexemes of 2 KB. */
const MAX_TERM = 255

export interface DocumentVectors {
  allFields: string
  smallFields: string
  /** Position of the first term of each field, in the order of FIELDS. */
  starts: number[]
  /** Number of terms over all fields. */
  length: number
}

export function buildVectors(document: Pick<IndexDocument, 'terms'>): DocumentVectors {
  const all = new TsvectorBuilder()
  const small = new TsvectorBuilder()
  const starts = new Map<Field, number>()
  let next = 1
  let length = 0
  for (const field of ORDER) {
    const { vector, label } = FIELD_PLACES[field]
    const end = Math.min(next + MAX_POSITIONS[field], NO_POSITION - 1)
    starts.set(field, next)
    for (const term of split(document.terms[field])) {
      const position = next < end ? next++ : NO_POSITION
      if (term === BLOCK_BREAK) continue
      all.add(term, position, vector === 'small' ? 'C' : label)
      if (vector === 'small') small.add(term, position, label)
      length++
    }
    next++
  }
  const startsInOrder = FIELDS.map((field) => starts.get(field) ?? 0)
  return { allFields: all.text(), smallFields: small.text(), starts: startsInOrder, length }
}

/** The lexeme of the term, in documents and queries. */
export function quoteLexeme(term: string): string {
  return `'${term.slice(0, MAX_TERM)}'`
}

function split(terms: string): string[] {
  return terms === '' ? [] : terms.split(' ')
}

class TsvectorBuilder {
  readonly #positions = new Map<string, string>()
  #bytes = 0

  /** Terms over the size limit are dropped. */
  add(term: string, position: number, label: Label): void {
    if (this.#bytes > MAX_VECTOR_BYTES) return
    const known = this.#positions.get(term)
    this.#bytes += known === undefined ? Buffer.byteLength(term) + 6 : 2
    this.#positions.set(term, known === undefined ? `${position}${label}` : `${known},${position}${label}`)
  }

  text(): string {
    const words: string[] = []
    for (const [term, positions] of this.#positions) words.push(`${quoteLexeme(term)}:${positions}`)
    return words.join(' ')
  }
}
