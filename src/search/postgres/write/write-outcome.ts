// Writes what became of a batch, in the transaction that ends it. Of a url the highest version stays, whoever is first:
// a document whose url has a later version in the index, or in the store and no longer in the queue, is not written. Its
// lock makes sure that a later version that shall not be found is seen as well: it may have left no document behind. One
// that is still in the queue takes the place of the document when it comes: pages count in their order.

import type { FeedOutcome, IndexDocument, IndexedPage, PageResult } from '../../../ports/search.ts'
import { urlHash } from '../../../store/encoding/url-hash.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { urlKey } from '../url-key.ts'
import { addAnchors } from './anchors.ts'
import { acquireCounterSlot, lockUrls } from './counter-slot.ts'
import { addDocuments, readIndexedPages } from './documents.ts'
import { saveHostLines } from './host-lines.ts'
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
  /** Null: it shall not be found. */
  document: IndexDocument | null
}

interface CurrentEntry extends OutcomeEntry {
  before: IndexedPage | null
}

/** Told: keys of urls of which links say what none said before. */
export async function writeOutcome(
  tx: Queryable,
  { pages, anchors }: FeedOutcome,
): Promise<{ slot: number; told: string[] }> {
  const slot = await acquireCounterSlot(tx)
  const versions = pages.map(toOutcomeEntry)
  await lockUrls(
    tx,
    versions.map(({ key }) => key),
  )
  const judged = await dropSuperseded(tx, versions)
  const last = keepHighestVersions(judged)
  const removed = last.filter(({ before, version }) => before !== null && before.version <= version)
  await removeDocuments(
    tx,
    slot,
    removed.map(({ key }) => key),
  )
  const written = last.flatMap(({ key, document, before, version }) =>
    document === null || (before?.version ?? 0) > version ? [] : [{ key, document, isNew: before === null }],
  )
  await addDocuments(tx, slot, written)
  await addWordCounts(tx, slot, written)
  const told = await addAnchors(tx, slot, anchors)
  await saveHostLines(tx, judged)
  return { slot, told }
}

function toOutcomeEntry(page: PageResult): OutcomeEntry {
  if ('leftOut' in page) return { key: urlKey(page.leftOut.url), ...page.leftOut, document: null }
  const { url, version } = page.document
  return { key: urlKey(url), url, version, document: page.document }
}

/** With what their urls are indexed by. */
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

/** One of each url; of the same version one that shall not be found. */
function keepHighestVersions(all: CurrentEntry[]): CurrentEntry[] {
  const byUrl = new Map<string, CurrentEntry>()
  for (const one of all) {
    const known = byUrl.get(one.key)
    const isHigher = known === undefined || one.version > known.version
    if (isHigher || (one.version === known.version && one.document === null)) byUrl.set(one.key, one)
  }
  return [...byUrl.values()]
}
