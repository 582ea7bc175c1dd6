// URLs with a history of visits that are read as another kind from now on. The crawl is recrawled, or was.

import { mustReadAgain } from '../../../../frontier/kind-changes.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import type { UrlKind } from '../../../../ports/visits.ts'
import { stateCode, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import type { CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'

type CrawlOfUrls = Pick<CachedCrawl, 'id' | 'settings'>

const VISITED = stateCode('visited')

/** A URL that has to be read again was queued, so it has no due time. */
const UPDATE = {
  name: 'revisits_change_kinds',
  text: `with turned as materialized (
      select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[], $4::boolean[], $5::int[]) as t (id, host, is_queued, attempts)
    ), was as (
      select r.crawl, r.host, r.url_id, t.is_queued, t.attempts, r.state, t.is_queued and r.due_at is not null as is_marked
      from turned t join revisits r on r.crawl = t.crawl and r.host = t.host and r.url_id = t.id
    )
    update revisits r set due_at = case when w.is_queued then null else r.due_at end,
      attempts = case when w.is_marked then w.attempts else r.attempts end
    from was w where r.crawl = w.crawl and r.host = w.host and r.url_id = w.url_id returning w.state, w.is_marked`,
}

/** Rows have id, host, attempts and the previous state as `was`. Returns how the counters of revisits change. */
export async function becomeSitemaps(tx: Queryable, crawl: CrawlOfUrls, pages: Row[]): Promise<CounterChanges> {
  const { visited, marked } = await changeKinds(tx, crawl, pages, 'page')
  return { open_revisits: marked, known_pages: -visited }
}

/** Deletes histories and returns how many of them were open. */
export async function forgetRevisits(
  tx: Queryable,
  crawl: number,
  urls: readonly { id: number; host: number }[],
): Promise<number> {
  if (urls.length === 0) return 0
  const values = [crawl, urls.map(({ id }) => id), urls.map(({ host }) => host)]
  const { rows } = await tx.query({ ...FORGET, values })
  return rows.filter((row) => row['is_open'] === true).length
}

const FORGET = {
  name: 'revisits_forget',
  text: `delete from revisits r using unnest($2::bigint[], $3::int[]) as t (id, host)
    where r.crawl = $1 and r.host = t.host and r.url_id = t.id returning r.due_at is null as is_open`,
}

/**
 * URLs that are visited as pages for the first time have no history: their content was seen but not read, so equal
 * content counts as a change.
 */
export async function becomePages(tx: Queryable, crawl: CrawlOfUrls, requisites: Row[]): Promise<CounterChanges> {
  const isQueued = (row: Row) => isReadAgain(row, 'requisite') || stateFromCode(Number(row['was'])) === 'queued'
  const queued = requisites.filter(isQueued).map((row) => ({ id: Number(row['id']), host: Number(row['host']) }))
  const open = await forgetRevisits(tx, crawl.id, queued)
  const others = requisites.filter((row) => !isQueued(row))
  const { visited, marked } = await changeKinds(tx, crawl, others, 'requisite')
  return { open_revisits: marked - open, known_pages: visited }
}

/** Number of URLs that had been visited, and number of URLs that are queued for a revisit now. */
async function changeKinds(
  tx: Queryable,
  { id, settings }: CrawlOfUrls,
  turned: Row[],
  readAs: UrlKind,
): Promise<{ visited: number; marked: number }> {
  if (turned.length === 0) return { visited: 0, marked: 0 }
  const values = [
    turned.map((row) => row['id']),
    turned.map((row) => row['host']),
    turned.map((row) => isRecrawled(settings) && isReadAgain(row, readAs)),
    turned.map((row) => row['attempts']),
  ]
  const { rows } = await tx.query({ ...UPDATE, values: [id, ...values] })
  return {
    visited: rows.filter((row) => row['state'] === VISITED).length,
    marked: rows.filter((row) => row['is_marked'] === true).length,
  }
}

function isReadAgain(row: Row, readAs: UrlKind): boolean {
  const was = stateFromCode(Number(row['was']))
  return was !== 'queued' && was !== 'in_progress' && mustReadAgain(was, readAs)
}
