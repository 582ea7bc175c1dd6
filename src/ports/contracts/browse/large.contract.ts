// Limits on the cost of browsing many URLs. Implementations provide a crawl of LARGE queued URLs, http://a.test/0
// and on; the first is the parent of all others.

import assert from 'node:assert/strict'
import type { Browse } from '../../browse.ts'
import { FIRST_PAGE } from '../testing/browse-site.ts'

export const LARGE = 101_000

export interface LargeCrawl {
  browse: Browse
  crawlId: string
  firstId: number
  /** Runs a statement on the tables of the store. */
  change(sql: string): Promise<unknown>
  /** The table with the counters. */
  counters: string
}

export const LARGE_CASES: Record<string, (large: LargeCrawl) => Promise<void>> = {
  async 'a selective filter examines 20,000 rows per call, in both directions'({ browse, crawlId }) {
    for (const [isDescending, text] of [
      [false, `test/${LARGE - 1}`],
      [true, 'test/0'],
    ] as const) {
      const found: number[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await browse.urls(crawlId, { ...FIRST_PAGE, isDescending, text, limit: 1, cursor })
        found.push(page.rows.length)
        cursor = page.nextCursor
        if (cursor === null) break
      }
      assert.deepEqual(found, [0, 0, 0, 0, 0, 1])
    }
  },

  async 'problems are found at once, however rare they are'({ browse, crawlId, change }) {
    await change(`update urls set state = 7 where url = 'http://a.test/90000'`)
    const { rows, nextCursor } = await browse.urls(crawlId, { ...FIRST_PAGE, states: ['not_found', 'failed'] })
    assert.deepEqual([rows.map(({ url }) => url), nextCursor], [['http://a.test/90000'], null])
  },

  async 'too many URLs are not sorted'({ browse, crawlId, change, counters }) {
    const query = { ...FIRST_PAGE, order: 'url', limit: 2 } as const
    assert.deepEqual(
      (await browse.urls(crawlId, query)).rows.map(({ url }) => url),
      ['http://a.test/0', 'http://a.test/1'],
    )
    await change(`update ${counters} set excluded = 250000`)
    await assert.rejects(browse.urls(crawlId, query), { code: 'TOO_LARGE' })
    assert.equal((await browse.urls(crawlId, { ...query, order: 'found' })).rows.length, 2)
  },

  async 'inlinks are searched in a bounded number of URLs, and the parent is always included'({
    browse,
    crawlId,
    firstId,
  }) {
    const { nextCursor } = await browse.urls(crawlId, { ...FIRST_PAGE, isDescending: true, limit: 1 })
    const [, last] = nextCursor?.split('.') ?? []
    const story = await browse.urlDetails(crawlId, Number(last))
    assert.equal(story?.inlinks.total, null)
    assert.deepEqual(
      story?.inlinks.items.map(({ id }) => id),
      [firstId],
    )
  },
}
