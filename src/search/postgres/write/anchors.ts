// Anchor texts of links to a URL, from indexed pages.

import { type AnchorText, type FeedPage, MAX_ANCHORS } from '../../../ports/index-feed.ts'
import { urlHash } from '../../../store/encoding/url-hash.ts'
import { type Queryable, toPostgresText } from '../../../store/postgres/query.ts'
import { urlKey } from '../url-key.ts'
import { INDEX_ERA_SQL } from './index-queue.ts'

const MAX_TEXT = 200

/** $1 is the slot; $2 and $3 are in page order. Texts added concurrently are not seen. */
const ADD = {
  name: 'index_add_anchors',
  text: `with n as materialized (select url_key, text, place
        from unnest($2::uuid[], $3::text[]) with ordinality as n (url_key, text, place)
      where not exists (select 1 from anchors k where k.url_key = n.url_key and k.text = n.text)),
    numbered as (select n.url_key, n.text, row_number() over (partition by n.url_key order by n.place)
        + (select count(distinct k.text) from anchors k where k.url_key = n.url_key) as number from n)
    insert into anchors (url_key, slot, text)
      select url_key, $1::smallint, text from numbered where number <= ${MAX_ANCHORS} order by url_key, text
      on conflict (url_key, slot, text) do nothing returning url_key`,
}
const INDEXED = {
  name: 'index_told',
  text: 'select url from documents where url_key = any($1::uuid[])',
}
const READ = {
  name: 'index_read_anchors',
  text: `select url_key, text from (
      select url_key, text, row_number() over (partition by url_key order by text collate "C") as place
      from anchors where url_key = any($1::uuid[]) group by url_key, text) as t
    where place <= ${MAX_ANCHORS} order by url_key, place`,
}

const ERA = { name: 'index_era', text: `select ${INDEX_ERA_SQL} as file` }

export async function readIndexEra(db: Queryable): Promise<number> {
  const { rows } = await db.query(ERA)
  return Number(rows[0]?.['file'])
}

/** Returns the keys of URLs that got new texts. */
export async function addAnchors(tx: Queryable, slot: number, anchors: AnchorText[]): Promise<string[]> {
  const byUrl = new Map<string, Set<string>>()
  for (const { url, text } of anchors) {
    const key = urlKey(url)
    const texts = byUrl.get(key) ?? new Set<string>()
    byUrl.set(key, texts)
    texts.add(toPostgresText(text).slice(0, MAX_TEXT).toWellFormed())
  }
  const rows = [...byUrl].flatMap(([key, texts]) => [...texts].map((text) => ({ key, text })))
  if (rows.length === 0) return []
  const added = await tx.query({ ...ADD, values: [slot, rows.map(({ key }) => key), rows.map(({ text }) => text)] })
  return [...new Set(added.rows.map((row) => String(row['url_key'])))]
}

/** Hashes of the URLs to reindex: URLs of the keys, and URLs of the batch that got new texts after it was taken. */
export async function findUrlsToReindex(tx: Queryable, keys: string[], batch: FeedPage[]): Promise<string[]> {
  const indexed = keys.length === 0 ? [] : (await tx.query({ ...INDEXED, values: [keys] })).rows
  const current = await readAnchors(
    tx,
    batch.map(({ version }) => version.url),
  )
  const outdated = batch.filter(({ anchors }, i) => current[i]?.some((text) => !anchors.includes(text)))
  const urls = [...indexed.map((row) => String(row['url'])), ...outdated.map(({ version }) => version.url)]
  return [...new Set(urls)].map((url) => String(urlHash(url)))
}

/** Anchor texts of each URL, sorted. */
export async function readAnchors(db: Queryable, urls: string[]): Promise<string[][]> {
  const keys = urls.map(urlKey)
  const { rows } = await db.query({ ...READ, values: [[...new Set(keys)]] })
  const texts = Map.groupBy(rows, (row) => String(row['url_key']).replaceAll('-', ''))
  return keys.map((key) => (texts.get(key) ?? []).map((row) => String(row['text'])))
}
