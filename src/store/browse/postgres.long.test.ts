import { describe, it } from 'node:test'
import { browseContract } from '../../ports/contracts/browse/browse.contract.ts'
import { LARGE, LARGE_CASES } from '../../ports/contracts/browse/large.contract.ts'
import { addCrawl, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'
import { testPool } from '../testing/test-pool.ts'
import { openBrowse } from './postgres.ts'

browseContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))

describe('postgres: a large crawl', () => {
  for (const [title, run] of Object.entries(LARGE_CASES)) {
    it(title, async (t) => {
      const pool = await testPool(t)
      const crawl = await addCrawl(pool)
      const change = (text: string) => pool.query({ text })
      await change(
        `insert into urls (crawl, id, key, host, state, rank, depth, hops, parent, first_seen_at, url)
         select ${crawl}, n + 1, n, 7, 2, 2, 1, 0, case when n = 0 then null else 1 end, 0, 'http://a.test/' || n
         from generate_series(0, ${LARGE - 1}) n`,
      )
      await change(`insert into counters (crawl, worker, open) values (${crawl}, 'w', ${LARGE})`)
      const browse = openBrowse(pool, Date.now)
      await run({ browse, crawlId: TEST_CRAWL, firstId: 1, change, counters: 'counters' })
    })
  }
})
