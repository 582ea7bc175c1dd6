import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { browseContract } from '../../ports/contracts/browse/browse.contract.ts'
import { LARGE, LARGE_CASES } from '../../ports/contracts/browse/large.contract.ts'
import { FIRST_PAGE } from '../../ports/contracts/testing/browse-site.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../sqlite/store.ts'
import { makeTestStore } from '../testing/sqlite-test-store.ts'
import { openBrowse } from './sqlite.ts'

browseContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))

interface Filled {
  db: DatabaseSync
  crawlId: string
}

/** A store with a crawl of this many URLs, all but the first written directly to the file. */
async function fill(t: TestContext, urls: number): Promise<Filled> {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-browse-'))
  const clock = new ManualClock()
  const store = openStore(dir, { clock, random: () => 0.5, leaseMs: 1000, create: true })
  const { id } = await store.crawls.create({ seeds: [foundUrl('a/0')], settings: TEST_SETTINGS, keySeed: 1 })
  await store.close()
  const db = new DatabaseSync(join(dir, 'store.db'))
  t.after(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  db.exec(
    `insert into urls (crawl, key, host, state, rank, depth, hops, parent, first_seen_at, url)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${urls - 1})
     select 1, n, 1, 2, 2, 1, 0, 1, 0, 'http://a.test/' || n from numbers;
     update crawls set open = ${urls}`,
  )
  return { db, crawlId: id }
}

describe('sqlite: a large crawl', () => {
  for (const [title, run] of Object.entries(LARGE_CASES)) {
    it(title, async (t) => {
      const { db, crawlId } = await fill(t, LARGE)
      const change = async (sql: string) => db.exec(sql)
      await run({ browse: openBrowse(db, Date.now), crawlId, firstId: 1, change, counters: 'crawls' })
    })
  }

  it('hosts that took long to count are not counted again for a while', async (t) => {
    const { db, crawlId } = await fill(t, 11)
    let now = 0
    // With this clock, a pass takes a second.
    const browse = openBrowse(db, () => {
      now += 500
      return now
    })
    const urlsOf = async () => (await browse.hosts(crawlId, { text: null, limit: 1, cursor: null })).hosts[0]?.urls
    assert.equal(await urlsOf(), 11)
    db.exec('delete from urls where id = 11')
    assert.equal(await urlsOf(), 11)
    // Twice as long: until then the earlier result is returned while hosts are counted again.
    now += 60_000
    assert.equal(await urlsOf(), 10)
  })

  it('rows of other crawls do not count as examined', async (t) => {
    const { db, crawlId } = await fill(t, 25_001)
    db.exec('update urls set crawl = 2 where id > 1 and id < 25001')
    const page = await openBrowse(db, Date.now).urls(crawlId, { ...FIRST_PAGE, text: '/25000' })
    assert.deepEqual([page.rows.length, page.nextCursor], [1, null])
  })
})
