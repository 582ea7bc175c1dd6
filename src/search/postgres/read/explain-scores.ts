// The contribution of each field to the score of a hit.

import { FIELDS, type Field } from '../../../ports/search.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import type { QueryLeaf } from '../../query/query-leaves.ts'
import type { CorpusStatistics } from './corpus-statistics.ts'
import { expandLeaf, readTermPositions, scoreByField } from './term-positions.ts'

export type FieldScores = Partial<Record<Field, number>>

export async function explainScores(
  db: Queryable,
  pageIds: number[],
  { leaves, statistics }: { leaves: QueryLeaf[]; statistics: CorpusStatistics },
): Promise<Map<number, FieldScores>> {
  const words = leaves.flatMap((queryLeaf) => expandLeaf(queryLeaf, statistics))
  const positions = await readTermPositions(db, pageIds, words)
  return new Map(
    [...positions].map(([pageId, termPositions]) => {
      const parts = leaves.map((queryLeaf) => scoreByField(queryLeaf, termPositions, statistics))
      const sums = FIELDS.map((field) => [field, parts.reduce((sum, part) => sum + (part.get(field) ?? 0), 0)] as const)
      return [pageId, Object.fromEntries(sums.filter(([, sum]) => sum > 0))]
    }),
  )
}
