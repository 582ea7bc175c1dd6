// Rows for tests of readers: a crawl as it would be after some visits.

import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Queryable } from '../postgres/query.ts'

export const TEST_CRAWL = '6f1c2a34-0000-4000-8000-000000000001'

/** A crawl with one host a.test, whose id is 7. Returns the row id of the crawl. */
export async function addCrawl(db: Queryable, uuid = TEST_CRAWL, status = 'running'): Promise<number> {
  await db.query({ text: `insert into hosts (id, name, gap_ms) values (7, 'a.test', 250) on conflict do nothing` })
  const { rows } = await db.query({
    text: `insert into crawls (uuid, status, root_url, seeds, settings, key_seed, created_at)
           values ($1, $2, 'http://a.test/', '["http://a.test/"]', $3, 1, 1000) returning id`,
    values: [uuid, status, JSON.stringify(TEST_SETTINGS)],
  })
  const crawl = Number(rows[0]?.['id'])
  await db.query({ text: `insert into queues (crawl, host, rank, due_at) values ($1, 7, 1, 0)`, values: [crawl] })
  return crawl
}

export interface TestUrl {
  id: number
  /** Codes of lib/states.ts, counted from 2. */
  state: number
  depth?: number
  parent?: number | null
  reason?: string | null
  kind?: number
  lease?: number | null
  key?: bigint
}

/** URL rows with the visits that their states require, counted by the worker `w`. */
export async function addUrls(db: Queryable, crawl: number, urls: TestUrl[]): Promise<void> {
  for (const { id, state, depth = 0, parent = null, reason = null, kind = 0, lease = null, key = BigInt(id) } of urls) {
    const isEnded = state > 3 && state < 10
    await db.query({
      text: `insert into urls (crawl, id, key, host, state, rank, depth, hops, attempts, kind, lease, parent, first_seen_at, url, reason)
             values ($1, $2::bigint, $3, 7, $4, 1, $5, 0, $6, $7, $8, $9, 1000, 'http://a.test/' || $2, $10)`,
      values: [crawl, id, String(key), state, depth, isEnded ? 1 : 0, kind, lease, parent, reason],
    })
    if (isEnded) await addVisit(db, crawl, { urlId: id, state, at: 2000 + id, ms: 5 })
  }
  await db.query({
    text: `insert into counters (crawl, worker, open, in_progress, visited, redirected, forbidden, not_found, http_error, failed, excluded)
           select $1, 'w', count(*) filter (where state in (2, 3)), count(*) filter (where state = 3), ${[
             4, 5, 6, 7, 8, 9, 10,
           ]
             .map((code) => `count(*) filter (where state = ${code})`)
             .join(', ')} from urls where crawl = $1`,
    values: [crawl],
  })
}

export async function addVisit(
  db: Queryable,
  crawl: number,
  visit: { urlId: number; state: number; at: number; ms: number; attempt?: number },
): Promise<void> {
  await db.query({
    text: `insert into visits (crawl, host, url_id, attempt, state, noindex, http_status, content_length, fetch_ms, visited_at, title)
           values ($1, 7, $2, $3, $4, true, 200, 5000000000, $5, $6, 'Title')`,
    values: [crawl, visit.urlId, visit.attempt ?? 1, visit.state, visit.ms, visit.at],
  })
}
