// Writes the outcome of a batch, in the transaction that ends it. The highest version of a URL stays, whichever is
// written first: a document is dropped if a later version of its URL is in the index, or in the store and no longer
// queued. The lock on the URL makes later excluded versions visible too, which leave no document behind. A later
// version that is still queued replaces the document when its turn comes, since pages count in order.

import type { FeedOutcome, IndexedPage, PageResult } from '../../../ports/index-feed.ts'
import type { IndexDocument } from '../../../ports/search.ts'
import { urlHash } from '../../../store/encoding/url-hash.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { urlKey } from '../url-key.ts'
import { addAnchors } from './anchors.ts'
import { acquireCounterSlot, lockUrls } from './counter-slot.ts'
import { type DocumentSink, readPlaces, withoutText } from './document-sink.ts'
import { addDocuments, type DocumentWrite, readIndexedPages } from './documents.ts'
import { saveHostCounts } from './host-counts.ts'
import { removeDocuments } from './remove-documents.ts'
import { addWordCounts } from './word-counts.ts'

const OLD = {
  name: 'index_old',
  text: `select exists (
      select 1 from pages p join urls u on u.crawl = p.crawl and u.id = p.url_id and u.host = p.host
      where p.url_hash = w.url_hash and p.version > w.version and u.url = w.url
        and not exists (select 1 from index_queue q where q.page = p.id and q.host = p.host)) as is_old
    from unnest($1::bigint[], $2::text[], $3::int[]) with ordinality as w (url_hash, url, version, place)
    order by w.place`,
}

interface OutcomeEntry {
  key: string
  url: string
  version: number
  /** Null if the page is excluded. */
  document: IndexDocument | null
}

interface CurrentEntry extends OutcomeEntry {
  before: IndexedPage | null
}

export interface WrittenOutcome {
  slot: number
  /** Keys of URLs with new anchor texts. */
  reindexKeys: string[]
  /** Hosts with another main language than before. */
  changedHosts: string[]
}

/** With a sink, the text of the documents goes there. */
export async function writeOutcome(
  tx: Queryable,
  { pages, anchors }: FeedOutcome,
  sink: DocumentSink | null = null,
): Promise<WrittenOutcome> {
  const slot = await acquireCounterSlot(tx)
  const versions = pages.map(toOutcomeEntry)
  await lockUrls(
    tx,
    versions.map(({ key }) => key),
  )
  const current = await dropSuperseded(tx, versions)
  const last = keepHighestVersions(current)
  const removed = last.filter(({ before, version }) => before !== null && before.version <= version)
  const removedKeys = removed.map(({ key }) => key)
  const formerPlaces = sink === null ? new Map() : await readPlaces(tx, removedKeys)
  await removeDocuments(tx, slot, removedKeys)
  const written = last.flatMap(({ key, document, before, version }) =>
    document === null || (before?.version ?? 0) > version
      ? []
      : [{ key, document, isNew: before === null, place: null }],
  )
  if (sink === null) {
    await addDocuments(tx, slot, written)
    await addWordCounts(tx, slot, written)
  } else {
    await addDocuments(tx, slot, await toPlacedRows(tx, written, sink))
    await sink.write(tx, written, formerPlaces)
  }
  const reindexKeys = await addAnchors(tx, slot, anchors)
  return { slot, reindexKeys, changedHosts: await saveHostCounts(tx, current) }
}

async function toPlacedRows(tx: Queryable, written: DocumentWrite[], sink: DocumentSink): Promise<DocumentWrite[]> {
  const places = await sink.placeOf(
    tx,
    written.map(({ document }) => document),
  )
  return written.map((one, i) => ({ ...one, document: withoutText(one.document), place: places[i] ?? null }))
}

function toOutcomeEntry(page: PageResult): OutcomeEntry {
  if ('leftOut' in page) return { key: urlKey(page.leftOut.url), ...page.leftOut, document: null }
  const { url, version } = page.document
  return { key: urlKey(url), url, version, document: page.document }
}

/** Adds the previous document of each URL. */
async function dropSuperseded(tx: Queryable, versions: OutcomeEntry[]): Promise<CurrentEntry[]> {
  const urls = versions.map(({ url }) => url)
  const values = [urls.map((url) => String(urlHash(url))), urls, versions.map(({ version }) => version)]
  const { rows } = await tx.query({ ...OLD, values })
  const before = await readIndexedPages(tx, urls)
  return versions.flatMap((one, i) => {
    const isOld = one.document !== null && rows[i]?.['is_old'] === true
    return isOld ? [] : [{ ...one, before: before[i] ?? null }]
  })
}

/** Keeps one entry per URL; if versions are equal, an exclusion wins. */
function keepHighestVersions(all: CurrentEntry[]): CurrentEntry[] {
  const byUrl = new Map<string, CurrentEntry>()
  for (const one of all) {
    const known = byUrl.get(one.key)
    const isHigher = known === undefined || one.version > known.version
    if (isHigher || (one.version === known.version && one.document === null)) byUrl.set(one.key, one)
  }
  return [...byUrl.values()]
}
