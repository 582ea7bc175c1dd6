// The URLs of a graph with their keys, and the links among them.

import type { UrlState } from '../../../lib/states.ts'
import { stateFromCode } from '../../encoding/state-codes.ts'
import type { BrowseDb, Row } from '../browse-db.ts'
import { readHostNames } from '../host-names.ts'
import { KeyTable } from './key-table.ts'
import { parsePathGroup } from './path-group.ts'

/** Rows per statement, which others wait for. */
const BATCH_ROWS = 1000
/** Pages whose links are read at a time. */
const BATCH_PAGES = 1000

export interface GraphUrl {
  id: number
  low: number
  high: number
  hostId: number
  url: string
  state: UrlState
  depth: number
  parent: number | null
  attempts: number
  visitedAt: number | null
}

export interface GraphUrls {
  urls: GraphUrl[]
  hosts: Map<number, string>
  table: KeyTable
  /** There were more. */
  isCut: boolean
}

export interface UrlRange {
  /** Rows to read, and URLs to take of them. */
  maxRows: number
  maxUrls: number
  /** The label of a group; null: any. */
  under: string | null
}

const COLUMNS = `u.id, u.key & 4294967295 as low, (u.key >> 32) & 4294967295 as high, u.host, u.url, u.state, u.depth,
  u.parent, u.attempts, v.visited_at`

/** The first URLs of a crawl. */
export async function loadFirstUrls(db: BrowseDb, crawl: number, urlRange: UrlRange): Promise<GraphUrls> {
  const { dialect } = db
  const group = urlRange.under === null ? null : parsePathGroup(urlRange.under)
  const [host] = group === null ? [] : await db.rows('select id from hosts where name = $1', [group.host])
  const hostId = group === null ? null : Number(host?.['id'] ?? 0)
  const text = `select ${COLUMNS} from
    (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_ROWS}) u
    left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts order by u.id`
  const urls: GraphUrl[] = []
  for (let last = 0, seen = 0; ; ) {
    const rows = await db.rows(text, [crawl, last])
    for (const row of rows) {
      if (seen === urlRange.maxRows || urls.length === urlRange.maxUrls) return toGraphUrls(db, urls, true)
      seen += 1
      last = Number(row['id'])
      const isIn = group === null || (Number(row['host']) === hostId && group.has(String(row['url'])))
      if (isIn) urls.push(toGraphUrl(row))
    }
    if (rows.length < BATCH_ROWS) return toGraphUrls(db, urls, false)
  }
}

/** These URLs of a crawl, by id. */
export async function loadUrls(db: BrowseDb, crawl: number, ids: readonly number[]): Promise<GraphUrls> {
  const { dialect } = db
  const text = `select ${COLUMNS} from urls u left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
    where u.crawl = $1 and ${dialect.isIn('u.id', '$2', 'number')} order by u.id`
  const urls: GraphUrl[] = []
  const sorted = ids.toSorted((a, b) => a - b)
  for (let at = 0; at < sorted.length; at += BATCH_ROWS) {
    const rows = await db.rows(text, [crawl, dialect.list(sorted.slice(at, at + BATCH_ROWS))])
    urls.push(...rows.map(toGraphUrl))
  }
  return toGraphUrls(db, urls, false)
}

async function toGraphUrls(db: BrowseDb, urls: GraphUrl[], isCut: boolean): Promise<GraphUrls> {
  const table = new KeyTable(urls.length)
  urls.forEach(({ low, high }, i) => {
    table.set(low, high, i)
  })
  return { urls, table, isCut, hosts: await readHostNames(db, [...new Set(urls.map(({ hostId }) => hostId))]) }
}

function toGraphUrl(row: Row): GraphUrl {
  return {
    id: Number(row['id']),
    low: Number(row['low']),
    high: Number(row['high']),
    hostId: Number(row['host']),
    url: String(row['url']),
    state: stateFromCode(Number(row['state'])),
    depth: Number(row['depth']),
    parent: row['parent'] as number | null,
    attempts: Number(row['attempts']),
    visitedAt: row['visited_at'] as number | null,
  }
}

/**
 * Calls back for every link from one of these URLs to another, by position, in order of ids. Links of a page to itself
 * are skipped. False if there were more than the limit.
 */
export async function forEachLink(
  db: BrowseDb,
  graphUrls: GraphUrls,
  { crawl, maxLinks, from }: { crawl: number; maxLinks: number; from: (position: number) => boolean },
  call: (from: number, to: number) => void,
): Promise<boolean> {
  const { dialect } = db
  const text = `select u.id, l.targets from urls u join links l on ${dialect.ofUrl('l')}
    where u.crawl = $1 and ${dialect.isIn('u.id', '$2', 'number')} order by u.id`
  const positions = graphUrls.urls.map((_, i) => i).filter((i) => from(i) && mayHaveLinks(graphUrls.urls[i]))
  let left = maxLinks
  for (let at = 0; at < positions.length; at += BATCH_PAGES) {
    const piece = positions.slice(at, at + BATCH_PAGES)
    const positionOf = new Map(piece.map((i) => [graphUrls.urls[i]?.id ?? 0, i]))
    const rows = await db.rows(text, [crawl, dialect.list([...positionOf.keys()])])
    for (const row of rows) {
      const position = positionOf.get(Number(row['id'])) ?? -1
      for (const to of graphUrls.table.positions(row['targets'] as Uint8Array)) {
        if (to === position) continue
        left -= 1
        if (left < 0) return false
        call(position, to)
      }
    }
  }
  return true
}

/** A URL that was never visited has no links. A queued one may have been visited before. */
function mayHaveLinks(url: GraphUrl | undefined): boolean {
  return url !== undefined && url.attempts > 0
}
