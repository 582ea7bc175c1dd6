import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import pg from 'pg'
import { migrationFiles } from '../migrations.ts'
import { makeEmptyDatabase } from '../testing/test-database.ts'

it('data of external crawlers from before the tables existed is found in them', async (t) => {
  const database = await makeEmptyDatabase()
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  t.after(async () => {
    await db.end()
    await database.drop()
  })
  const files = migrationFiles(import.meta.dirname)
  const at = files.findIndex((file) => file.endsWith('0011-outside.sql'))
  for (const file of files.slice(0, at)) await db.query(readFileSync(file, 'utf8'))
  const crawl = '0193a7c2-1111-4222-8333-944444444444'
  const keys = ['crawler-tasks', `document-${crawl}-17-2`, ':createCrawl:document-1']
  const text = 'insert into known_requests (key, fingerprint, answer, at) select k, $2, $3, 5 from unnest($1::text[]) k'
  await db.query(text, [keys, '', '{}'])
  await db.query(readFileSync(files[at] ?? '', 'utf8'))
  const { rows } = await db.query('select crawl, url_id::int, attempts, document from outside_documents')
  assert.deepEqual(rows, [{ crawl, url_id: 17, attempts: 2, document: '{}' }])
  assert.deepEqual((await db.query('select secret from outside_secret')).rows, [{ secret: '{}' }])
  assert.deepEqual((await db.query('select key from known_requests')).rows, [{ key: ':createCrawl:document-1' }])
})
