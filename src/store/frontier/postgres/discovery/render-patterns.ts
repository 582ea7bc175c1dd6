// URL patterns whose pages are to be rendered (ports/render-patterns.ts). A commit that adds one excludes all others that
// report pages of the crawl as read without rendering, so that each such page is either requeued by it, or sees it.

import { matchesRenderPattern, rendersAgain } from '../../../../frontier/render-patterns.ts'
import type { CommitBatch, LeaseGrant, LeaseRequest } from '../../../../ports/frontier.ts'
import { MAX_RENDER_PATTERNS, parseRenderPattern, plainPatternOf } from '../../../../ports/render-patterns.ts'
import { PAGE_KIND, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import { ADVISORY_LOCKS } from '../../../postgres/advisory-locks.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import type { VisitChanges } from '../record-visits.ts'
import type { VisitToRecord } from './collect-discoveries.ts'

const VISITED = stateCode('visited')
/** Pages read at a time. */
const CHUNK = 5000

const LOCK_ALL = {
  name: 'render_patterns_lock',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.renderPatterns}, $1)`,
}
const LOCK_SHARED = {
  name: 'render_patterns_share',
  text: `select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.renderPatterns}, $1)`,
}
const SELECT = {
  name: 'render_patterns_select',
  text: `select c.closing, array(select pattern from render_patterns where crawl = $1 order by pattern) as patterns
    from crawls c where c.id = $1`,
}
const INSERT = {
  name: 'render_patterns_insert',
  text: `insert into render_patterns (crawl, pattern) select $1, unnest($2::text[]) on conflict do nothing`,
}
const VISITED_PAGES = {
  name: 'render_patterns_pages',
  text: `select id, url, reason from urls where crawl = $1 and kind = ${PAGE_KIND} and state = ${VISITED} and id > $2
      and starts_with(url, $3) order by id limit ${CHUNK}`,
}
const REQUEUE = {
  name: 'render_patterns_requeue',
  text: `with wanted as (
      select crawl, id, host from urls where crawl = $1 and id = any($2::bigint[]) and state = ${VISITED} order by id for update
    )
    update urls u set state = ${QUEUED}, reason = null from wanted w
    where u.crawl = w.crawl and u.id = w.id and u.host = w.host returning u.host, u.rank`,
}

export interface RenderedPatterns {
  gaining: ReadonlySet<string>
  /** Those of them that the commit adds. */
  added: string[]
  /** Pages of theirs that were read without rendering are visited again. */
  rendersAgain: boolean
}

const NOTHING_LEARNED: RenderedPatterns = { gaining: new Set(), added: [], rendersAgain: false }

/** Must be the first statement of its transaction. */
export async function lockRenderPatterns(
  tx: Queryable,
  { id, settings }: CachedCrawl,
  { visits }: CommitBatch,
): Promise<RenderedPatterns> {
  const reports = visits.flatMap(({ render }) => render ?? [])
  if (settings.render !== 'auto' || reports.length === 0) return NOTHING_LEARNED
  const reported = new Set(reports.flatMap((report) => (report.kind === 'gained' ? [report.pattern] : [])))
  await tx.query({ ...(reported.size > 0 ? LOCK_ALL : LOCK_SHARED), values: [id] })
  const [row] = (await tx.query({ ...SELECT, values: [id] })).rows
  const known = new Set(row?.['patterns'] as string[] | undefined)
  const added = [...reported.difference(known)].slice(0, MAX_RENDER_PATTERNS - known.size)
  const closing = (row?.['closing'] ?? null) as string | null
  return { gaining: new Set([...known, ...added]), added, rendersAgain: rendersAgain(settings, closing) }
}

/** Whether the page was read without rendering, although its pattern gains. */
export function mustRenderAgain(
  { gaining, rendersAgain: isVisitedAgain }: RenderedPatterns,
  { url, visit }: VisitToRecord,
): boolean {
  if (!isVisitedAgain || gaining.size === 0 || visit.outcome.state !== 'visited') return false
  const pattern = plainPatternOf(visit.render, url.url)
  return pattern !== null && gaining.has(pattern)
}

/** Requeues pages of the added patterns that were read without rendering. Must run before the visits are recorded. */
export async function addRenderPatterns(
  tx: Queryable,
  crawl: number,
  { added, rendersAgain: isVisitedAgain }: RenderedPatterns,
  now: number,
): Promise<VisitChanges> {
  const result: VisitChanges = { changes: {}, hostsWithUrls: [] }
  if (added.length > 0) await tx.query({ ...INSERT, values: [crawl, added] })
  if (!isVisitedAgain) return result
  for (const pattern of added) {
    const prefix = `${parseRenderPattern(pattern).origin}/`
    for (let after = 0, isEnd = false; !isEnd; ) {
      const { rows } = await tx.query({ ...VISITED_PAGES, values: [crawl, after, prefix] })
      isEnd = rows.length < CHUNK
      after = Number(rows.at(-1)?.['id'] ?? 0)
      const ids = rows
        .filter(({ url, reason }) =>
          matchesRenderPattern(pattern, { url: String(url), reason: reason as string | null }),
        )
        .map(({ id }) => Number(id))
      if (ids.length === 0) continue
      const requeued = (await tx.query({ ...REQUEUE, values: [crawl, ids] })).rows
      addChange(result.changes, 'visited', -requeued.length)
      addChange(result.changes, 'open', requeued.length)
      for (const { host, rank } of requeued)
        result.hostsWithUrls.push({ host: Number(host), rank: Number(rank), dueAt: now })
    }
  }
  return result
}

/** `count`: of the patterns that the crawl has. */
export async function renderPatternsSince(
  db: Queryable,
  { id, settings }: CachedCrawl,
  { renderPatterns }: LeaseRequest,
  count: number,
): Promise<Pick<LeaseGrant, 'renderPatterns'>> {
  if (settings.render !== 'auto' || count === renderPatterns) return {}
  const [row] = (await db.query({ ...SELECT, values: [id] })).rows
  return { renderPatterns: (row?.['patterns'] ?? []) as string[] }
}
