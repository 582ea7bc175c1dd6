import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outputWidth, type TableColumn, tableLines } from './table.ts'
import { displayWidth } from './units.ts'

interface Row {
  id: string
  host: string
  urls: number
}

const COLUMNS: TableColumn<Row>[] = [
  { title: 'crawl', align: 'left', value: (row) => row.id, short: (row) => row.id.slice(0, 4) },
  { title: 'host', align: 'left', value: (row) => row.host, isFlexible: true },
  { title: 'urls', align: 'right', value: (row) => String(row.urls), dropAs: 2 },
  { title: 'twice as many', align: 'right', value: (row) => String(row.urls * 2), dropAs: 1 },
]

const ROWS: Row[] = [
  { id: '0123456789', host: 'a-rather-long-name.example.com', urls: 5 },
  { id: '9876543210', host: 'b.example', urls: 12_345 },
]

test('a table that fits shows every column in full', () => {
  assert.deepEqual(tableLines(COLUMNS, ROWS, Number.POSITIVE_INFINITY), [
    'crawl       host                             urls  twice as many',
    '0123456789  a-rather-long-name.example.com      5             10',
    '9876543210  b.example                       12345          24690',
  ])
})

test('if the table is too wide, columns are shortened, then dropped in order, then truncated', () => {
  assert.deepEqual(tableLines(COLUMNS, ROWS, 60), [
    'crawl  host                             urls  twice as many',
    '0123   a-rather-long-name.example.com      5             10',
    '9876   b.example                       12345          24690',
  ])
  assert.deepEqual(tableLines(COLUMNS, ROWS, 34), [
    'crawl  host                   urls',
    '0123   a-rather-long-name.…      5',
    '9876   b.example             12345',
  ])
  assert.deepEqual(tableLines(COLUMNS, ROWS, 20), ['crawl  host', '0123   a-rather-lon…', '9876   b.example'])
})

test('several flexible columns share the width, narrow ones stay whole, and URLs keep their ends', () => {
  const columns: TableColumn<Row>[] = [
    { title: 'from', align: 'left', value: (row) => `http://${row.host}/`, isFlexible: 'url' },
    { title: 'to', align: 'left', value: (row) => `http://${row.host}/page`, isFlexible: 'url' },
    { title: 'host', align: 'left', value: () => 'a.example', isFlexible: true },
  ]
  assert.deepEqual(tableLines(columns, ROWS, 65), [
    'from                        to                          host',
    'http://a…name.example.com/  http://a….example.com/page  a.example',
    'http://b.example/           http://b.example/page       a.example',
  ])
})

test('no line exceeds the width, whatever the cells contain', () => {
  const anyRow = fc.record({ id: fc.string({ unit: 'binary' }), host: fc.string({ unit: 'binary' }), urls: fc.nat() })
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 5 }), fc.integer({ min: 1, max: 200 }), (rows, width) => {
      const lines = tableLines(COLUMNS, rows, width)
      assert.equal(lines.length, rows.length + 1)
      for (const line of lines) assert.ok(displayWidth(line) <= width, line)
    }),
  )
})

test('a terminal has a width, a pipe has none', () => {
  assert.equal(outputWidth({ isTTY: true, columns: 40 }), 40)
  assert.equal(outputWidth({ isTTY: false, columns: 40 }), Number.POSITIVE_INFINITY)
  assert.equal(outputWidth({ isTTY: true, columns: 0 }), Number.POSITIVE_INFINITY)
})
