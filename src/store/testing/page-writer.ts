// Writes page versions as a commit would, without a crawl around them.

import type { TestContext } from 'node:test'
import type pg from 'pg'
import type { PageReport } from '../../ports/pages.ts'
import { PostgresPages } from '../pages/postgres.ts'
import { SegmentIds } from '../pages/postgres-segments.ts'
import { type ArchivedVisit, writePages } from '../pages/postgres-write-pages.ts'
import { addCrawl, addUrls } from './crawl-rows.ts'
import { testPool } from './test-pool.ts'

export const PAGE_REPORT: PageReport = {
  digest: '0a'.repeat(32),
  wireBytes: 5_000_000_000,
  hasPayload: true,
  charset: 'utf-8',
  lang: null,
  words: 3,
  position: { segment: 's1', offset: 6_000_000_000, length: 50 },
  description: null,
  keywords: null,
  fingerprint: null,
  resembles: null,
  note: null,
  data: null,
}

/** A crawl with this many visited URLs. */
export async function makePageWriter(t: TestContext, urls: number) {
  const pool = await testPool(t)
  const crawl = await addCrawl(pool)
  const ids = Array.from({ length: urls }, (_, i) => i + 1)
  await addUrls(
    pool,
    crawl,
    ids.map((id) => ({ id, state: 4 })),
  )
  const segmentIds = new SegmentIds()
  let last = 0
  const addOn = (connection: pg.PoolClient, visits: ArchivedVisit[]) =>
    writePages(connection, visits, { segments: segmentIds, nextId: () => ++last })
  const add = async (...visits: ArchivedVisit[]) => {
    const connection = await pool.connect()
    await connection.query('begin')
    const added = addOn(connection, visits)
    await added.then(
      () => connection.query('commit'),
      () => connection.query('rollback'),
    )
    connection.release()
    return added
  }
  const visit = (urlId: number, page: Partial<PageReport> = {}, of = crawl): ArchivedVisit => {
    const about = {
      crawl: of,
      host: 7,
      urlId,
      url: `http://a.test/${urlId}`,
      attempt: 1,
      visitedAt: 3000,
      facts: { contentHash: null, contentType: null, canonical: null, noindex: false },
      expiresAt: 9000,
      isRevisited: false,
    }
    return { ...about, page: { ...PAGE_REPORT, ...page } }
  }
  return { pool, add, addOn, visit, pages: new PostgresPages(pool) }
}
