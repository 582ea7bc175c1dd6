import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { migrationFiles } from '../migrations.ts'
import { dumpSchema } from './dump-schema.ts'
import { migrate, readPragma, SCHEMA_FILE } from './open.ts'

const ENTRIES = 'select type, name, tbl_name, sql from sqlite_schema order by type, name'

it('schema.sql is up to date: npm run schema', () => {
  assert.equal(readFileSync(SCHEMA_FILE, 'utf8'), dumpSchema())
})

it('a new file has the tables and rows that the migrations make', () => {
  const migrated = new DatabaseSync(':memory:')
  const files = migrationFiles(import.meta.dirname)
  for (const file of files) migrated.exec(readFileSync(file, 'utf8'))
  const created = new DatabaseSync(':memory:')
  migrate(created)
  assert.deepEqual(created.prepare(ENTRIES).all(), migrated.prepare(ENTRIES).all())
  for (const { name } of migrated.prepare("select name from sqlite_schema where type = 'table'").all()) {
    const read = (db: DatabaseSync) => db.prepare(`select * from "${String(name)}"`).all()
    assert.deepEqual(read(created), read(migrated), String(name))
  }
  assert.equal(readPragma(created, 'user_version'), files.length)
  migrated.close()
  created.close()
})
