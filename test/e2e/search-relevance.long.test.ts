import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { systemClock } from '../../src/lib/clock.ts'
import { openForReading, openForWriting } from '../../src/search/sqlite/open.ts'
import { SqliteIndex } from '../../src/search/sqlite/read/sqlite-index.ts'
import { SqliteFeed } from '../../src/search/sqlite/write/feed.ts'
import { fillIndex } from '../relevance/fill-index.ts'
import { measureRelevance } from '../relevance/measure-relevance.ts'

const PAGES = 500

it('pages are found by their titles and by their rare phrases', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-relevance-'))
  const db = openForWriting(dir)
  t.after(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  const none = {
    listAfter: async () => [],
    retentionOf: async () => [],
    history: async () => [],
    newestId: async () => 0,
  }
  await fillIndex(new SqliteFeed({ db, pages: none, clock: systemClock }), 0, PAGES)
  const reading = openForReading(dir)
  assert.ok(reading !== null)
  const { mrr, ndcg10 } = await measureRelevance(new SqliteIndex(reading, () => 0), PAGES, 100)
  reading.close()
  assert.ok(mrr > 0.95, `mean reciprocal rank ${mrr}`)
  assert.ok(ndcg10 > 0.95, `nDCG ${ndcg10}`)
})
