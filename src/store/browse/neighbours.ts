// The inlinks and outlinks of a URL. Links are stored with the page that contains them, so inlinks have to be searched
// page by page.

import { decodeLinkKeys } from '../encoding/link-keys.ts'
import type { BrowseDb } from './browse-db.ts'

/** Limit of URLs whose links are searched, in the order of discovery. */
const MAX_SCANNED_URLS = 100_000
const BATCH_ROWS = 5000
/** Keys looked up at a time. */
const BATCH_KEYS = 500

export interface Neighbours {
  /** Ids of pages that link here, ascending. */
  from: number[]
  /** More pages exist than were searched. */
  isCut: boolean
  /** Ids of URLs that it links to, in the order of the page. */
  to: number[]
}

/** Null if the URL is not in the crawl. A page that links to itself is not its own neighbour. */
export async function findNeighbours(db: BrowseDb, crawl: number, urlId: number): Promise<Neighbours | null> {
  const [url] = await db.rows(
    `select u.key & 4294967295 as low, (u.key >> 32) & 4294967295 as high, l.targets
     from urls u left join links l on ${db.dialect.ofUrl('l')} where u.crawl = $1 and u.id = $2`,
    [crawl, urlId],
  )
  if (url === undefined) return null
  const key = new Uint8Array(8)
  new DataView(key.buffer).setUint32(0, Number(url['low']), true)
  new DataView(key.buffer).setUint32(4, Number(url['high']), true)
  const { from, isCut } = await findLinkingPages(db, crawl, key)
  const to = await findUrlIds(db, crawl, [...decodeLinkKeys(url['targets'])])
  const isOther = (id: number) => id !== urlId
  return { from: from.filter(isOther), isCut, to: to.filter(isOther) }
}

/**
 * Only pages with the link become rows: one row per page took most of the time. A key that straddles two others
 * occurs once in ten billion searches, so alignment is not checked.
 */
async function findLinkingPages(
  db: BrowseDb,
  crawl: number,
  key: Uint8Array,
): Promise<{ from: number[]; isCut: boolean }> {
  const { dialect } = db
  const piece = `select max(u.id) as last, count(*) as n from
    (select u.id from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_ROWS}) u`
  const linking = `select u.id from ${dialect.urls} join links l on ${dialect.ofUrl('l')}
    where u.crawl = $1 and u.id > $2 and u.id <= $3 and ${dialect.containsBytes('l.targets', '$4')} order by u.id`
  const from: number[] = []
  for (let after = 0, seen = 0; ; ) {
    const [found] = await db.rows(piece, [crawl, after])
    const [last, urls] = [Number(found?.['last'] ?? 0), Number(found?.['n'] ?? 0)]
    const rows = urls === 0 ? [] : await db.rows(linking, [crawl, after, last, key])
    for (const row of rows) from.push(Number(row['id']))
    seen += urls
    if (urls < BATCH_ROWS) return { from, isCut: false }
    if (seen >= MAX_SCANNED_URLS) return { from, isCut: true }
    after = last
  }
}

async function findUrlIds(db: BrowseDb, crawl: number, keys: bigint[]): Promise<number[]> {
  const { dialect } = db
  const text = `select u.id, u.key & 4294967295 as low, (u.key >> 32) & 4294967295 as high
    from urls u where u.crawl = $1 and ${dialect.isIn('u.key', '$2', 'number')}`
  const ids = new Map<bigint, number>()
  for (let at = 0; at < keys.length; at += BATCH_KEYS) {
    const rows = await db.rows(text, [crawl, dialect.list(keys.slice(at, at + BATCH_KEYS))])
    for (const row of rows) ids.set(joinKey(Number(row['low']), Number(row['high'])), Number(row['id']))
  }
  return keys.flatMap((key) => ids.get(key) ?? [])
}

function joinKey(low: number, high: number): bigint {
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low))
}
