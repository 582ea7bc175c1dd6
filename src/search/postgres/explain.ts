// What each field adds to the score of a hit.

import { FIELDS, type Field } from '../../ports/search.ts'
import type { Queryable } from '../../store/postgres/query.ts'
import type { Leaf } from '../rank/bm25.ts'
import { partsOf, readPlaces, wordsOf } from './counts.ts'
import type { Statistics } from './statistics.ts'

export type FieldParts = Partial<Record<Field, number>>

export async function explain(
  db: Queryable,
  pageIds: number[],
  { leaves, statistics }: { leaves: Leaf[]; statistics: Statistics },
): Promise<Map<number, FieldParts>> {
  const words = leaves.flatMap((leaf) => wordsOf(leaf, statistics))
  const places = await readPlaces(db, pageIds, words)
  return new Map(
    [...places].map(([pageId, own]) => {
      const parts = leaves.map((leaf) => partsOf(leaf, own, statistics))
      const sums = FIELDS.map((field) => [field, parts.reduce((sum, part) => sum + (part.get(field) ?? 0), 0)] as const)
      return [pageId, Object.fromEntries(sums.filter(([, sum]) => sum > 0))]
    }),
  )
}
