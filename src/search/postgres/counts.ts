// Where the words of a query stand in a few documents, and what they count for there. Slow beside `occurrences`, but it
// knows phrases, and every field by itself.

import { FIELD_WEIGHTS, FIELDS, type Field } from '../../ports/search.ts'
import type { Queryable, Row } from '../../store/postgres/query.ts'
import { B, K1, type Leaf } from '../rank/bm25.ts'
import { idfOf } from './score.ts'
import type { Statistics } from './statistics.ts'
import { PLACES } from './vectors.ts'

/** The positions of the words in a document. */
export interface Places {
  length: number
  of(field: Field, word: string): readonly number[]
}

const READ = {
  name: 'index_places',
  text: `select d.page, d.length, v.vector, u.lexeme, u.positions, u.weights::text[] as labels
    from documents d
      cross join lateral (values ('terms', d.terms), ('others', d.others)) as v (vector, value)
      cross join lateral unnest(v.value) as u
    where d.page = any($1::bigint[]) and u.lexeme = any($2::text[])`,
}

export async function readPlaces(db: Queryable, pageIds: number[], words: string[]): Promise<Map<number, Places>> {
  const { rows } = await db.query({ ...READ, values: [pageIds, words] })
  const byPage = Map.groupBy(rows, (row) => Number(row['page']))
  return new Map([...byPage].map(([pageId, own]) => [pageId, toPlaces(own)]))
}

function toPlaces(rows: Row[]): Places {
  return {
    length: Number(rows[0]?.['length'] ?? 0),
    of(field, word) {
      const { vector, label } = PLACES[field]
      const row = rows.find((one) => one['vector'] === vector && one['lexeme'] === word)
      const [positions, labels] = [row?.['positions'] ?? [], row?.['labels'] ?? []] as [number[], string[]]
      return positions.filter((_, i) => labels[i] === label)
    },
  }
}

export function wordsOf({ terms, isPrefix }: Leaf, { begunBy }: Statistics): string[] {
  return isPrefix ? terms.flatMap((term) => begunBy.get(term) ?? []) : terms
}

/** What each field adds to the score of the leaf. */
export function partsOf(leaf: Leaf, places: Places, statistics: Statistics): Map<Field, number> {
  const words = wordsOf(leaf, statistics)
  const fields = leaf.field === null ? FIELDS : [leaf.field]
  const weights = fields.map((field) => FIELD_WEIGHTS[field] * countIn(leaf, words, (word) => places.of(field, word)))
  const frequency = weights.reduce((sum, weight) => sum + weight, 0)
  const average = Math.max(1, statistics.terms / Math.max(1, statistics.documents))
  const length = K1 * (1 - B + (B * places.length) / average)
  const perWeight = (idfOf(leaf, statistics) * (K1 + 1)) / (frequency + length)
  return new Map(fields.map((field, i) => [field, perWeight * (weights[i] ?? 0)]))
}

/** How often a field has the leaf; of words near each other it is told by the rarest. */
function countIn(leaf: Leaf, words: string[], positionsOf: (word: string) => readonly number[]): number {
  if (leaf.kind === 'any') return words.reduce((sum, word) => sum + positionsOf(word).length, 0)
  if (leaf.kind === 'near') return Math.min(...words.map((word) => positionsOf(word).length))
  const [first = [], ...rest] = words.map(positionsOf)
  const follow = rest.map((positions) => new Set(positions))
  return first.filter((at) => follow.every((positions, i) => positions.has(at + i + 1))).length
}
