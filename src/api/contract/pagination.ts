// Lists come in pages. A cursor is opaque and stays good while rows are added.

import { z } from 'zod'

export const paginationQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().max(500).optional().describe('Of the answer before.'),
})

export function paginated<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Null: there is no more.'),
    total: z.int().min(0).nullable().describe('Null when it would have to be counted.'),
  })
}
