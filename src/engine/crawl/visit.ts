// The path of one url from its answer to its report, in order: judge, hash, extract, admit. Written as steps with
// pauses between them, so that a huge page does not hold up the thread: see reading.ts, which takes them.

import { hash } from 'node:crypto'
import { detach } from '../../lib/detach.ts'
import type { FoundUrl, LeasedUrl, Verdict, VisitFacts, VisitReport } from '../../ports/frontier.ts'
import type { FetchResponse, FetchResult } from '../fetch/result.ts'
import { decide } from '../media/decide.ts'
import { typeNamed } from '../media/list.ts'
import type { ContentType } from '../media/type.ts'
import { sniffHtml } from '../parse/content-type.ts'
import type { Permit } from '../robots/gate.ts'
import { normaliseUrl } from '../url/normalise.ts'
import { Resolver } from '../url/resolve.ts'
import type { Admit } from './admit.ts'
import { readDocument } from './document.ts'
import { joinNotes, type KeepRules, type Kept, keepAnswer, NO_PAGE_FACTS, type PageFacts, wantsToKeep } from './keep.ts'
import { describe, type PageSettings, readPage } from './page.ts'
import { NO_LINKS, type Read } from './read.ts'
import { readSitemap } from './sitemap.ts'
import { judge, type RetryPolicy, retryOr } from './verdict.ts'

export interface VisitParts {
  admit: Admit
  policy: RetryPolicy
  followRedirects: boolean
  page: PageSettings
  keep: KeepRules
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
export type Pause = null | ((resume: () => void) => void)
export type Steps<T> = Generator<Pause, T, void>

export type FetchedReport = VisitReport & { facts: VisitFacts }

/** Hashing takes 1 ms a MiB; a body longer than this gets a turn of its own for it. */
const LONG_BODY = 1 << 20
const NOTHING = { found: [] as FoundUrl[], links: 0, page: null, traps: null }

/** What became of a visit, and the answer if it is to be kept. */
export interface Visited {
  report: VisitReport
  kept: Kept | null
}

export function* visitSteps(visit: Visit, parts: VisitParts): Steps<Visited> {
  const { token, url, result, now } = visit
  const verdict = judge(result, parts.policy, { url: url.url, attempts: url.attempts, now, luck: parts.random() })
  const report: FetchedReport = { token, urlId: url.id, verdict, facts: factsOf(result, now), ...NOTHING }
  if (result.kind === 'failure') return { report, kept: null }
  if (result.body.length > LONG_BODY) yield null
  if (verdict.state === 'redirected') followRedirect(report, visit, result, parts)
  const read = verdict.state === 'visited' ? yield* readAnswer(report, visit, result, parts) : UNREAD
  if (read === 'no_room') return { report: reportPutOff({ token, url }, parts), kept: null }
  // An answer that is only asked for again is not worth keeping.
  if (verdict.state === 'retry' || !wantsToKeep(parts.keep, url.url, result, read.isHtml)) {
    return { report, kept: null }
  }
  const { contentHash } = report.facts
  const kept = keepAnswer(visit, result, { ...read, contentHash })
  report.page = kept.page
  return { report, kept }
}

interface ReadAnswer {
  facts: PageFacts
  extracted: Buffer | null
  isHtml: boolean
}

const UNREAD: ReadAnswer = { facts: NO_PAGE_FACTS, extracted: null, isHtml: false }

/** Puts what was found into the report; answers what the page says of itself, or that the document readers are full. */
function* readAnswer(
  report: FetchedReport,
  visit: Visit,
  result: FetchResponse,
  parts: VisitParts,
): Steps<ReadAnswer | 'no_room'> {
  const { url } = visit
  const answered = { ...visit, result }
  const { type, mismatch } = decide(result.contentType, result.body)
  const media = typeNamed(type)
  // Robots.txt may name anything a sitemap: a page is read as what it is.
  const isSitemap = url.kind === 'sitemap' && !sniffHtml(result.body)
  if (url.kind === 'sitemap' && !isSitemap) report.verdict = { state: 'visited', reason: 'not_a_sitemap' }
  const isHeavy = !isSitemap && parts.page.documents && media?.isHeavy(result.body) === true
  if (isHeavy && !parts.page.documentQueue.hasRoomFor(result.body.length)) return 'no_room'
  const { found, links, page, traps, extracted } = yield* isSitemap
    ? readSitemap(report, answered, parts)
    : media?.isPage
      ? readPage(report, answered, parts)
      : readOther(media, report, answered, parts)
  report.found = found
  report.links = links
  report.traps = traps
  const facts = page ?? NO_PAGE_FACTS
  return { facts: { ...facts, note: joinNotes(facts.note, mismatch) }, extracted, isHtml: media?.isPage === true }
}

/** No page: its headers are read, and what is in it if it is a document we know. */
function* readOther(
  media: ContentType | null,
  report: FetchedReport,
  visit: Visit & { result: FetchResponse },
  parts: VisitParts,
): Steps<Read> {
  const extract = media?.extract ?? null
  if (media !== null && extract !== null && parts.page.documents) {
    return yield* readDocument({ ...media, extract }, report, visit, parts)
  }
  describe(report, null, visit, parts)
  return NO_LINKS
}

/** A url that ends without a request, because its host is down. */
export function reportDown({ token, url }: { token: number; url: LeasedUrl }, reason: string): VisitReport {
  return { token, urlId: url.id, verdict: { state: 'failed', reason }, facts: null, ...NOTHING }
}

/** A url that shares the fate of its host: it is tried again, and this was no attempt. */
export function reportDeferred(
  { token, url }: { token: number; url: LeasedUrl },
  reason: string,
  retryAt: number,
): VisitReport {
  const verdict = { state: 'retry' as const, reason, dueAt: Math.ceil(retryAt) }
  return { token, urlId: url.id, verdict, facts: null, ...NOTHING }
}

/** A document that the readers have no room for: it is asked for later, and this was no attempt. */
export function reportPutOff({ token, url }: { token: number; url: LeasedUrl }, parts: VisitParts): VisitReport {
  const dueAt = parts.page.documentQueue.putOff(url.id)
  const verdict = { state: 'retry' as const, reason: 'document_reader_busy', dueAt }
  return { token, urlId: url.id, verdict, facts: null, ...NOTHING }
}

export interface StalledVisit {
  token: number
  urlId: number
  /** Visits made before this one. */
  attempts: number
}

const MAX_STALLS = 2

export function reportExcluded(leased: { token: number; url: LeasedUrl }, reason: string): VisitReport {
  return { token: leased.token, urlId: leased.url.id, verdict: { state: 'excluded', reason }, facts: null, ...NOTHING }
}

/** The visit whose reading did not come to an end, or not before its lease was lost. Once may be chance. */
export function reportStalled(
  { token, urlId, attempts }: StalledVisit,
  retryDelayMs: number,
  now: number,
): VisitReport {
  const reason = 'stalled'
  const verdict: Verdict =
    attempts + 1 >= MAX_STALLS ? { state: 'failed', reason } : { state: 'retry', reason, dueAt: now + retryDelayMs }
  return { token, urlId, verdict, facts: { ...NO_ANSWER, visitedAt: now }, ...NOTHING }
}

/** A url that robots.txt keeps us from: for good by a rule, or for now because the rules cannot be had. */
export function reportDenied(
  leased: { token: number; url: LeasedUrl },
  permit: Extract<Permit, { kind: 'denied' | 'unreachable' }>,
  parts: VisitParts,
  now: number,
): VisitReport {
  if (permit.kind === 'denied') return reportExcluded(leased, permit.reason)
  const { token, url } = leased
  const attempt = { attempts: url.attempts, now, luck: parts.random() }
  const verdict = retryOr('excluded', permit.reason, permit.until - now, parts.policy, attempt)
  const facts = verdict.state === 'retry' ? { ...NO_ANSWER, visitedAt: now } : null
  return { token, urlId: url.id, verdict, facts, ...NOTHING }
}

const NO_ANSWER: VisitFacts = {
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

function factsOf(result: FetchResult, now: number): VisitFacts {
  const { fetchMs, ip, cname } = result
  const facts = { ...NO_ANSWER, fetchMs, ip, cname, visitedAt: now }
  if (result.kind === 'failure') return facts
  facts.httpStatus = result.status
  facts.contentType = result.contentType === '' ? null : detach(result.contentType)
  facts.contentLength = result.body.length
  facts.contentHash = result.status === 200 ? hash('sha256', result.body, 'hex') : null
  return facts
}

function followRedirect(report: FetchedReport, visit: Visit, result: FetchResponse, parts: VisitParts): void {
  const { url } = visit
  const location = result.location ?? ''
  const target = normaliseUrl(location, url.url)
  report.facts.redirectTo = 'url' in target ? target.url : detach(location)
  if (!parts.followRedirects) return
  const { admit } = parts
  // A server that puts a session id into the url by a redirect would otherwise redirect a page to itself.
  const resolver = new Resolver(url.url, true)
  const { id, kind, depth, hops } = url
  const page = admit.open({ urlId: id, pageUrl: url.url, resolver, depth, hops: hops + 1, kind })
  admit.add(page, [{ href: location, rel: '' }], 0)
  const { found, links } = admit.close(page)
  report.found = found
  report.links = links
  if (url.ancestry !== null) report.traps = { skeletons: url.ancestry.skeletons, held: null, lines: [] }
}
