// Turns the report of an external crawler into a visit report like that of a crawl thread, with the same rules for
// outcomes, link admission and host health. A report is accepted only while the lease of its task is held.

import { setImmediate } from 'node:timers/promises'
import { findCrawl } from '../../api/requests/find-crawl.ts'
import { LeasedHost } from '../../engine/crawl/hosts/leased-host.ts'
import type { AdmittedLinks, LinkAdmission } from '../../engine/crawl/links/link-admission.ts'
import { KEY_BYTES, NO_LINK_KEYS } from '../../engine/crawl/links/link-key-buffer.ts'
import { decideVerdict } from '../../engine/crawl/visit/verdict.ts'
import type { FetchResult } from '../../engine/fetch/fetch-result.ts'
import { LinkResolver } from '../../engine/url/link-resolver.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { HEALTHY_HOST } from '../../ports/leases.ts'
import type { VisitFacts, VisitOutcome, VisitReport } from '../../ports/visits.ts'
import { emptyCommitBatch, type TaskDependencies } from './claim-tasks.ts'
import { CrawlRules } from './crawl-rules.ts'
import { findPendingDocument } from './submit-document.ts'
import type { TaskClaim } from './task-id.ts'

export interface TaskReport {
  isCompleted: boolean
  extractedUrls: string[]
  httpStatus: number | null
  contentType: string | null
  contentBytes: number | null
  fetchMs: number
  processingMs: number | null
  /** The target of a redirect. */
  finalUrl: string | null
}

export interface AppliedReport {
  state: VisitOutcome['state']
  added: number
}

const EMPTY = Buffer.alloc(0)
const OK = 200

/** Renews the lease; throws if it is lost, and counts the late report. */
export async function renewTask({ crawlId, crawlerId, lease, url }: TaskClaim, { frontier }: TaskDependencies) {
  const lost = await frontier.renew([lease.token])
  if (lost.length === 0) return
  await frontier.commit({ ...emptyCommitBatch(crawlId, crawlerId), lateReports: 1 })
  throw leaseLostError(url.url)
}

export async function applyTaskReport(
  claim: TaskClaim,
  taskReport: TaskReport,
  dependencies: TaskDependencies,
): Promise<AppliedReport> {
  const { crawlId, crawlerId, lease, url } = claim
  const crawl = await findCrawl(dependencies.crawls, crawlId)
  // Checked first, because a late commit would also cost the crawler its other, valid leases.
  await renewTask(claim, dependencies)
  const now = dependencies.clock.now()
  const result = toFetchResult(taskReport)
  const attempt = { url: url.url, attempts: url.attempts, now, jitter: dependencies.random() }
  const visitOutcome = judgeReport(taskReport, result, crawl, attempt)
  const linkAdmission = await new CrawlRules(crawl, dependencies).createLinkAdmission()
  const visit = {
    token: lease.token,
    urlId: url.id,
    outcome: visitOutcome,
    facts: toVisitFacts(taskReport, now),
    page: null,
    traps: null,
    freshness: null,
  }
  const { found, linkKeys } = await admitLinks(linkAdmission, claim, taskReport, { outcome: visitOutcome, crawl })
  const report: VisitReport = { ...visit, found, linkCount: linkKeys.length / KEY_BYTES }
  if (visitOutcome.state === 'visited') await attachDocument(report, claim, dependencies)
  const { late, added } = await dependencies.frontier.commit({
    ...emptyCommitBatch(crawlId, crawlerId),
    visits: [report],
    linkKeys,
    hosts: [toHostReport(claim, crawl, result, { now, random: dependencies.random })],
    rejected: linkAdmission.rejections.takeCounts(),
    samples: linkAdmission.rejections.takeSamples(),
    release: [lease.token],
    bytes: taskReport.contentBytes ?? 0,
  })
  if (late > 0) throw leaseLostError(url.url)
  return { state: visitOutcome.state, added }
}

function leaseLostError(url: string): AppError {
  return new AppError(
    'LEASE_LOST',
    `The task for ${url} was already reported or its lease has expired; this report was ignored.`,
  )
}

/** The fetch result as our HTTP client would have returned it, with simple defaults for missing fields. */
function toFetchResult({
  isCompleted,
  httpStatus,
  contentType,
  contentBytes,
  fetchMs,
  finalUrl,
}: TaskReport): FetchResult {
  const common = { wireBytes: contentBytes ?? 0, fetchMs, ip: null, cname: null }
  if (!isCompleted && (httpStatus === null || httpStatus < 300)) {
    return { kind: 'failure', problem: 'unknown_error', detail: 'reported', ...common }
  }
  const headers = { contentType: contentType ?? '', retryAfter: null, robotsTag: null, linkHeader: null, etag: null }
  const bytes = {
    body: EMPTY,
    wire: EMPTY,
    statusText: '',
    rawHeaders: [],
    sent: null,
    truncated: false,
    ttfbMs: fetchMs,
  }
  const response = { kind: 'response' as const, status: httpStatus ?? OK, location: finalUrl, lastModified: null }
  return { ...response, ...headers, ...bytes, ...common }
}

/** A failure without details gets the reason `reported_failure`. */
function judgeReport(
  { isCompleted }: TaskReport,
  result: FetchResult,
  { settings }: Crawl,
  attempt: Parameters<typeof decideVerdict>[2],
): VisitOutcome {
  const visitOutcome = decideVerdict(result, settings, attempt)
  return !isCompleted && result.kind === 'failure' ? { ...visitOutcome, reason: 'reported_failure' } : visitOutcome
}

function toVisitFacts(
  { httpStatus, contentType, contentBytes, fetchMs, processingMs, finalUrl }: TaskReport,
  now: number,
): VisitFacts {
  const target = finalUrl === null ? null : normaliseUrl(finalUrl)
  return {
    httpStatus,
    contentType,
    contentLength: contentBytes,
    contentHash: null,
    title: null,
    redirectTo: target === null ? null : 'url' in target ? target.url : finalUrl,
    canonical: null,
    noindex: false,
    nofollow: false,
    fetchMs,
    processingMs,
    ip: null,
    cname: null,
    proxy: null,
    visitedAt: now,
  }
}

interface ReportContext {
  outcome: VisitOutcome
  crawl: Crawl
}

async function admitLinks(
  linkAdmission: LinkAdmission,
  { url }: TaskClaim,
  { extractedUrls, finalUrl }: TaskReport,
  { outcome, crawl: { settings } }: ReportContext,
): Promise<Pick<AdmittedLinks, 'found' | 'linkKeys'>> {
  const isRedirect = outcome.state === 'redirected'
  const isPage = url.kind === 'page' && !settings.sitemapOnly
  const isRead = outcome.state === 'visited' && (url.kind === 'sitemap' || isPage)
  if (!(isRedirect ? settings.followRedirects : isRead)) return { found: [], linkKeys: NO_LINK_KEYS }
  const hrefs = isRedirect ? [finalUrl ?? ''] : extractedUrls
  const page = linkAdmission.openPage({
    urlId: url.id,
    pageUrl: url.url,
    resolver: new LinkResolver(url.url, isRedirect || settings.keepSessionIds),
    depth: isRedirect ? url.depth : url.depth + 1,
    hops: isRedirect ? url.hops + 1 : 0,
    kind: isRedirect ? url.kind : 'page',
  })
  const links = hrefs.map((href) => ({ href, rel: '' }))
  for (let from = 0; from < links.length; ) {
    if (from > 0) await setImmediate()
    from = linkAdmission.addLinks(page, links, from)
  }
  return linkAdmission.closePage(page)
}

async function attachDocument(report: VisitReport, claim: TaskClaim, dependencies: TaskDependencies): Promise<void> {
  const document = await findPendingDocument(claim, dependencies.access.external)
  if (document === null || report.facts === null) return
  const { title, contentType, contentHash, contentLength, page } = document
  report.page = page
  report.facts = { ...report.facts, httpStatus: report.facts.httpStatus ?? OK, title, contentHash, contentLength }
  report.facts.contentType ??= contentType
}

function toHostReport(
  { lease, url, crawlDelayMs }: TaskClaim,
  { settings }: Crawl,
  result: FetchResult,
  { now, random }: { now: number; random: () => number },
) {
  const startedAt = now - result.fetchMs
  // A claim made by an older version lacks newer fields of the host health.
  const health = { ...HEALTHY_HOST, ...lease.health }
  const host = new LeasedHost({ ...lease, health, urls: [] }, settings, startedAt, random)
  host.applyCrawlDelay(crawlDelayMs)
  host.beginRequest(startedAt)
  host.finishRequest(result, now, { startedAt, concurrentRequests: 1, attempts: url.attempts, postponements: 0 })
  return host.takeReport()
}
