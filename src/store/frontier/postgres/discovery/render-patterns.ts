// URL patterns whose pages are to be rendered (ports/render-patterns.ts). A commit that adds a pattern excludes all
// concurrent commits that report pages of the crawl as read without rendering. So each such page is either committed
// before the pattern and checked later (check-render-patterns.ts), or its commit sees the pattern.

import { rendersAgain, staysAsRead } from '../../../../frontier/render-patterns.ts'
import type { CommitBatch } from '../../../../ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../../ports/leases.ts'
import { MAX_RENDER_PATTERNS, plainPatternOf } from '../../../../ports/render-patterns.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import { ADVISORY_LOCKS } from '../../../postgres/advisory-locks.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import type { VisitToRecord } from './collect-discoveries.ts'

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
  text: `insert into render_patterns (crawl, pattern, checked_to) select $1, unnest($2::text[]), $3 on conflict do nothing`,
}

export interface RenderedPatterns {
  gaining: ReadonlySet<string>
  /** Whether a page that was read without rendering, and whose pattern is to be rendered, is visited again. */
  isVisitedAgain: (page: VisitToRecord['url']) => boolean
}

const NOTHING_LEARNED: RenderedPatterns = { gaining: new Set(), isVisitedAgain: () => false }

/** Must be the first statement of its transaction. */
export async function lockRenderPatterns(
  tx: Queryable,
  { crawl, policies }: { crawl: CachedCrawl; policies: PolicyCache },
  { visits }: CommitBatch,
): Promise<RenderedPatterns> {
  const { id, settings } = crawl
  const reports = visits.flatMap(({ render }) => render ?? [])
  if (settings.render !== 'auto' || reports.length === 0) return NOTHING_LEARNED
  const reported = new Set(reports.flatMap((report) => (report.kind === 'gained' ? [report.pattern] : [])))
  await tx.query({ ...(reported.size > 0 ? LOCK_ALL : LOCK_SHARED), values: [id] })
  const [row] = (await tx.query({ ...SELECT, values: [id] })).rows
  const known = new Set(row?.['patterns'] as string[] | undefined)
  const added = [...reported.difference(known)].slice(0, MAX_RENDER_PATTERNS - known.size)
  const mustCheck = rendersAgain(settings, (row?.['closing'] ?? null) as string | null)
  if (added.length > 0) await tx.query({ ...INSERT, values: [id, added, mustCheck ? 0 : null] })
  return {
    gaining: new Set([...known, ...added]),
    isVisitedAgain: (page) => mustCheck && !staysAsRead(crawl, page, policies.resolve(new URL(page.url).host)),
  }
}

/** Whether the page was read without rendering although its pattern is to be rendered. */
export function mustRenderAgain(
  { gaining, isVisitedAgain }: RenderedPatterns,
  { url, visit }: Pick<VisitToRecord, 'url' | 'visit'>,
): boolean {
  if (gaining.size === 0 || visit.outcome.state !== 'visited') return false
  const pattern = plainPatternOf(visit.render, url.url)
  return pattern !== null && gaining.has(pattern) && isVisitedAgain(url)
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
