// Audits as the API reports them.

import { isAuditRunning } from '../../audit/audit-runner.ts'
import { RULES } from '../../audit/rules.ts'
import { isoTime } from '../../lib/iso-time.ts'
import { type Audit, type AuditFinding, MAX_LISTED_FINDINGS } from '../../ports/audits.ts'
import type { RouteResponse } from '../contract/routes.ts'

type AuditJson = RouteResponse<'getAudit'>

export interface LatestAudits {
  last: Audit | null
  finished: Audit | null
  isWaiting: boolean
  now: number
}

export function auditJson(crawlId: string, { last, finished, isWaiting, now }: LatestAudits): AuditJson {
  const summary = finished?.summary ?? null
  return {
    crawl_id: crawlId,
    run: runJson(last, isWaiting, now),
    finished_at: finished?.finishedAt == null ? null : isoTime(finished.finishedAt),
    urls: summary?.urls ?? 0,
    pages: summary?.pages ?? 0,
    unread_pages: summary?.unreadPages ?? 0,
    open_urls: summary?.openUrls ?? 0,
    crawl_status: summary?.crawlStatus ?? null,
    earlier_crawl_id: summary?.earlierCrawlId ?? null,
    rules: RULES.map(({ name, title, severity, why, fix, needs }) => {
      const skipped = summary?.skipped[name] ?? null
      // A rule that is newer than the audit has no count.
      const count = skipped === null ? (summary?.counts[name] ?? null) : null
      const listed = Math.min(count ?? 0, MAX_LISTED_FINDINGS)
      return { rule: name, title, severity, why, fix, needs, count, listed, skipped }
    }),
  }
}

function runJson(last: Audit | null, isWaiting: boolean, now: number): AuditJson['run'] {
  if (isWaiting) return { state: 'waiting', started_at: null, stage: null, done: 0, total: 0, problem: null }
  if (last === null || last.state === 'finished') return null
  const { startedAt, progress, problem } = last
  const state = last.state === 'running' && !isAuditRunning(last, now) ? 'interrupted' : last.state
  return { state, started_at: isoTime(startedAt), ...progress, problem }
}

export function findingJson(finding: AuditFinding): RouteResponse<'listAuditFindings'>['items'][number] {
  const { urlId, url, otherUrlId, otherUrl, text, detail } = finding
  return { url_id: urlId, url, other_url_id: otherUrlId, other_url: otherUrl, text, detail }
}
