// Pagination of lists. A cursor is opaque and stays valid while rows are added.

import { z } from 'zod'

export const paginationQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().max(500).optional().describe('The next_cursor of the previous response.'),
})

export function paginated<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
    total: z.int().min(0).nullable().describe('Null if counting would be expensive.'),
  })
}
