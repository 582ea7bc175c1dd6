// A pool on its own database, for the duration of a test.

import type { TestContext } from 'node:test'
import type pg from 'pg'
import { openPool, STATEMENT_MS } from '../postgres/connect.ts'
import { makeTestDatabase } from './test-database.ts'

export async function testPool(t: TestContext): Promise<pg.Pool> {
  const database = await makeTestDatabase()
  const pool = openPool(database.url, { max: 4, name: 'orbweaver test', isWriting: true, statementMs: STATEMENT_MS })
  t.after(async () => {
    await pool.end()
    await database.drop()
  })
  return pool
}
