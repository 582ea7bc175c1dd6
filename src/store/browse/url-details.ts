// Everything known about one URL.

import { withLinkRank } from '../../frontier/recrawl/importance.ts'
import type { PlannedRevisit, UrlDetails, UrlSummary, VisitRow } from '../../ports/browse.ts'
import { RETRIED, stateFromCode } from '../encoding/state-codes.ts'
import { toUrlRow } from '../urls/url-row.ts'
import type { BrowseDb, Row } from './browse-db.ts'
import { selectUrlRows } from './list-urls.ts'
import { findNeighbours } from './neighbours.ts'

const MAX_LINEAGE = 100
/** Links that are listed; the others are only counted. */
const MAX_LISTED_LINKS = 100

export async function readUrlDetails(db: BrowseDb, crawlId: string, urlId: number): Promise<UrlDetails | null> {
  const { rowId } = await db.crawl(crawlId)
  const { dialect } = db
  const chosen = 'select u.*, u.id as order_value from urls u where u.crawl = $1 and u.id = $2'
  const [found] = await db.rows(selectUrlRows(dialect, chosen, 'asc'), [rowId, urlId])
  const neighbours = await findNeighbours(db, rowId, urlId)
  if (found === undefined || neighbours === null) return null
  const row = toUrlRow(found)
  const visits = await db.rows(
    `select v.* from urls u join visits v on ${dialect.ofUrl('v')} where u.crawl = $1 and u.id = $2 order by v.attempt`,
    [rowId, urlId],
  )
  const { from, to, isCut } = neighbours
  // The parent is shown even if the search for inlinks did not reach it.
  const first = isCut && row.discoveredFrom !== null && !from.includes(row.discoveredFrom) ? [row.discoveredFrom] : []
  return {
    row,
    visits: visits.map(toVisit),
    lineage: await readLineage(db, rowId, urlId),
    inlinks: { items: await readUrlSummaries(db, rowId, [...first, ...from]), total: isCut ? null : from.length },
    outlinks: { items: await readUrlSummaries(db, rowId, to), total: to.length },
    revisit: await readRevisit(db, rowId, urlId),
  }
}

/** Finds a URL by its key and its text, since two URLs may share a key. */
export async function findUrl(
  db: BrowseDb,
  crawlId: string,
  url: { url: string; key: bigint },
): Promise<number | null> {
  const { rowId } = await db.crawl(crawlId)
  const text = `select u.id, u.url from urls u where u.crawl = $1 and ${db.dialect.isIn('u.key', '$2', 'number')}`
  const rows = await db.rows(text, [rowId, db.dialect.list([url.key])])
  const row = rows.find((one) => one['url'] === url.url)
  return row === undefined ? null : Number(row['id'])
}

function toVisit(row: Row): VisitRow {
  const code = Number(row['state'])
  return {
    attempt: Number(row['attempt']),
    state: code === RETRIED ? 'retry' : stateFromCode(code),
    reason: row['reason'] as string | null,
    httpStatus: row['http_status'] as number | null,
    contentType: row['content_type'] as string | null,
    contentLength: row['content_length'] as number | null,
    fetchMs: row['fetch_ms'] as number | null,
    processingMs: row['processing_ms'] as number | null,
    visitedBy: row['thread'] as string | null,
    visitedAt: Number(row['visited_at']),
    ip: row['ip'] as string | null,
    proxy: row['proxy'] as string | null,
    redirectTo: row['redirect_to'] as string | null,
  }
}

async function readRevisit(db: BrowseDb, crawl: number, urlId: number): Promise<PlannedRevisit | null> {
  const [row] = await db.rows(
    `select r.due_at, r.importance, r.link_rank from urls u join revisits r on ${db.dialect.ofUrl('r')}
     where u.crawl = $1 and u.id = $2`,
    [crawl, urlId],
  )
  if (row === undefined) return null
  const linkRank = row['link_rank'] === null ? null : Number(row['link_rank'])
  const importance = withLinkRank(Number(row['importance']), linkRank)
  return { dueAt: row['due_at'] === null ? null : Number(row['due_at']), importance, linkRank }
}

/** The path from a seed to this URL. If it is too long, the steps nearest to the seed are left out. */
async function readLineage(db: BrowseDb, crawl: number, urlId: number): Promise<UrlSummary[]> {
  const steps: UrlSummary[] = []
  for (let id: number | null = urlId; id !== null && steps.length < MAX_LINEAGE; ) {
    const [row]: Row[] = await linkRows(db, crawl, [id])
    if (row === undefined) break
    steps.push(toUrlSummary(row))
    id = row['parent'] as number | null
  }
  return steps.reverse()
}

async function readUrlSummaries(db: BrowseDb, crawl: number, ids: number[]): Promise<UrlSummary[]> {
  const named = ids.slice(0, MAX_LISTED_LINKS)
  const rows = new Map((await linkRows(db, crawl, named)).map((row) => [Number(row['id']), row]))
  return named.flatMap((id) => {
    const row = rows.get(id)
    return row === undefined ? [] : [toUrlSummary(row)]
  })
}

function linkRows(db: BrowseDb, crawl: number, ids: number[]): Promise<Row[]> {
  const { dialect } = db
  return db.rows(
    `select u.id, u.url, u.state, u.parent, v.title from urls u
       left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
     where u.crawl = $1 and ${dialect.isIn('u.id', '$2', 'number')}`,
    [crawl, dialect.list(ids)],
  )
}

function toUrlSummary(row: Row): UrlSummary {
  return {
    id: Number(row['id']),
    url: String(row['url']),
    state: stateFromCode(Number(row['state'])),
    title: row['title'] as string | null,
  }
}
