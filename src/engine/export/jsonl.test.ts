import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COLUMN_NAMES, COLUMNS } from './columns.ts'
import { toJson } from './json.ts'
import { jsonLine, toJsonl } from './jsonl.ts'
import { anyRow } from './testing/arbitrary-rows.ts'
import { joinChunks, manyRows, sampleRow, stream } from './testing/sample-rows.ts'

const NAMES =
  'id url state reason depth priority http_status content_type content_length content_hash title discovered_from redirect_to attempts fetch_ms ip first_seen_at visited_at kind canonical noindex cname lastmod changefreq sitemap_priority link_rank provenance proxy'

test('the columns have the documented names and order', async () => {
  assert.equal(COLUMN_NAMES.join(' '), NAMES)
  const line = await joinChunks(toJsonl(stream([sampleRow()])))
  assert.equal(Object.keys(JSON.parse(line)).join(' '), NAMES)
})

test('times are ISO 8601 and unknown values are null', async () => {
  const row = JSON.parse(await joinChunks(toJsonl(stream([sampleRow()]))))
  assert.equal(row.first_seen_at, '2026-01-02T03:04:05.006Z')
  assert.equal(row.visited_at, null)
})

test('jsonl and json preserve every row', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 8 }), async (rows) => {
      const expected = rows.map((row) => Object.fromEntries(COLUMNS.map((column) => [column.name, column.value(row)])))
      const lines = (await joinChunks(toJsonl(stream(rows)))).split('\n')
      assert.equal(lines.pop(), '')
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        expected,
      )
      assert.deepEqual(JSON.parse(await joinChunks(toJson(stream(rows)))), expected)
    }),
  )
})

test('no character that controls a terminal or breaks a line is written raw', async () => {
  await fc.assert(
    fc.asyncProperty(anyRow, async (row) => {
      const line = (await joinChunks(toJsonl(stream([row])))).slice(0, -1)
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    }),
  )
  assert.equal(jsonLine({ a: '\u009b\u{e0041}' }), '{"a":"\\u009b\\udb40\\udc41"}\n')
})

test('rows are written in chunks of about 64 KB', async () => {
  const sizes: number[] = []
  for await (const chunk of toJsonl(manyRows(2000))) sizes.push(chunk.length)
  assert.ok(sizes.length > 5)
  for (const size of sizes.slice(0, -1)) assert.ok(size >= 65_536 && size < 70_000, String(size))
})

test('an empty crawl is an empty file and an empty array', async () => {
  assert.equal(await joinChunks(toJsonl(stream([]))), '')
  assert.deepEqual(JSON.parse(await joinChunks(toJson(stream([])))), [])
})
