import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { makePageWriter, PAGE_REPORT } from '../testing/page-writer.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { PostgresContents } from './postgres-contents.ts'
import { markDamaged, markDamagedInDatabase } from './postgres-damage.ts'

it('a payload repaired by two commits at once is where the first one put it', async (t) => {
  const { pool, addOn, add, visit, pages } = await makePageWriter(t, 3)
  await add(visit(1))
  assert.ok(PAGE_REPORT.position !== null)
  assert.equal(await markDamaged(pool, [PAGE_REPORT.position]), 1)
  const places = [2, 3].map((n) => ({ segment: `s${n}`, offset: n, length: 9 }))
  const connections = await Promise.all([pool.connect(), pool.connect()])
  for (const connection of connections) await connection.query('begin')
  const [first, second] = connections
  await addOn(first, [visit(2, { position: places[0] ?? null })])
  const waiting = addOn(second, [visit(3, { position: places[1] ?? null })])
  await first.query('commit')
  await waiting
  await second.query('commit')
  for (const connection of connections) connection.release()
  for (const n of [1, 2, 3]) assert.deepEqual((await pages.history(`http://a.test/${n}`))[0]?.payload, places[0])
})

it('damage is recorded over its own connection, and a failure to connect is reported', async (t) => {
  const { pool, add, visit } = await makePageWriter(t, 1)
  await add(visit(1))
  assert.ok(PAGE_REPORT.position !== null)
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const url = new URL(database.url)
  url.pathname = '/no-such-database'
  await assert.rejects(markDamagedInDatabase(url.href, [PAGE_REPORT.position]), AppError)
  url.pathname = `/${(await pool.query('select current_database() as name')).rows[0]?.name}`
  assert.equal(await markDamagedInDatabase(url.href, [PAGE_REPORT.position]), 1)
  const wanted = [{ url: 'http://b.test/', digest: PAGE_REPORT.digest, fingerprint: null }]
  assert.equal((await new PostgresContents(pool).find(wanted))[0]?.isDamaged, true)
})
