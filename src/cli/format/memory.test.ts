import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { toCsv } from './csv.ts'
import { toGraphml } from './graphml.ts'
import { toJson } from './json.ts'
import { toJsonl } from './jsonl.ts'
import { manyEdges, manyRows } from './sample.ts'

const ROWS = 1_000_000
const ALLOWED_BYTES = 50_000_000
const CHUNKS_BETWEEN_LOOKS = 1000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}

const FORMATS = {
  jsonl: () => toJsonl(manyRows(ROWS)),
  json: () => toJson(manyRows(ROWS)),
  csv: () => toCsv(manyRows(ROWS)),
  graphml: () => toGraphml(manyRows(ROWS), manyEdges(ROWS)),
}

for (const [name, chunks] of Object.entries(FORMATS)) {
  test(`a million rows as ${name} do not grow the heap`, async () => {
    const before = heapBytes()
    let highest = before
    let seen = 0
    for await (const chunk of chunks()) {
      assert.ok(chunk.length < 100_000)
      seen += 1
      if (seen % CHUNKS_BETWEEN_LOOKS === 0) highest = Math.max(highest, heapBytes())
    }
    assert.ok(seen > 2 * CHUNKS_BETWEEN_LOOKS, `${seen} chunks`)
    assert.ok(highest - before < ALLOWED_BYTES, `grew by ${highest - before} bytes`)
  })
}
