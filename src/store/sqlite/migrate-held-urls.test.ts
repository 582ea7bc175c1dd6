import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { migrationFiles } from '../migrations.ts'

it('links that were held per page are held one by one, from the page with the least depth', () => {
  const db = new DatabaseSync(':memory:')
  const files = migrationFiles(import.meta.dirname)
  const last = files.findIndex((file) => file.endsWith('held-urls.sql'))
  for (const file of files.slice(0, last)) db.exec(readFileSync(file, 'utf8'))
  const insert = db.prepare(
    `insert into urls (id, crawl, key, host, state, rank, depth, hops, attempts, first_seen_at, url)
     values (?, 1, ?, 1, 4, 1, ?, 0, 1, 0, ?)`,
  )
  insert.run(1, 11, 5, 'http://a.test/5')
  insert.run(2, 12, 3, 'http://a.test/3')
  const line = (key: string) => `${key}\ta.test\thttp://a.test/x?${key}"\\\tpage`
  const hold = db.prepare(`insert into held_links (url_id, crawl, pattern, found) values (?, 1, 'a.test/x?*', ?)`)
  hold.run(1, [line('7'), line('-9223372036854775808')].join('\n'))
  hold.run(2, `${line('7')}\tscript`)
  for (const file of files.slice(last)) db.exec(readFileSync(file, 'utf8'))
  const statement = db.prepare('select key, url_id, generation, found from held_urls order by key')
  statement.setReadBigInts(true)
  assert.deepEqual(
    statement.all().map(({ key, url_id, generation, found }) => [key, url_id, generation, found]),
    [
      [-9_223_372_036_854_775_808n, 1n, 0n, line('-9223372036854775808')],
      [7n, 2n, 0n, `${line('7')}\tscript`],
    ],
  )
})
