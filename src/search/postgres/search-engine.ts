// The engine that has the documents of the store.

import { AppError } from '../../lib/errors.ts'
import type { Queryable } from '../../store/postgres/query.ts'

const IS_ELSEWHERE = { name: 'index_is_elsewhere', text: 'select 1 from search_engine' }

/** Fails if a search engine has them. */
export async function assertInTables(db: Queryable): Promise<void> {
  if ((await db.query(IS_ELSEWHERE)).rows.length === 0) return
  throw new AppError(
    'INDEX_ELSEWHERE',
    'The index of this store is in a search engine. Name it with --search, or build the index in Postgres: orbweaver index rebuild.',
  )
}
