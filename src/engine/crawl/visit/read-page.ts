// Reads a visited page: what it says of itself, and its links.

import { copyString } from '../../../lib/copy-string.ts'
import { MAX_REDIRECTS } from '../../../ports/frontier.ts'
import type { FetchResponse } from '../../fetch/fetch-result.ts'
import { decodeHtml } from '../../parse/charset/decode-html.ts'
import { type HtmlFacts, HtmlReader, readHtml } from '../../parse/html-reader.ts'
import { canonicalFromLinkHeader } from '../../parse/link-header.ts'
import type { TextSink } from '../../parse/text-feed.ts'
import { SHARED_LENGTH } from '../../parse/utf16-codes.ts'
import { NO_PAGE_DIRECTIVES, type PageDirectives, readDirectives } from '../../robots/directives.ts'
import type { TextProfile, TextProfiler } from '../../text/text-profiler.ts'
import { toPathPattern } from '../../traps/path-pattern.ts'
import { openSkeleton, type TrapDetector } from '../../traps/trap-detector.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { normaliseUrl, resolveBaseUrl } from '../../url/normalise-url.ts'
import { type AdmittedLinks, admitLinks } from './admit-links.ts'
import type { DocumentQueue } from './document-queue.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import { cutFact, cutTitle, NO_PAGE_FACTS, type PageFacts } from './response-to-archive.ts'
import type { FetchedReport, Steps, Visit, VisitDependencies } from './visit-steps.ts'

export interface PageSettings {
  metaRobots: boolean
  keepSessionIds: boolean
  /** Links are not followed, only what sitemaps list. */
  sitemapOnly: boolean
  /** The name that directives for us alone begin with. */
  product: string
  /** Read documents that are no html, such as feeds and PDFs. */
  documents: boolean
  documentQueue: DocumentQueue
  /** Looks at the text of pages that are kept; null when none are. */
  survey: TextProfiler | null
  traps: TrapDetector | null
  /** Links kept of a page. */
  maxLinks: number
}

type FetchedVisit = Visit & { result: FetchResponse }

const MAX_CANONICAL = 2048
/** What is read in one turn of a long page: a few ms of the worst of them. */
const CHARS_PER_STEP = 1 << 16

export function* readPage(report: FetchedReport, visit: FetchedVisit, parts: VisitDependencies): Steps<ParsedResponse> {
  const { survey } = parts.page
  const { text, charset } = decodeHtml(visit.result.body, visit.result.contentType)
  const html = yield* parseHtml(text, survey, parts.page.maxLinks)
  const pageDirectives = recordMetadata(report, html, visit, parts)
  const page = survey === null ? NO_PAGE_FACTS : toPageFacts(html, charset, survey.finish())
  if (parts.page.sitemapOnly) return { ...NOTHING_PARSED, page }
  if (pageDirectives.nofollow) {
    parts.linkAdmission.rejections.count('nofollow')
    return { ...NOTHING_PARSED, page }
  }
  if (html.firstDropped !== null) {
    const { rejections } = parts.linkAdmission
    rejections.countWithSample('too_many_links', html.firstDropped, { urlId: visit.url.id, pageUrl: visit.url.url })
    rejections.count('too_many_links', html.droppedLinks - 1)
  }
  const baseUrl = resolveBaseUrl(html.baseHref, visit.url.url)
  const refreshTo = refreshTarget(html, baseUrl, visit, parts)
  const admittedLinks = yield* admitLinks(html.links, baseUrl, visit, parts, refreshTo)
  const { found, traps } = yield* checkForTraps(admittedLinks, { html, text, baseUrl }, visit, parts)
  return { found, links: admittedLinks.links, page, traps, extracted: null }
}

/** Where a meta refresh leads; its link is dropped when the chain of them is too long. */
function refreshTarget(
  html: HtmlFacts,
  baseUrl: string,
  { url }: Visit,
  { linkAdmission, page }: VisitDependencies,
): string | null {
  const at = html.links.findIndex(({ kind }) => kind === 'refresh')
  const link = html.links[at]
  if (link === undefined) return null
  const target = new LinkResolver(baseUrl, page.keepSessionIds).resolveExact(link.href)
  if (target === null || 'problem' in target || target.url === url.url) return null
  if (url.hops < MAX_REDIRECTS) return target.url
  html.links.splice(at, 1)
  linkAdmission.rejections.countWithSample('too_many_redirects', link.href, { urlId: url.id, pageUrl: url.url })
  return null
}

/** Looks whether the page repeats those that led to it; if so, what it leads to is held back. */
function* checkForTraps(
  { found, held: varied, isBeyond }: AdmittedLinks,
  { html, text, baseUrl }: { html: HtmlFacts; text: string; baseUrl: string },
  { url, host }: Visit,
  { linkAdmission, page: { traps: watch } }: VisitDependencies,
): Steps<Pick<ParsedResponse, 'found' | 'traps'>> {
  const isOnTrial = url.ancestry !== null && url.ancestry.trial !== null
  const isOfInterest = (!isBeyond && found.length + varied.length > 0) || isOnTrial
  if (watch === null || !isOfInterest) return { found, traps: null }
  const hrefs = html.links.map(({ href }) => href)
  const skeletons = url.ancestry?.skeletons ?? []
  const followed = isBeyond ? [] : found
  const watched = { url: url.url, host, skeletons, title: html.title, hrefs, baseUrl, found: followed }
  const sink = openSkeleton(watched)
  yield* parseHtml(text, sink, 0)
  const trapAssessment = watch.assess(watched, sink.finish())
  // A chain of refreshes ends by itself, as long as its hops are counted.
  const isHeld = (i: number) =>
    found[i]?.isRefresh !== true && (trapAssessment.held === 'all' || (trapAssessment.held?.has(i) ?? false))
  const more = found.filter((_, i) => isHeld(i))
  linkAdmission.forgetUrls(more)
  const all = [...varied, ...more]
  const pattern = trapAssessment.pattern ?? host + toPathPattern(url.url)
  const held = all.length === 0 ? null : { pattern, found: all }
  const rest = more.length === 0 ? found : found.filter((_, i) => !isHeld(i))
  return {
    found: rest,
    traps: {
      skeletons: trapAssessment.skeletons,
      held,
      lines: held === null && !isOnTrial ? [] : trapAssessment.lines,
    },
  }
}

function toPageFacts(html: HtmlFacts, charset: string, text: TextProfile): PageFacts {
  return {
    charset,
    lang: cutFact(html.lang),
    description: cutFact(html.description),
    keywords: cutFact(html.keywords),
    words: text.wordCount,
    fingerprint: text.fingerprint,
    note: text.looksBinary ? 'binary' : null,
  }
}

function* parseHtml(text: string, sink: TextSink | null, maxLinks: number): Steps<HtmlFacts> {
  if (text.length <= SHARED_LENGTH) return readHtml(text, false, sink, maxLinks)
  yield null
  const reader = new HtmlReader(text, { wantText: false, sink, maxLinks })
  do yield null
  while (reader.readOn(CHARS_PER_STEP))
  return reader.finish()
}

/**
 * What a page says of itself, in its headers and as html, goes into the report; what it asks of us is the answer. Of
 * anything that is no html only the headers speak.
 */
export function recordMetadata(
  report: FetchedReport,
  html: HtmlFacts | null,
  visit: FetchedVisit,
  parts: VisitDependencies,
): PageDirectives {
  const { result, url, now } = visit
  const { facts } = report
  if (html !== null) facts.title = cutTitle(html.title)
  facts.canonical = resolveCanonical(html, result.linkHeader, url.url)
  const { metaRobots, product } = parts.page
  if (!metaRobots) return NO_PAGE_DIRECTIVES
  const pageDirectives = readDirectives({ html, robotsTag: result.robotsTag, product, now })
  facts.noindex = pageDirectives.noindex
  return pageDirectives
}

/** The base of a page holds for what stands in the page; a Link header resolves against the URL that was fetched. */
function resolveCanonical(html: HtmlFacts | null, linkHeader: string | null, pageUrl: string): string | null {
  const inPage = html?.canonical || null
  const canonical = inPage ?? canonicalFromLinkHeader(linkHeader)
  if (canonical === null) return null
  const target = normaliseUrl(canonical, inPage === null ? pageUrl : resolveBaseUrl(html?.baseHref ?? null, pageUrl))
  return 'url' in target ? target.url : copyString(canonical.slice(0, MAX_CANONICAL))
}
