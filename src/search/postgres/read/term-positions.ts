// Reads the positions of query words in a few documents and scores them. Slower than `occurrences`, but it checks
// phrases and scores every field separately.

import { FIELD_WEIGHTS, FIELDS, type Field } from '../../../ports/search.ts'
import type { Queryable, Row } from '../../../store/postgres/query.ts'
import type { QueryLeaf } from '../../query/query-leaves.ts'
import { averageLength, bm25Share, lengthNorm } from '../../rank/bm25.ts'
import { FIELD_PLACES } from '../field-vectors.ts'
import type { CorpusStatistics } from './corpus-statistics.ts'
import { leafIdf } from './score-sql.ts'

export interface TermPositions {
  length: number
  positionsOf(field: Field, word: string): readonly number[]
}

const READ = {
  name: 'index_places',
  text: `select d.page, d.length, v.vector, u.lexeme, u.positions, u.weights::text[] as labels
    from documents d
      cross join lateral (values ('terms', d.terms), ('others', d.others)) as v (vector, value)
      cross join lateral unnest(v.value) as u
    where d.page = any($1::bigint[]) and u.lexeme = any($2::text[])`,
}

export async function readTermPositions(
  db: Queryable,
  pageIds: number[],
  words: string[],
): Promise<Map<number, TermPositions>> {
  const { rows } = await db.query({ ...READ, values: [pageIds, words] })
  const byPage = Map.groupBy(rows, (row) => Number(row['page']))
  return new Map([...byPage].map(([pageId, own]) => [pageId, toTermPositions(own)]))
}

function toTermPositions(rows: Row[]): TermPositions {
  return {
    length: Number(rows[0]?.['length'] ?? 0),
    positionsOf(field, word) {
      const { vector, label } = FIELD_PLACES[field]
      const row = rows.find((one) => one['vector'] === vector && one['lexeme'] === word)
      const [positions, labels] = [row?.['positions'] ?? [], row?.['labels'] ?? []] as [number[], string[]]
      return positions.filter((_, i) => labels[i] === label)
    },
  }
}

export function expandLeaf({ terms, isPrefix }: QueryLeaf, { termsByPrefix }: CorpusStatistics): string[] {
  return isPrefix ? terms.flatMap((term) => termsByPrefix.get(term) ?? []) : terms
}

/** The contribution of each field to the score of the leaf. */
export function scoreByField(
  queryLeaf: QueryLeaf,
  termPositions: TermPositions,
  corpusStatistics: CorpusStatistics,
): Map<Field, number> {
  const words = expandLeaf(queryLeaf, corpusStatistics)
  const fields = queryLeaf.field === null ? FIELDS : [queryLeaf.field]
  const weights = fields.map(
    (field) =>
      FIELD_WEIGHTS[field] * countOccurrences(queryLeaf, words, (word) => termPositions.positionsOf(field, word)),
  )
  const frequency = weights.reduce((sum, weight) => sum + weight, 0)
  const average = averageLength(corpusStatistics.totalTerms, corpusStatistics.documents)
  const norm = lengthNorm(termPositions.length, average)
  const rarity = leafIdf(queryLeaf, corpusStatistics)
  return new Map(fields.map((field, i) => [field, bm25Share(rarity, weights[i] ?? 0, frequency, norm)]))
}

/** Occurrences of the leaf in a field; a NEAR group counts as often as its rarest word. */
function countOccurrences(
  queryLeaf: QueryLeaf,
  words: string[],
  positionsOf: (word: string) => readonly number[],
): number {
  if (queryLeaf.kind === 'any') return words.reduce((sum, word) => sum + positionsOf(word).length, 0)
  if (queryLeaf.kind === 'near') return Math.min(...words.map((word) => positionsOf(word).length))
  const [first = [], ...rest] = words.map(positionsOf)
  const follow = rest.map((positions) => new Set(positions))
  return first.filter((at) => follow.every((positions, i) => positions.has(at + i + 1))).length
}
