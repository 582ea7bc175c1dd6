import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'

const ROWS = 1_000_000
const ALLOWED_BYTES = 50_000_000

const FORMATS = {
  jsonl: 'toJsonl(manyRows(ROWS))',
  json: 'toJson(manyRows(ROWS))',
  csv: 'toCsv(withParentUrls(manyRows(ROWS), "c", urls))',
  graphml: 'toGraphml(manyRows(ROWS), manyEdges(ROWS))',
}

// Each measurement runs in its own process: the heap is not shared, and the test runner's hooks would make every await
// four times slower.
function script(chunks: string): string {
  const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  return `
    import { toCsv } from ${at('./csv.ts')}
    import { toGraphml } from ${at('./graphml.ts')}
    import { toJson } from ${at('./json.ts')}
    import { toJsonl } from ${at('./jsonl.ts')}
    import { withParentUrls } from ${at('./with-parent-urls.ts')}
    import { manyEdges, manyRows } from ${at('./testing/sample-rows.ts')}
    const urls = { urlsOf: async (_, ids) => new Map(ids.map((id) => [id, 'https://example.com/' + id])) }
    const ROWS = ${ROWS}
    const heapBytes = () => (gc(), process.memoryUsage().heapUsed)
    const before = heapBytes()
    let highest = before
    let chunkCount = 0
    let chars = 0
    for await (const chunk of ${chunks}) {
      chunkCount += 1
      chars += chunk.length
      if (chunkCount % 500 === 0) highest = Math.max(highest, heapBytes())
    }
    console.log(JSON.stringify({ grownBytes: highest - before, chunkCount, chars }))
  `
}

describe('a million rows', { concurrency: true }, () => {
  for (const [name, chunks] of Object.entries(FORMATS)) {
    test(`as ${name} do not grow the heap`, async () => {
      const args = ['--expose-gc', '--input-type=module', '-e', script(chunks)]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      const { grownBytes, chunkCount, chars } = JSON.parse(stdout)
      assert.ok(chars > 50 * ROWS && chunkCount > chars / 100_000, stdout)
      assert.ok(grownBytes < ALLOWED_BYTES, `grew by ${grownBytes} bytes`)
    })
  }
})
