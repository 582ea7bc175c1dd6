import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { PageData } from '../../ports/pages.ts'
import { writeTables } from '../../store/sqlite/write-tables.ts'
import type { ExportRow } from './columns.ts'
import { toCsv } from './csv.ts'
import { toJsonl } from './jsonl.ts'
import { toSqlite } from './sqlite.ts'
import { joinChunks, sampleRow, stream } from './testing/sample-rows.ts'
import { withPageData } from './with-page-data.ts'

const DATA: PageData = {
  fields: { price: 9.5, tags: ['a', 'b,c'], title: '=1+1', 'by, hook': ['x', 1] },
  missing: [],
  structured_data: {
    json_ld: [{ '@type': 'Product' }],
    microdata: [],
    rdfa: [],
    open_graph: { 'og:title': ['A "lamp"'] },
    twitter: {},
    feeds: [],
    tables: [],
    problems: [],
  },
}
const RULES = [
  { name: 'price', selector: '.p', type: 'number' },
  { name: 'tags', selector: '.t', many: true },
  { name: 'title', selector: 'h1' },
] as const
const ROWS: ExportRow[] = [sampleRow({ id: 1, url: 'http://a.test/' }), sampleRow({ id: 2, url: 'http://a.test/2' })]

const withData = () =>
  withPageData(stream(ROWS), 'c', {
    dataOfUrls: async (_, urls) => new Map(urls.flatMap(({ id }) => (id === 1 ? [[id, DATA] as const] : []))),
  })

test('JSON lines have fields and structured data, null for pages without', async () => {
  const lines = (await joinChunks(toJsonl(withData())))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PageData)
  assert.deepEqual(
    lines.map(({ fields, structured_data }) => ({ fields, structured_data })),
    [
      { fields: DATA.fields, structured_data: DATA.structured_data },
      { fields: null, structured_data: null },
    ],
  )
})

test('CSV has a column per field: a list as JSON, a formula guarded', async () => {
  const rows = (async function* () {
    for await (const row of withData()) yield { ...row, parentUrl: null }
  })()
  const [head, first, second] = (await joinChunks(toCsv(rows, ['price', 'tags', 'title', 'by, hook']))).split('\r\n')
  assert.ok(head?.endsWith(',provenance,proxy,fields.price,fields.tags,fields.title,"fields.by, hook"'), head)
  assert.ok(first?.endsWith(`,9.5,"[""a"",""b,c""]",'=1+1,"[""x"",1]"`), first)
  assert.ok(second?.endsWith(',,,,'), second)
})

test('a SQLite file has URLs, links, a column per field, and leaves nothing behind', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-export-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const dependencies = { rules: RULES, structuredData: true, hasData: true, scratchFolder: folder, writeTables }
  const chunks = await Array.fromAsync(toSqlite(withData(), stream([{ from: 1, to: 2 }]), dependencies))
  assert.deepEqual(readdirSync(folder), [])
  const file = join(folder, 'crawl.sqlite')
  writeFileSync(file, Buffer.concat(chunks))
  const db = new DatabaseSync(file, { readOnly: true })
  t.after(() => db.close())
  const all = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  assert.deepEqual(all('select id, url, title, depth from urls order by id'), [
    { id: 1, url: 'http://a.test/', title: 'An example', depth: 2 },
    { id: 2, url: 'http://a.test/2', title: 'An example', depth: 2 },
  ])
  assert.deepEqual(all('select * from links'), [{ from_id: 1, to_id: 2 }])
  assert.deepEqual(all('select * from fields'), [
    { _url_id: 1, _url: 'http://a.test/', price: 9.5, tags: '["a","b,c"]', title: '=1+1' },
  ])
  assert.deepEqual(all('select * from hook_fields'), [
    { _url_id: 1, _url: 'http://a.test/', name: 'by, hook', value: '["x",1]' },
  ])
  assert.deepEqual(all(`select json_ld ->> '$[0].@type' as type, open_graph from structured_data`), [
    { type: 'Product', open_graph: '{"og:title":["A \\"lamp\\""]}' },
  ])
})
