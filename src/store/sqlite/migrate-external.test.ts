import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { migrationFiles } from '../migrations.ts'

it('data of external crawlers from before the tables existed is found in them', () => {
  const db = new DatabaseSync(':memory:')
  const files = migrationFiles(import.meta.dirname)
  const at = files.findIndex((file) => file.endsWith('0011-outside.sql'))
  for (const file of files.slice(0, at)) db.exec(readFileSync(file, 'utf8'))
  const crawl = '0193a7c2-1111-4222-8333-944444444444'
  const insert = db.prepare('insert into known_requests (key, fingerprint, answer, at) values (?, ?, ?, 5)')
  insert.run('crawler-tasks', '', 's3cret')
  insert.run(`document-${crawl}-17-2`, '', '{"title":"x"}')
  insert.run(':createCrawl:document-1', 'f', '{}')
  db.exec(readFileSync(files[at] ?? '', 'utf8'))
  assert.deepEqual(
    db
      .prepare('select * from outside_documents')
      .all()
      .map((row) => ({ ...row })),
    [{ crawl, url_id: 17, attempts: 2, document: '{"title":"x"}', at: 5 }],
  )
  assert.equal(db.prepare('select secret from outside_secret').get()?.['secret'], 's3cret')
  assert.deepEqual(
    db
      .prepare('select key from known_requests')
      .all()
      .map(({ key }) => key),
    [':createCrawl:document-1'],
  )
  db.close()
})
