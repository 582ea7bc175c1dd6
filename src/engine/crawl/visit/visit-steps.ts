// The path of one url from its answer to its report, in order: judge, hash, extract, admit. Written as steps with
// pauses between them, so that a huge page does not hold up the thread: see reading.ts, which takes them.

import { hash } from 'node:crypto'
import { copyString } from '../../../lib/copy-string.ts'
import type { FoundUrl, LeasedUrl, VisitFacts, VisitOutcome, VisitReport } from '../../../ports/frontier.ts'
import type { FetchResponse, FetchResult } from '../../fetch/fetch-result.ts'
import type { ContentType } from '../../media/content-type.ts'
import { findContentType } from '../../media/content-types.ts'
import { detectContentType } from '../../media/detect-type.ts'
import { sniffHtml } from '../../parse/charset/sniff-html.ts'
import type { RobotsPermission } from '../../robots/robots-checker.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import type { LinkAdmission } from '../links/link-admission.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import { readDocument } from './read-document.ts'
import { type PageSettings, readPage, recordMetadata } from './read-page.ts'
import { readSitemap } from './read-sitemap.ts'
import {
  type ArchiveRules,
  joinNotes,
  NO_PAGE_FACTS,
  type PageFacts,
  prepareForArchive,
  type ResponseToArchive,
  shouldArchive,
} from './response-to-archive.ts'
import { decideVerdict, type RetryPolicy, retryOrEnd } from './verdict.ts'

export interface VisitDependencies {
  linkAdmission: LinkAdmission
  policy: RetryPolicy
  followRedirects: boolean
  page: PageSettings
  archiveRules: ArchiveRules
  random: () => number
}

export interface Visit {
  token: number
  url: LeasedUrl
  host: string
  result: FetchResult
  now: number
}

/** A pause: null until the next turn, or something that calls back when it is ready. */
export type StepPause = null | ((resume: () => void) => void)
export type Steps<T> = Generator<StepPause, T, void>

export type FetchedReport = VisitReport & { facts: VisitFacts }

/** Hashing takes 1 ms a MiB; a body longer than this gets a turn of its own for it. */
const LONG_BODY = 1 << 20
const NO_FINDINGS = { found: [] as FoundUrl[], linkCount: 0, page: null, traps: null }

/** What became of a visit, and the answer if it is to be kept. */
export interface VisitResult {
  report: VisitReport
  toArchive: ResponseToArchive | null
}

export function* visitSteps(visit: Visit, dependencies: VisitDependencies): Steps<VisitResult> {
  const { token, url, result, now } = visit
  const visitOutcome = decideVerdict(result, dependencies.policy, {
    url: url.url,
    attempts: url.attempts,
    now,
    jitter: dependencies.random(),
  })
  const report: FetchedReport = {
    token,
    urlId: url.id,
    outcome: visitOutcome,
    facts: toVisitFacts(result, now),
    ...NO_FINDINGS,
  }
  if (result.kind === 'failure') return { report, toArchive: null }
  if (result.body.length > LONG_BODY) yield null
  if (visitOutcome.state === 'redirected') followRedirect(report, visit, result, dependencies)
  const read =
    visitOutcome.state === 'visited' ? yield* readResponseBody(report, visit, result, dependencies) : NO_RESPONSE_FACTS
  if (read === 'no_room') return { report: reportDocumentDeferred({ token, url }, dependencies), toArchive: null }
  // An answer that is only asked for again is not worth keeping.
  if (visitOutcome.state === 'retry' || !shouldArchive(dependencies.archiveRules, url.url, result, read.isHtml)) {
    return { report, toArchive: null }
  }
  const { contentHash } = report.facts
  const responseToArchive = prepareForArchive(visit, result, { ...read, contentHash })
  report.page = responseToArchive.page
  return { report, toArchive: responseToArchive }
}

interface ResponseFacts {
  facts: PageFacts
  extracted: Buffer | null
  isHtml: boolean
}

const NO_RESPONSE_FACTS: ResponseFacts = { facts: NO_PAGE_FACTS, extracted: null, isHtml: false }

/** Puts what was found into the report; answers what the page says of itself, or that the document readers are full. */
function* readResponseBody(
  report: FetchedReport,
  visit: Visit,
  result: FetchResponse,
  dependencies: VisitDependencies,
): Steps<ResponseFacts | 'no_room'> {
  const { url } = visit
  const answered = { ...visit, result }
  const { type, mismatch } = detectContentType(result.contentType, result.body)
  const media = findContentType(type)
  // Robots.txt may name anything a sitemap: a page is read as what it is.
  const isSitemap = url.kind === 'sitemap' && !sniffHtml(result.body)
  if (url.kind === 'sitemap' && !isSitemap) report.outcome = { state: 'visited', reason: 'not_a_sitemap' }
  const isHeavy = !isSitemap && dependencies.page.documents && media?.isHeavy(result.body) === true
  if (isHeavy && !dependencies.page.documentQueue.hasRoomFor(result.body.length)) return 'no_room'
  const { found, linkCount, page, traps, extracted } = yield* isSitemap
    ? readSitemap(report, answered, dependencies)
    : media?.isPage
      ? readPage(report, answered, dependencies)
      : readNonPage(media, report, answered, dependencies)
  report.found = found
  report.linkCount = linkCount
  report.traps = traps
  const facts = page ?? NO_PAGE_FACTS
  return { facts: { ...facts, note: joinNotes(facts.note, mismatch) }, extracted, isHtml: media?.isPage === true }
}

/** No page: its headers are read, and what is in it if it is a document we know. */
function* readNonPage(
  media: ContentType | null,
  report: FetchedReport,
  visit: Visit & { result: FetchResponse },
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const extract = media?.extract ?? null
  if (media !== null && extract !== null && dependencies.page.documents) {
    return yield* readDocument({ ...media, extract }, report, visit, dependencies)
  }
  recordMetadata(report, null, visit, dependencies)
  return NOTHING_PARSED
}

/** A url that ends without a request, because its host is down. */
export function reportHostDown({ token, url }: { token: number; url: LeasedUrl }, reason: string): VisitReport {
  return { token, urlId: url.id, outcome: { state: 'failed', reason }, facts: null, ...NO_FINDINGS }
}

/** A url that shares the fate of its host: it is tried again, and this was no attempt. */
export function reportHostDeferred(
  { token, url }: { token: number; url: LeasedUrl },
  reason: string,
  retryAt: number,
): VisitReport {
  const verdict = { state: 'retry' as const, reason, dueAt: Math.ceil(retryAt) }
  return { token, urlId: url.id, outcome: verdict, facts: null, ...NO_FINDINGS }
}

/** A document that the readers have no room for: it is asked for later, and this was no attempt. */
export function reportDocumentDeferred(
  { token, url }: { token: number; url: LeasedUrl },
  dependencies: VisitDependencies,
): VisitReport {
  const dueAt = dependencies.page.documentQueue.defer(url.id)
  const verdict = { state: 'retry' as const, reason: 'document_reader_busy', dueAt }
  return { token, urlId: url.id, outcome: verdict, facts: null, ...NO_FINDINGS }
}

export interface StalledVisit {
  token: number
  urlId: number
  /** Visits made before this one. */
  attempts: number
}

const MAX_STALLS = 2

export function reportExcluded(leased: { token: number; url: LeasedUrl }, reason: string): VisitReport {
  return {
    token: leased.token,
    urlId: leased.url.id,
    outcome: { state: 'excluded', reason },
    facts: null,
    ...NO_FINDINGS,
  }
}

/** The visit whose reading did not come to an end, or not before its lease was lost. Once may be chance. */
export function reportStalled(
  { token, urlId, attempts }: StalledVisit,
  retryDelayMs: number,
  now: number,
): VisitReport {
  const reason = 'stalled'
  const visitOutcome: VisitOutcome =
    attempts + 1 >= MAX_STALLS ? { state: 'failed', reason } : { state: 'retry', reason, dueAt: now + retryDelayMs }
  return { token, urlId, outcome: visitOutcome, facts: { ...NO_RESPONSE, visitedAt: now }, ...NO_FINDINGS }
}

/** A url that robots.txt keeps us from: for good by a rule, or for now because the rules cannot be had. */
export function reportRobotsDenied(
  leased: { token: number; url: LeasedUrl },
  permit: Extract<RobotsPermission, { kind: 'denied' | 'unreachable' }>,
  dependencies: VisitDependencies,
  now: number,
): VisitReport {
  if (permit.kind === 'denied') return reportExcluded(leased, permit.reason)
  const { token, url } = leased
  const attempt = { attempts: url.attempts, now, jitter: dependencies.random() }
  const visitOutcome = retryOrEnd('excluded', permit.reason, permit.until - now, dependencies.policy, attempt)
  const facts = visitOutcome.state === 'retry' ? { ...NO_RESPONSE, visitedAt: now } : null
  return { token, urlId: url.id, outcome: visitOutcome, facts, ...NO_FINDINGS }
}

const NO_RESPONSE: VisitFacts = {
  httpStatus: null,
  contentType: null,
  contentLength: null,
  contentHash: null,
  title: null,
  redirectTo: null,
  canonical: null,
  noindex: false,
  fetchMs: null,
  ip: null,
  cname: null,
  visitedAt: 0,
}

function toVisitFacts(result: FetchResult, now: number): VisitFacts {
  const { fetchMs, ip, cname } = result
  const facts = { ...NO_RESPONSE, fetchMs, ip, cname, visitedAt: now }
  if (result.kind === 'failure') return facts
  facts.httpStatus = result.status
  facts.contentType = result.contentType === '' ? null : copyString(result.contentType)
  facts.contentLength = result.body.length
  facts.contentHash = result.status === 200 ? hash('sha256', result.body, 'hex') : null
  return facts
}

function followRedirect(
  report: FetchedReport,
  visit: Visit,
  result: FetchResponse,
  dependencies: VisitDependencies,
): void {
  const { url } = visit
  const location = result.location ?? ''
  const target = normaliseUrl(location, url.url)
  report.facts.redirectTo = 'url' in target ? target.url : copyString(location)
  if (!dependencies.followRedirects) return
  const { linkAdmission } = dependencies
  // A server that puts a session id into the url by a redirect would otherwise redirect a page to itself.
  const linkResolver = new LinkResolver(url.url, true)
  const { id, kind, depth, hops } = url
  const page = linkAdmission.openPage({
    urlId: id,
    pageUrl: url.url,
    resolver: linkResolver,
    depth,
    hops: hops + 1,
    kind,
  })
  linkAdmission.addLinks(page, [{ href: location, rel: '' }], 0)
  const { found, linkCount } = linkAdmission.closePage(page)
  report.found = found
  report.linkCount = linkCount
  if (url.ancestry !== null) report.traps = { skeletons: url.ancestry.skeletons, held: null, lines: [] }
}
