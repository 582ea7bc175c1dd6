// The URLs of a graph with their keys, and the links among them.

import { LEFT_OUT_REASONS_SQL, type UrlState } from '../../../lib/states.ts'
import { stateFromCode } from '../../encoding/state-codes.ts'
import type { BrowseDb } from '../browse-db.ts'
import { readHostNames } from '../host-names.ts'
import { KeyTable } from './key-table.ts'

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
  /** Excluded because the crawl did not get to it. */
  isLeftOut: boolean
}

export interface GraphUrls {
  urls: GraphUrl[]
  hosts: Map<number, string>
  table: KeyTable
  /** There were more URLs than the limit. */
  isCut: boolean
}

const COLUMNS = `u.id, u.key & 4294967295 as low, (u.key >> 32) & 4294967295 as high, u.host, u.url, u.state, u.depth,
  u.parent, u.attempts, v.visited_at, coalesce(u.reason in ${LEFT_OUT_REASONS_SQL}, false)`

/** The first URLs of a crawl. */
export async function loadFirstUrls(db: BrowseDb, crawl: number, maxUrls: number): Promise<GraphUrls> {
  const { dialect } = db
  const text = `select ${COLUMNS} from
    (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_ROWS}) u
    left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts order by u.id`
  const urls: GraphUrl[] = []
  for (;;) {
    const rows = await db.tuples(text, [crawl, urls.at(-1)?.id ?? 0])
    for (const row of rows) {
      if (urls.length === maxUrls) return toGraphUrls(db, urls, true)
      urls.push(toGraphUrl(row))
    }
    if (rows.length < BATCH_ROWS) return toGraphUrls(db, urls, false)
  }
}

/** Loads these URLs of a crawl by id. */
export async function loadUrls(db: BrowseDb, crawl: number, ids: readonly number[]): Promise<GraphUrls> {
  const { dialect } = db
  const text = `select ${COLUMNS} from urls u left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
    where u.crawl = $1 and ${dialect.isIn('u.id', '$2', 'number')} order by u.id`
  const urls: GraphUrl[] = []
  const sorted = ids.toSorted((a, b) => a - b)
  for (let at = 0; at < sorted.length; at += BATCH_ROWS) {
    const rows = await db.tuples(text, [crawl, dialect.list(sorted.slice(at, at + BATCH_ROWS))])
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

function toGraphUrl(row: readonly unknown[]): GraphUrl {
  const [id, low, high, hostId, url, state, depth, parent, attempts, visitedAt, isLeftOut] = row
  return {
    id: Number(id),
    low: Number(low),
    high: Number(high),
    hostId: Number(hostId),
    url: String(url),
    state: stateFromCode(Number(state)),
    depth: Number(depth),
    parent: parent as number | null,
    attempts: Number(attempts),
    visitedAt: visitedAt as number | null,
    isLeftOut: Boolean(isLeftOut),
  }
}

/**
 * Calls back for every link between two of these URLs, by position, in order of ids. Links of a page to itself are
 * skipped. False if there were more links than the limit.
 */
export async function forEachLink(
  db: BrowseDb,
  graphUrls: GraphUrls,
  { crawl, maxLinks }: { crawl: number; maxLinks: number },
  call: (from: number, to: number) => void,
): Promise<boolean> {
  const { dialect } = db
  const text = `select u.id, l.targets from urls u join links l on ${dialect.ofUrl('l')}
    where u.crawl = $1 and ${dialect.isIn('u.id', '$2', 'number')} order by u.id`
  const positions = graphUrls.urls.map((_, i) => i).filter((i) => mayHaveLinks(graphUrls.urls[i]))
  let left = maxLinks
  for (let at = 0; at < positions.length; at += BATCH_PAGES) {
    const piece = positions.slice(at, at + BATCH_PAGES)
    const positionOf = new Map(piece.map((i) => [graphUrls.urls[i]?.id ?? 0, i]))
    const rows = await db.tuples(text, [crawl, dialect.list([...positionOf.keys()])])
    for (const [id, targets] of rows) {
      const position = positionOf.get(Number(id)) ?? -1
      for (const to of graphUrls.table.positions(targets as Uint8Array)) {
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
