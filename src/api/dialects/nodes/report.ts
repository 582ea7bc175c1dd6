// What an outside crawler says of a task becomes the visit that a crawl thread of ours would have reported: judged by the
// same rules, its links admitted by the same questions, the host paced by the same answers. It counts only while the lease
// of the task is held.

import { setImmediate } from 'node:timers/promises'
import type { Admit } from '../../../engine/crawl/admit.ts'
import { HostWork } from '../../../engine/crawl/host-work.ts'
import { judge } from '../../../engine/crawl/verdict.ts'
import type { FetchResult } from '../../../engine/fetch/result.ts'
import { normaliseUrl } from '../../../engine/url/normalise.ts'
import { Resolver } from '../../../engine/url/resolve.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Crawl } from '../../../ports/crawls.ts'
import { HEALTHY, type Verdict, type VisitFacts, type VisitReport } from '../../../ports/frontier.ts'
import { findCrawl } from '../../requests/find.ts'
import { findDocument } from './documents.ts'
import { Policy } from './policy.ts'
import type { TaskClaim } from './task-id.ts'
import { emptyBatch, type TaskParts } from './tasks.ts'

export interface TaskReport {
  isCompleted: boolean
  extractedUrls: string[]
  httpStatus: number | null
  contentType: string | null
  contentBytes: number | null
  fetchMs: number
  /** Where a redirect leads. */
  finalUrl: string | null
}

export interface Applied {
  state: Verdict['state']
  added: number
}

const EMPTY = Buffer.alloc(0)
const OK = 200

/** Keeps the lease for as long again, or says that it is lost. */
export async function renewTask({ lease, url }: TaskClaim, { frontier }: TaskParts): Promise<void> {
  const lost = await frontier.renew([lease.token])
  if (lost.length > 0) throw leaseLost(url.url)
}

export async function applyReport(claim: TaskClaim, told: TaskReport, parts: TaskParts): Promise<Applied> {
  const { crawlId, crawlerId, lease, url } = claim
  const crawl = await findCrawl(parts.crawls, crawlId)
  // A late commit would cost the crawler its other leases too, which are no worse for it.
  await renewTask(claim, parts)
  const now = parts.clock.now()
  const result = resultOf(told)
  const attempt = { url: url.url, attempts: url.attempts, now, luck: parts.random() }
  const verdict = verdictOf(told, result, crawl, attempt)
  const admit = await new Policy(crawl, parts).admit()
  const visit = { token: lease.token, urlId: url.id, verdict, facts: factsOf(told, now), page: null, traps: null }
  const report: VisitReport = { ...visit, ...(await admitLinks(admit, claim, told, { verdict, crawl })) }
  if (verdict.state === 'visited') await addDocument(report, claim, parts)
  const { late, added } = await parts.frontier.commit({
    ...emptyBatch(crawlId, crawlerId),
    visits: [report],
    linkKeys: admit.linkKeys.takeClosed(),
    hosts: [hostReport(claim, crawl, result, now)],
    rejected: admit.rejections.takeCounts(),
    samples: admit.rejections.takeSamples(),
    release: [lease.token],
    bytes: told.contentBytes ?? 0,
  })
  if (late > 0) throw leaseLost(url.url)
  return { state: verdict.state, added }
}

function leaseLost(url: string): AppError {
  return new AppError('LEASE_LOST', `The task for ${url} was reported or taken back; this report changes nothing.`)
}

/** As our client would have told it. What is not said is taken for the plainest case. */
function resultOf({ isCompleted, httpStatus, contentType, contentBytes, fetchMs, finalUrl }: TaskReport): FetchResult {
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

/** A failure that was only reported has a reason of its own. */
function verdictOf(
  { isCompleted }: TaskReport,
  result: FetchResult,
  { settings }: Crawl,
  attempt: Parameters<typeof judge>[2],
): Verdict {
  const verdict = judge(result, settings, attempt)
  return !isCompleted && result.kind === 'failure' ? { ...verdict, reason: 'reported_failure' } : verdict
}

function factsOf({ httpStatus, contentType, contentBytes, fetchMs, finalUrl }: TaskReport, now: number): VisitFacts {
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
    fetchMs,
    ip: null,
    cname: null,
    visitedAt: now,
  }
}

interface Outcome {
  verdict: Verdict
  crawl: Crawl
}

async function admitLinks(
  admit: Admit,
  { url }: TaskClaim,
  { extractedUrls, finalUrl }: TaskReport,
  { verdict, crawl: { settings } }: Outcome,
): Promise<Pick<VisitReport, 'found' | 'links'>> {
  const isRedirect = verdict.state === 'redirected'
  const isRead = verdict.state === 'visited' && (url.kind === 'sitemap' || !settings.sitemapOnly)
  if (!(isRedirect ? settings.followRedirects : isRead)) return { found: [], links: 0 }
  const hrefs = isRedirect ? [finalUrl ?? ''] : extractedUrls
  const page = admit.open({
    urlId: url.id,
    pageUrl: url.url,
    resolver: new Resolver(url.url, isRedirect || settings.keepSessionIds),
    depth: isRedirect ? url.depth : url.depth + 1,
    hops: isRedirect ? url.hops + 1 : 0,
    kind: isRedirect ? url.kind : 'page',
  })
  const links = hrefs.map((href) => ({ href, rel: '' }))
  for (let from = 0; from < links.length; ) {
    if (from > 0) await setImmediate()
    from = admit.add(page, links, from)
  }
  const { found, links: count } = admit.close(page)
  return { found, links: count }
}

async function addDocument(report: VisitReport, claim: TaskClaim, parts: TaskParts): Promise<void> {
  const document = await findDocument(claim, parts.access.outside)
  if (document === null || report.facts === null) return
  const { title, contentType, contentHash, contentLength, page } = document
  report.page = page
  report.facts = { ...report.facts, httpStatus: report.facts.httpStatus ?? OK, title, contentHash, contentLength }
  report.facts.contentType ??= contentType
}

function hostReport({ lease, url, crawlDelayMs }: TaskClaim, { settings }: Crawl, result: FetchResult, now: number) {
  const startedAt = now - result.fetchMs
  // A claim made by an older version lacks the newer parts of the health.
  const health = { ...HEALTHY, ...lease.health }
  const work = new HostWork({ ...lease, health, urls: [] }, settings, startedAt)
  work.heedDelay(crawlDelayMs)
  work.begin(startedAt)
  work.finish(result, now, { startedAt, atOnce: 1, attempts: url.attempts, deferrals: 0 })
  return work.report()
}
