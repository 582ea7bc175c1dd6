// The Postgres index is as relevant as the SQLite index, and finds the same pages.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { systemClock } from '../../src/lib/clock.ts'
import { makeTestIndex } from '../../src/search/postgres/testing/test-index.ts'
import { openForReading, openForWriting } from '../../src/search/sqlite/open.ts'
import { SqliteIndex } from '../../src/search/sqlite/read/sqlite-index.ts'
import { SqliteFeed } from '../../src/search/sqlite/write/feed.ts'
import { fillIndex } from './fill-index.ts'
import { measureRelevance } from './measure-relevance.ts'

const PAGES = 300
const QUERIES = 50
const LEAST_OVERLAP = 0.8

it('both indexes find pages by titles and phrases, and share 80% of the first ten results', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-relevance-'))
  const db = openForWriting(dir)
  const cluster = await makeTestIndex()
  t.after(async () => {
    db.close()
    rmSync(dir, { recursive: true })
    await cluster.close()
  })
  const none = {
    listAfter: async () => [],
    retentionOf: async () => [],
    history: async () => [],
    newestId: async () => 0,
  }
  await fillIndex(new SqliteFeed({ db, pages: none, clock: systemClock }), 0, PAGES)
  await fillIndex(
    {
      finish: (_token, { pages }) =>
        cluster.write(pages.flatMap((page) => ('document' in page ? [page.document] : []))),
    },
    0,
    PAGES,
  )
  const reading = openForReading(dir) ?? assert.fail('the index is missing')
  const one = await measureRelevance(new SqliteIndex(reading, () => 0), PAGES, QUERIES)
  const other = await measureRelevance(cluster.index, PAGES, QUERIES)
  reading.close()
  assert.ok(other.mrr > 0.95, `mean reciprocal rank ${other.mrr}`)
  assert.ok(other.ndcg10 > 0.95, `nDCG ${other.ndcg10}`)
  const shares = one.found.flatMap((ids, i) => {
    const common = other.found[i]?.filter((id) => ids.includes(id)).length ?? 0
    return ids.length === 0 ? [] : [common / ids.length]
  })
  assert.ok(shares.length > QUERIES / 2)
  const overlap = shares.reduce((sum, share) => sum + share, 0) / shares.length
  assert.ok(overlap >= LEAST_OVERLAP, `overlap ${overlap}`)
})
