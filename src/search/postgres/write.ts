// Writes what became of a batch, in the transaction that ends it. Of a url the highest version stays, whoever is first:
// a document whose url has a later version in the store or in the index is not written. Its lock makes sure that a later
// version that shall not be found is seen as well: it may have left no document behind.

import type { FeedOutcome, IndexDocument } from '../../ports/search.ts'
import type { Queryable } from '../../store/postgres/query.ts'
import { urlHash } from '../../store/rows/url-hash.ts'
import { LineChanges } from '../line-counts.ts'
import { addAnchors } from './anchors.ts'
import { addDocuments } from './documents.ts'
import { saveLines } from './host-lines.ts'
import { removeDocuments } from './remove.ts'
import { lockUrls, takeSlot } from './slot.ts'
import { urlKey } from './url-key.ts'
import { addWords } from './word-rows.ts'

const KNOWN = {
  name: 'index_known',
  text: `select d.version, exists (
      select 1 from pages p join urls u on u.crawl = p.crawl and u.id = p.url_id and u.host = p.host
      where p.url_hash = w.url_hash and p.version > w.version and u.url = w.url) as is_old
    from unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[]) with ordinality as w (url_key, url_hash, url, version, place)
      left join documents d on d.url_key = w.url_key
    order by w.place`,
}

interface Version {
  key: string
  url: string
  version: number
  /** Null: it shall not be found. */
  document: IndexDocument | null
}

/** Told: keys of urls of which links say what none said before. */
export async function writeOutcome(
  tx: Queryable,
  { documents, leftOut, anchors }: FeedOutcome,
): Promise<{ slot: number; told: string[] }> {
  const versions = highest([
    ...documents.map((document) => ({ url: document.url, version: document.version, document })),
    ...leftOut.map(({ url, version }) => ({ url, version, document: null })),
  ])
  const slot = await takeSlot(tx)
  await lockUrls(
    tx,
    versions.map(({ key }) => key),
  )
  const values = [
    ...[versions.map(({ key }) => key), versions.map(({ url }) => String(urlHash(url)))],
    ...[versions.map(({ url }) => url), versions.map(({ version }) => version)],
  ]
  const { rows } = await tx.query({ ...KNOWN, values })
  const judged = versions.map((one, i) => {
    const indexed = rows[i]?.['version'] ?? null
    return {
      ...one,
      isIndexed: indexed !== null,
      isLate: Number(indexed ?? 0) > one.version,
      isOld: rows[i]?.['is_old'],
    }
  })
  const removed = judged.filter(({ isIndexed, isLate }) => isIndexed && !isLate)
  const lines = new LineChanges()
  await removeDocuments(
    tx,
    { slot, lines },
    removed.map(({ key }) => key),
  )
  const written = judged.flatMap(({ key, document, isIndexed, isLate, isOld }) =>
    document === null || isLate || isOld === true ? [] : [{ key, document, isNew: !isIndexed }],
  )
  await addDocuments(tx, slot, written)
  await addWords(tx, slot, written)
  const told = await addAnchors(tx, slot, anchors)
  for (const { document } of written) lines.add(document.host, document.lines, 1)
  await saveLines(tx, lines)
  return { slot, told }
}

/** One of each url; of the same version one that shall not be found. */
function highest(all: Omit<Version, 'key'>[]): Version[] {
  const byUrl = new Map<string, Version>()
  for (const one of all) {
    const key = urlKey(one.url)
    const known = byUrl.get(key)
    const isHigher = known === undefined || one.version > known.version
    if (isHigher || (one.version === known.version && one.document === null)) byUrl.set(key, { key, ...one })
  }
  return [...byUrl.values()]
}
