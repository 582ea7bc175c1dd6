import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COLUMN_NAMES, COLUMNS, type ExportRow } from './columns.ts'
import { csvCell, toCsv } from './csv.ts'
import { anyRow } from './testing/arbitrary-rows.ts'
import { joinChunks, sampleRow, stream } from './testing/sample-rows.ts'
import { withParentUrls } from './with-parent-urls.ts'

/** A minimal RFC 4180 reader, independent of the writer. */
function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const field = /"((?:[^"]|"")*)"|[^",\r\n]*/y
    field.lastIndex = at
    const match = field.exec(text)
    if (match === null) throw new Error(`no field at ${at}`)
    record.push(match[1] === undefined ? match[0] : match[1].replaceAll('""', '"'))
    at = field.lastIndex
    if (text.startsWith('\r\n', at)) {
      records.push(record)
      record = []
      at += 2
    } else if (text[at] === ',') at += 1
    else throw new Error(`neither comma nor line end at ${at}`)
  }
  return records
}

const parentUrlOf = (id: number) => `https://example.com/parent/${id}`
const urls = {
  urlsOf: async (_crawlId: string, ids: readonly number[]) => new Map(ids.map((id) => [id, parentUrlOf(id)])),
}
const csvOf = (rows: ExportRow[]) => joinChunks(toCsv(withParentUrls(stream(rows), 'c', urls)))

const DANGEROUS = /^[=+\-@\t\r\0]/

test('a reader gets every cell back, with a quote before anything like a formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 6 }), async (rows) => {
      const [header, ...records] = parseCsv(await csvOf(rows))
      assert.deepEqual(header, COLUMN_NAMES)
      assert.equal(records.length, rows.length)
      for (const [index, row] of rows.entries()) {
        const expected = COLUMNS.map((column) => {
          const parent = row.discoveredFrom === null ? null : parentUrlOf(row.discoveredFrom)
          const value = column.name === 'discovered_from' ? parent : column.value(row)
          return typeof value === 'string' && DANGEROUS.test(value) ? `'${value}` : String(value ?? '')
        })
        assert.deepEqual(records[index], expected)
      }
    }),
  )
})

test('no text cell starts like a formula, and numbers stay numbers', async () => {
  await fc.assert(
    fc.asyncProperty(anyRow, async (row) => {
      const cells = parseCsv(await csvOf([row]))[1] ?? []
      for (const [index, column] of COLUMNS.entries()) {
        if (column.type === 'string') assert.doesNotMatch(cells[index] ?? '', DANGEROUS)
      }
    }),
  )
  assert.equal(csvCell(-5), '-5')
  assert.equal(csvCell('-5'), "'-5")
})

test('lines end in CR LF and unknown values are empty', async () => {
  const text = await csvOf([sampleRow({ title: 'a "b", c' })])
  const hash = '9f86d081884c7d659a2feaa0c55ad015'
  const line = `7,https://example.com/a?b=c&d=e,visited,,2,5,200,text/html,10240,${hash},"a ""b"", c",https://example.com/parent/1,,1,34,192.0.2.1,2026-01-02T03:04:05.006Z,,page,,0,,,,,,,`
  assert.equal(text.split('\r\n')[1], line)
  assert.ok(text.endsWith('\r\n'))
})
