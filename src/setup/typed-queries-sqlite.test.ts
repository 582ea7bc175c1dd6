import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestIndex } from '../search/sqlite/testing/test-index.ts'
import { typedQueryContract } from '../search/testing/typed-queries.contract.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'

typedQueryContract('sqlite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-search-'))
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  return openTestIndex(dir, store, () => rmSync(dir, { recursive: true }))
})
