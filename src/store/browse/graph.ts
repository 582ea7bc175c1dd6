// The link graph of a crawl: urls, or groups of them. What is looked at is bounded, and the answer says so.

import { AppError } from '../../lib/errors.ts'
import type { GraphAnswer, GraphRequest } from '../../ports/browse.ts'
import { ledgerTotal } from '../../ports/state.ts'
import type { BrowseDb } from './db.ts'
import { drawGroups } from './graph-groups.ts'
import { drawUrls } from './graph-urls.ts'
import { neighboursOf } from './links.ts'
import { type Look, lookAt, lookAtFirst } from './look.ts'
import { readVersion, versionOf, writeVersion } from './version.ts'

/** Urls that are looked at for groups and for ranks. */
export const MAX_URLS = 250_000
/** Links between them that count. */
export const MAX_LINKS = 10_000_000

export async function graphOf(db: BrowseDb, crawlId: string, request: GraphRequest): Promise<GraphAnswer> {
  const { rowId, ledger } = await db.crawl(crawlId)
  const { limit, under } = request
  if (request.around !== null) return drawAround(db, rowId, { ...request, around: request.around })
  const since = request.since === null ? null : readVersion(request)
  const isFirst = request.group === 'url' && request.by === 'found'
  const look = await lookAtFirst(db, rowId, { maxRows: MAX_URLS, maxUrls: isFirst ? limit : MAX_URLS, under })
  const scope = { crawl: rowId, maxLinks: MAX_LINKS, limit, maxEdges: request.maxEdges }
  const drawn =
    request.group === 'url'
      ? await drawUrls(db, look, { ...scope, by: request.by, since })
      : await drawGroups(db, look, { ...scope, group: request.group })
  const isAll = under === null && request.group === 'url'
  return {
    group: request.group,
    version: writeVersion(versionOf(look.urls)),
    nodes: drawn.nodes,
    edges: drawn.edges,
    totalNodes: isAll ? ledgerTotal(ledger) : drawn.totalNodes,
    totalEdges: drawn.totalEdges,
    isComplete: !look.isCut && drawn.isComplete,
  }
}

async function drawAround(
  db: BrowseDb,
  crawl: number,
  { around: urlId, limit, maxEdges }: GraphRequest & { around: number },
): Promise<GraphAnswer> {
  const around = await neighboursOf(db, crawl, urlId)
  if (around === null) throw new AppError('URL_NOT_FOUND', `The crawl has no url with the id ${urlId}.`)
  const others = [...new Set([...around.to, ...around.from])]
  const look: Look = await lookAt(db, crawl, [urlId, ...others.slice(0, limit - 1)])
  const drawn = await drawUrls(db, look, { crawl, maxLinks: MAX_LINKS, limit, maxEdges, by: 'found', since: null })
  return {
    group: 'url',
    version: writeVersion(versionOf(look.urls)),
    nodes: drawn.nodes,
    edges: drawn.edges,
    totalNodes: others.length + 1,
    totalEdges: drawn.totalEdges,
    isComplete: drawn.isComplete && others.length < limit && !around.isCut,
  }
}
