import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeEmptyDatabase } from '../testing/test-database.ts'
import { openPool } from './connect.ts'
import { Database, FIRST_REPLAN } from './database.ts'

const TOUCH = {
  name: 'touch',
  text: `with wanted as materialized (select w.id from unnest($1::int[]) as w (id))
    update numbers n set touched = n.touched + 1 from wanted w where n.id = w.id`,
}

it('a statement that was planned while its table was small is planned again when the table has grown', async (t) => {
  const { url, drop } = await makeEmptyDatabase()
  const pool = openPool(url, { name: 'test', isWriting: true, statementMs: 0, max: 1 })
  const database = new Database(pool, { url, random: Math.random, onOutage: () => undefined })
  t.after(async () => {
    await database.close()
    await drop()
  })
  // Only the transactions below cause a new plan.
  await pool.query(`create table numbers (id int primary key, touched int not null default 0)
    with (autovacuum_enabled = off)`)
  await pool.query('insert into numbers values (1), (2), (3)')
  await pool.query('analyze numbers')
  const ids = Array.from({ length: 100 }, (_, i) => i + 1)
  const touch = () => database.transaction((tx) => tx.query({ ...TOUCH, values: [ids] }))
  const readPlan = async () => {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain execute touch('{${ids}}')`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  for (let times = 1; times < FIRST_REPLAN; times++) await touch()
  await pool.query('insert into numbers select generate_series(4, 50000)')
  assert.doesNotMatch(await readPlan(), /Index Cond/, 'every row is read')
  await touch()
  assert.match(await readPlan(), /Index Cond: \(id = w\.id\)/)
})
