import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { makeEmptyDatabase } from '../testing/test-database.ts'
import { checkVersion, migrate } from './migrate.ts'

const OPTIONS = { create: true, isForMove: false }

async function connections(t: TestContext, count: number): Promise<pg.Client[]> {
  const { url, drop } = await makeEmptyDatabase()
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  t.after(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await drop()
  })
  return clients
}

it('two processes that open a new database at once create its tables once', async (t) => {
  const clients = await connections(t, 2)
  await Promise.all(clients.map((client) => migrate(client, OPTIONS)))
  for (const client of clients) await checkVersion(client)
})

it('a database of a newer version is rejected and not touched', async (t) => {
  const [client] = await connections(t, 1)
  assert.ok(client)
  await migrate(client, OPTIONS)
  await client.query('update store_version set version = 1000')
  await assert.rejects(migrate(client, OPTIONS), { code: 'DATA_NEWER', message: /schema 1000/ })
  await assert.rejects(checkVersion(client), { code: 'DATA_NEWER' })
})

it('a database of another program is rejected, and so is an empty one unless tables may be created', async (t) => {
  const [client] = await connections(t, 1)
  assert.ok(client)
  await assert.rejects(checkVersion(client), { code: 'DATA_NOT_FOUND' })
  await assert.rejects(migrate(client, { ...OPTIONS, create: false }), { code: 'DATA_NOT_FOUND' })
  await client.query('create table invoices (id integer)')
  await assert.rejects(migrate(client, OPTIONS), { code: 'DATA_FOREIGN', message: /"invoices"/ })
  const { rows } = await client.query(`select to_regclass('crawls') as made`)
  assert.equal(rows[0]?.made, null)
})
