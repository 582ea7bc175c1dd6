// Finds and drops documents whose pages were deleted, by retention or with their crawl, and updates when others
// expire.

import { urlHash } from '../../../store/encoding/url-hash.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { urlKey } from '../url-key.ts'
import { acquireCounterSlot, lockBatchEnd, lockUrls } from './counter-slot.ts'
import { type DocumentSink, readPlaces } from './document-sink.ts'
import { readIndexedPages } from './documents.ts'
import { saveHostCounts } from './host-counts.ts'
import { requeueUrls } from './index-queue.ts'
import { findOtherLanguages } from './language-updates.ts'
import { pruneRanks } from './link-ranks.ts'
import { removeDocuments } from './remove-documents.ts'

export const FIRST_KEY = '0'.repeat(32)

const SCAN = {
  name: 'index_scan',
  text: `select d.url_key, d.url, p.id is null as is_gone, p.expires_at is distinct from d.expires_at as is_outdated
    from (select url_key, url, page, expires_at from documents where url_key > $1 order by url_key limit $2) as d
      left join pages p on p.id = d.page order by d.url_key`,
}
const SET_EXPIRY = {
  name: 'index_set_expiry',
  text: `with outdated as (
      select d.url_key, p.expires_at from documents d join pages p on p.id = d.page where d.url_key = any($1::uuid[])
      order by d.url_key for update of d
    )
    update documents d set expires_at = o.expires_at from outdated o where d.url_key = o.url_key`,
}
/** Checked under the locks, because a later version may have arrived. */
const FIND_STILL_STALE = {
  name: 'index_still_gone',
  text: `select d.url from documents d where d.url_key = any($1::uuid[])
    and not exists (select 1 from pages p where p.id = d.page)`,
}

export interface StaleScan {
  examined: number
  /** URLs of documents whose pages are deleted. */
  stale: string[]
  /** Keys of documents whose pages expire at another time now. */
  outdated: string[]
  /** The last scanned key; null at the end. */
  last: string | null
}

export async function findStaleDocuments(db: Queryable, after: string, limit: number): Promise<StaleScan> {
  const { rows } = await db.query({ ...SCAN, values: [after, limit] })
  const stale = rows.filter((row) => row['is_gone'] === true).map((row) => String(row['url']))
  const outdated = rows.filter((row) => row['is_gone'] === false && row['is_outdated'] === true)
  const last = rows.length < limit ? null : String(rows.at(-1)?.['url_key'])
  return { examined: rows.length, stale, outdated: outdated.map((row) => String(row['url_key'])), last }
}

export async function updateExpiry(tx: Queryable, keys: string[], sink: DocumentSink | null): Promise<void> {
  if (sink !== null) await lockUrls(tx, keys)
  await tx.query({ ...SET_EXPIRY, values: [keys] })
  await sink?.rewrite(tx, keys)
}

/** Returns the number of dropped documents. If a version of a dropped URL remains, it is reindexed. */
export async function dropStaleDocuments(tx: Queryable, urls: string[], sink: DocumentSink | null): Promise<number> {
  const slot = await acquireCounterSlot(tx)
  const keys = urls.map(urlKey)
  await lockUrls(tx, keys)
  const { rows } = await tx.query({ ...FIND_STILL_STALE, values: [keys] })
  const stale = rows.map((row) => String(row['url'])).sort()
  const indexed = await readIndexedPages(tx, stale)
  const staleKeys = stale.map(urlKey)
  await sink?.write(tx, [], await readPlaces(tx, staleKeys))
  await removeDocuments(tx, slot, staleKeys)
  await pruneRanks(tx, staleKeys)
  const changedHosts = await saveHostCounts(
    tx,
    stale.map((url, i) => {
      const before = indexed[i] ?? null
      return { url, version: before?.version ?? 0, before, document: null }
    }),
  )
  await lockBatchEnd(tx)
  await requeueUrls(
    tx,
    urls.map((url) => String(urlHash(url))),
  )
  await requeueUrls(tx, await findOtherLanguages(tx, changedHosts, []), 'when idle')
  return rows.length
}
