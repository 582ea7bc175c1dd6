import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { migrationFiles } from '../migrations.ts'
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

it('links that were held per page are held one by one, from the page with the least depth', async (t) => {
  const [client] = await connections(t, 1)
  assert.ok(client)
  const files = migrationFiles(import.meta.dirname)
  const last = files.findIndex((file) => file.endsWith('held-urls.sql'))
  for (const file of files.slice(0, last)) await client.query(readFileSync(file, 'utf8'))
  const line = (key: string) => `${key}\ta.test\thttp://a.test/x?${key}\tpage`
  for (const [id, depth] of [
    [1, 5],
    [2, 3],
  ])
    await client.query(
      `insert into urls (crawl, host, id, key, state, rank, depth, hops, attempts, first_seen_at, url)
       values (1, 1, $1, $1, 4, 1, $2, 0, 1, 0, '')`,
      [id, depth],
    )
  const insert = 'insert into held_links (crawl, host, url_id, pattern, found) values (1, 1, $1, $2, $3)'
  await client.query(insert, [1, 'a.test/x?*', [line('7'), line('-9223372036854775808')].join('\n')])
  await client.query(insert, [2, 'a.test/x?*', line('7')])
  await client.query(readFileSync(files[last] ?? '', 'utf8'))
  const { rows } = await client.query('select key::text, url_id::int, generation, found from held_urls order by key')
  assert.deepEqual(rows, [
    { key: '-9223372036854775808', url_id: 1, generation: 0, found: line('-9223372036854775808') },
    { key: '7', url_id: 2, generation: 0, found: line('7') },
  ])
})
