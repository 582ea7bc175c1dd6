// The path of a response to its report: decide the outcome, hash the body, parse it, admit its links, select what to
// archive. The path is a generator that pauses between steps, so that a huge page does not block the thread.
// VisitProcessor runs the steps.

import { hash } from 'node:crypto'
import type { LeasedUrl } from '../../../ports/leases.ts'
import type { RenderedPage } from '../../../ports/renderer.ts'
import { observedHash } from '../../../ports/revisits.ts'
import type { VisitReport } from '../../../ports/visits.ts'
import { readCacheLifetime } from '../../fetch/cache-lifetime.ts'
import type { FetchResponse, FetchResult } from '../../fetch/fetch-result.ts'
import type { ContentType } from '../../media/content-type.ts'
import { findContentType } from '../../media/content-types.ts'
import { detectContentType } from '../../media/detect-type.ts'
import { sniffHtml } from '../../parse/charset/sniff-html.ts'
import type { LinkAdmission } from '../links/link-admission.ts'
import { KEY_BYTES, NO_LINK_KEYS } from '../links/link-key-buffer.ts'
import type { PageSubresources, Subresponse } from '../render/page-subresources.ts'
import { extractDocument } from './extract-document.ts'
import { followRedirect } from './follow-redirect.ts'
import { recordMetadata } from './page-metadata.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import { type PageReading, readHtmlPage } from './read-html-page.ts'
import { readRequisite } from './read-requisite.ts'
import { readSitemap } from './read-sitemap.ts'
import { renderNote } from './render-page.ts'
import {
  type ArchiveRules,
  joinNotes,
  NO_PAGE_FACTS,
  type PageFacts,
  prepareForArchive,
  type ResponseToArchive,
  shouldArchive,
} from './response-to-archive.ts'
import { decideVerdict, type RetryPolicy } from './verdict.ts'
import { type FetchedReport, reportDocumentPostponed, reportFetched, reportNotModified } from './visit-reports.ts'

export interface VisitDependencies {
  linkAdmission: LinkAdmission
  retryPolicy: RetryPolicy
  followRedirects: boolean
  pageReading: PageReading
  archiveRules: ArchiveRules
  /** The crawl visits URLs again. */
  tracksChanges: boolean
  random: () => number
}

export interface Visit {
  token: number
  url: LeasedUrl
  host: string
  result: FetchResult
  now: number
  /** Opens the subresources of a page that is rendered. */
  openSubresources: () => PageSubresources
}

export type FetchedVisit = Visit & { result: FetchResponse }

/** What a visit can wait for. Decompression counts as a document. */
export type WaitsFor = 'documents' | 'renderer' | 'hooks'

/** `start` calls `resume` when its result is ready. */
export interface WaitingStep {
  waitsFor: WaitsFor
  start(resume: () => void): void
}

/** A pause: null until the next turn of the event loop. */
export type StepPause = null | WaitingStep
export type Steps<T> = Generator<StepPause, T, void>

export interface VisitResult {
  report: VisitReport
  /** Keys of the page's links. Kept with the visit, because other visits may be committed before it is reported. */
  linkKeys: Uint8Array
  /** Null if the response is not archived. */
  toArchive: ResponseToArchive | null
  /** Null if the page was not rendered. */
  rendering: Rendering | null
}

/** Results of rendering a page. */
export interface Rendering {
  /** Null if only a sample was taken and the page is used as received. */
  page: RenderedPage | null
  /** Responses to requests that the page made and no page before it, in order. */
  subresponses: readonly Subresponse[]
}

/** Hashing takes 1 ms per MiB. A longer body is hashed in a separate turn of the event loop. */
const LONG_BODY_BYTES = 1 << 20
const NO_VALIDATORS = { etag: null, lastModified: null }

interface ResponseFacts {
  linkKeys: Uint8Array
  facts: PageFacts
  extracted: Buffer | null
  isHtml: boolean
  rendering: Rendering | null
}

const NO_RESPONSE_FACTS: ResponseFacts = {
  linkKeys: NO_LINK_KEYS,
  facts: NO_PAGE_FACTS,
  extracted: null,
  isHtml: false,
  rendering: null,
}

export function* visitSteps(visit: Visit, dependencies: VisitDependencies): Steps<VisitResult> {
  const { url, result, now } = visit
  if (result.kind === 'response' && result.status === 304 && url.lastVisit?.validators != null)
    return withoutArchive(reportNotModified(visit, url.lastVisit, result, now))
  const outcome = decideVerdict(result, dependencies.retryPolicy, {
    url: url.url,
    attempts: url.attempts,
    now,
    jitter: dependencies.random(),
  })
  const report = reportFetched(visit, result, outcome, now)
  if (result.kind === 'failure') return withoutArchive(report)
  if (result.body.length > LONG_BODY_BYTES) yield null
  const redirectKeys =
    outcome.state === 'redirected' ? followRedirect(report, visit, result, dependencies) : NO_LINK_KEYS
  const response =
    outcome.state === 'visited'
      ? yield* readResponseBody(report, visit, result, dependencies)
      : { ...NO_RESPONSE_FACTS, linkKeys: redirectKeys }
  if (response === 'no_room')
    return withoutArchive(reportDocumentPostponed(visit, dependencies.pageReading.documentQueue))
  const { linkKeys, rendering } = response
  report.linkCount = linkKeys.length / KEY_BYTES
  const dom = rendering?.page?.html == null ? null : Buffer.from(rendering.page.html)
  const { contentHash } = report.facts
  if (dom !== null) report.facts.contentHash = hash('sha256', dom, 'hex')
  if (dependencies.tracksChanges) recordFreshness(report, url, { result, now, isRendered: dom !== null })
  if (report.freshness?.isUnchanged === true) return { report, linkKeys, toArchive: null, rendering }
  // The response to a request that is retried is not archived.
  if (report.outcome.state === 'retry' || !shouldArchive(dependencies.archiveRules, url, result, response.isHtml)) {
    return { report, linkKeys, toArchive: null, rendering }
  }
  const screenshot = rendering?.page?.screenshot ?? null
  const about = { url: url.url, fetchedAt: now }
  const toArchive = prepareForArchive(about, result, { ...response, dom, screenshot, contentHash })
  report.page = toArchive.page
  return { report, linkKeys, toArchive, rendering }
}

function withoutArchive(report: VisitReport): VisitResult {
  return { report, linkKeys: NO_LINK_KEYS, toArchive: null, rendering: null }
}

/** Compares the findings with those of the last visit. */
function recordFreshness(
  report: FetchedReport,
  { lastVisit }: LeasedUrl,
  { result, now, isRendered }: { result: FetchResponse; now: number; isRendered: boolean },
): void {
  const { outcome, facts } = report
  if (outcome.state === 'retry') return
  // The stores end chains and loops of redirects, and may have set another reason.
  const isSameOutcome =
    outcome.state === lastVisit?.state && (outcome.state === 'redirected' || outcome.reason === lastVisit.reason)
  const isUnchanged = isSameOutcome && observedHash(outcome.state, facts) === lastVisit.observedHash
  const { rawHeaders } = result
  // The content of a rendered page may change while its document does not, so the document must be sent again.
  const { etag, lastModified } = isRendered ? NO_VALIDATORS : result
  report.freshness = { etag, lastModified, isUnchanged, maxAgeMs: readCacheLifetime(rawHeaders, now) }
}

/** Adds the found URLs to the report. Returns the page's metadata, or 'no_room' if the document readers are full. */
function* readResponseBody(
  report: FetchedReport,
  visit: Visit,
  result: FetchResponse,
  dependencies: VisitDependencies,
): Steps<ResponseFacts | 'no_room'> {
  const { url } = visit
  const fetchedVisit = { ...visit, result }
  const { type, mismatch } = detectContentType(result.contentType, result.body)
  const media = findContentType(type)
  // robots.txt can name any URL as a sitemap. An HTML page is read as a page.
  const isSitemap = url.kind === 'sitemap' && !sniffHtml(result.body)
  if (url.kind === 'sitemap' && !isSitemap) report.outcome = { state: 'visited', reason: 'not_a_sitemap' }
  const isRequisite = url.kind === 'requisite'
  const isHeavy =
    !isSitemap && !isRequisite && dependencies.pageReading.documents && media?.isHeavy(result.body) === true
  if (isHeavy && !dependencies.pageReading.documentQueue.hasRoomFor(result.body.length)) return 'no_room'
  const { found, linkKeys, page, traps, extracted, rendering } = yield* isSitemap
    ? readSitemap(report, fetchedVisit, dependencies)
    : isRequisite
      ? readRequisite(report, fetchedVisit, dependencies)
      : media?.isPage
        ? readHtmlPage(report, fetchedVisit, dependencies)
        : readNonPage(media, report, fetchedVisit, dependencies)
  report.found = found
  report.traps = traps
  const facts = page ?? NO_PAGE_FACTS
  const note = joinNotes(facts.note, mismatch, rendering?.page == null ? null : renderNote(rendering.page))
  return { linkKeys, facts: { ...facts, note }, extracted, rendering, isHtml: media?.isPage === true && !isRequisite }
}

/** Reads the headers, and the body if it is a document of a known type. */
function* readNonPage(
  media: ContentType | null,
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const extract = media?.extract ?? null
  if (media !== null && extract !== null && dependencies.pageReading.documents) {
    return yield* extractDocument({ ...media, extract }, report, visit, dependencies)
  }
  recordMetadata(report, null, visit, dependencies)
  return NOTHING_PARSED
}
