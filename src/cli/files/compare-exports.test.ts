import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { toJsonl } from '../../engine/export/jsonl.ts'
import { sampleRow, stream } from '../../engine/export/testing/sample-rows.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { compareExports } from './compare-exports.ts'
import { writeChunks } from './write-chunks.ts'

const folder = { dir: '', files: 0 }
before(async () => {
  folder.dir = await mkdtemp(join(tmpdir(), 'orbweaver-compare-'))
})
after(() => rm(folder.dir, { recursive: true, force: true }))

function nextPath(): string {
  folder.files += 1
  return join(folder.dir, `${folder.files}.jsonl`)
}

async function writeExport(rows: Partial<UrlRow>[]): Promise<string> {
  const path = nextPath()
  await writeChunks(toJsonl(stream(rows.map(sampleRow))), path)
  return path
}

async function writeText(text: string): Promise<string> {
  const path = nextPath()
  await writeFile(path, text)
  return path
}

test('the order of URLs, their ids and times do not count as differences', async () => {
  const a = await writeExport([
    { url: 'u1', id: 1 },
    { url: 'u2', id: 2, title: 'two\u2028lines\nand é日' },
  ])
  const b = await writeExport([
    { url: 'u2', id: 9, fetchMs: 1, title: 'two\u2028lines\nand é日' },
    { url: 'u1', ip: null },
  ])
  assert.deepEqual(await compareExports(a, b), {
    totalA: 2,
    totalB: 2,
    onlyA: { count: 0, examples: [] },
    onlyB: { count: 0, examples: [] },
    changed: { count: 0, examples: [] },
  })
})

test('missing, added and changed URLs are counted and explained', async () => {
  const a = await writeExport([{ url: 'gone' }, { url: 'kept' }, { url: 'moved', depth: 1, httpStatus: 200 }])
  const b = await writeExport([{ url: 'moved', depth: 3, httpStatus: null }, { url: 'new' }, { url: 'kept' }])
  const result = await compareExports(a, b)
  assert.deepEqual(result.onlyA, { count: 1, examples: ['gone'] })
  assert.deepEqual(result.onlyB, { count: 1, examples: ['new'] })
  const differences = [
    { column: 'depth', a: 1, b: 3 },
    { column: 'http_status', a: 200, b: null },
  ]
  assert.deepEqual(result.changed, { count: 1, examples: [{ url: 'moved', differences }] })
})

test('only the requested columns are compared', async () => {
  const a = await writeExport([{ url: 'u', title: 'x', depth: 1 }])
  const b = await writeExport([{ url: 'u', title: 'y', depth: 1 }])
  assert.equal((await compareExports(a, b, { columns: ['depth'] })).changed.count, 0)
  assert.equal((await compareExports(a, b, { columns: ['title'] })).changed.count, 1)
})

test('all differences are counted and the first few are listed', async () => {
  const urls = (prefix: string) => Array.from({ length: 30 }, (_, index) => ({ url: `${prefix}${index}` }))
  const a = await writeExport([...urls('a'), ...urls('c')])
  const b = await writeExport([...urls('b'), ...urls('c').map((row) => ({ ...row, depth: 9 }))])
  const result = await compareExports(a, b, { examples: 4 })
  for (const kind of [result.onlyA, result.onlyB, result.changed]) {
    assert.equal(kind.count, 30)
    assert.equal(kind.examples.length, 4)
  }
  assert.equal(result.onlyA.examples[0], 'a0')
  assert.equal(result.changed.examples[3]?.url, 'c3')
})

test('the error about a malformed line names the file and the line', async () => {
  const good = await writeExport([{ url: 'u' }])
  for (const [text, what] of [
    ['{"url":"a"}\n{"url":\n', 'line 2 is not JSON'],
    ['\n\n[1]', 'line 3 is not an object with a `url` field'],
    ['{"url":5}', 'line 1 is not an object with a `url` field'],
    ['null', 'line 1 is not an object with a `url` field'],
    ['{"url":"a"}\n{"url":"a"}', 'line 2 repeats a URL of an earlier line'],
  ] as const) {
    const bad = await writeText(text)
    const expected = { code: 'FILE_UNREADABLE', message: `${bad}, ${what}.` }
    await assert.rejects(compareExports(bad, good), expected)
    await assert.rejects(compareExports(good, bad), expected)
  }
})

test('the error about a missing file names it', async () => {
  const path = join(folder.dir, 'absent.jsonl')
  const expected = { code: 'FILE_UNREADABLE', message: `Cannot read ${path}: there is no such file.` }
  await assert.rejects(compareExports(path, path), expected)
})
