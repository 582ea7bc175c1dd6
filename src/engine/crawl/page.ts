// Reads a visited page: what it says of itself, and its links.

import { detach } from '../../lib/detach.ts'
import { MAX_REDIRECTS } from '../../ports/frontier.ts'
import type { FetchResponse } from '../fetch/result.ts'
import { decodeHtml } from '../parse/charset.ts'
import { SHARED_LENGTH } from '../parse/codes.ts'
import { type HtmlFacts, HtmlReader, readHtml } from '../parse/html.ts'
import type { TextSink } from '../parse/text-feed.ts'
import { canonicalFromLinkHeader, type Directives, NO_DIRECTIVES, readDirectives } from '../robots/directives.ts'
import type { TextFacts, TextSurvey } from '../text/survey.ts'
import { shapeOf } from '../traps/shape.ts'
import { openSkeleton, type TrapWatch } from '../traps/watch.ts'
import { baseOf, normaliseUrl } from '../url/normalise.ts'
import { Resolver } from '../url/resolve.ts'
import type { DocumentQueue } from './document-queue.ts'
import { cutFact, cutTitle, NO_PAGE_FACTS, type PageFacts } from './keep.ts'
import { type Admitted, admitLinks } from './links.ts'
import { NO_LINKS, type Read } from './read.ts'
import type { FetchedReport, Steps, Visit, VisitParts } from './visit.ts'

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
  survey: TextSurvey | null
  traps: TrapWatch | null
  /** Links kept of a page. */
  maxLinks: number
}

type Answered = Visit & { result: FetchResponse }

const MAX_CANONICAL = 2048
/** What is read in one turn of a long page: a few ms of the worst of them. */
const STRETCH_CHARS = 1 << 16

export function* readPage(report: FetchedReport, visit: Answered, parts: VisitParts): Steps<Read> {
  const { survey } = parts.page
  const { text, charset } = decodeHtml(visit.result.body, visit.result.contentType)
  const html = yield* readFacts(text, survey, parts.page.maxLinks)
  const directives = describe(report, html, visit, parts)
  const page = survey === null ? NO_PAGE_FACTS : pageFactsOf(html, charset, survey.finish())
  if (parts.page.sitemapOnly) return { ...NO_LINKS, page }
  if (directives.nofollow) {
    parts.admit.rejections.count('nofollow')
    return { ...NO_LINKS, page }
  }
  if (html.firstDropped !== null) {
    const { rejections } = parts.admit
    rejections.keep('too_many_links', html.firstDropped, { urlId: visit.url.id, pageUrl: visit.url.url })
    rejections.count('too_many_links', html.droppedLinks - 1)
  }
  const baseUrl = baseOf(html.baseHref, visit.url.url)
  const refreshTo = refreshTarget(html, baseUrl, visit, parts)
  const admitted = yield* admitLinks(html.links, baseUrl, visit, parts, refreshTo)
  const { found, traps } = yield* watchForTraps(admitted, { html, text, baseUrl }, visit, parts)
  return { found, links: admitted.links, page, traps, extracted: null }
}

/** Where a meta refresh leads; its link is dropped when the chain of them is too long. */
function refreshTarget(html: HtmlFacts, baseUrl: string, { url }: Visit, { admit, page }: VisitParts): string | null {
  const at = html.links.findIndex(({ kind }) => kind === 'refresh')
  const link = html.links[at]
  if (link === undefined) return null
  const target = new Resolver(baseUrl, page.keepSessionIds).exact(link.href)
  if (target === null || 'problem' in target || target.url === url.url) return null
  if (url.hops < MAX_REDIRECTS) return target.url
  html.links.splice(at, 1)
  admit.rejections.keep('too_many_redirects', link.href, { urlId: url.id, pageUrl: url.url })
  return null
}

/** Looks whether the page repeats those that led to it; if so, what it leads to is held back. */
function* watchForTraps(
  { found, held: varied, isBeyond }: Admitted,
  { html, text, baseUrl }: { html: HtmlFacts; text: string; baseUrl: string },
  { url, host }: Visit,
  { admit, page: { traps: watch } }: VisitParts,
): Steps<Pick<Read, 'found' | 'traps'>> {
  const isOnTrial = url.ancestry !== null && url.ancestry.trial !== null
  const isOfInterest = (!isBeyond && found.length + varied.length > 0) || isOnTrial
  if (watch === null || !isOfInterest) return { found, traps: null }
  const hrefs = html.links.map(({ href }) => href)
  const skeletons = url.ancestry?.skeletons ?? []
  const followed = isBeyond ? [] : found
  const watched = { url: url.url, host, skeletons, title: html.title, hrefs, baseUrl, found: followed }
  const sink = openSkeleton(watched)
  yield* readFacts(text, sink, 0)
  const judgement = watch.judge(watched, sink.finish())
  // A chain of refreshes ends by itself, as long as its hops are counted.
  const isHeld = (i: number) =>
    found[i]?.isRefresh !== true && (judgement.held === 'all' || (judgement.held?.has(i) ?? false))
  const more = found.filter((_, i) => isHeld(i))
  admit.forget(more)
  const all = [...varied, ...more]
  const pattern = judgement.pattern ?? host + shapeOf(url.url)
  const held = all.length === 0 ? null : { pattern, found: all }
  const rest = more.length === 0 ? found : found.filter((_, i) => !isHeld(i))
  return {
    found: rest,
    traps: { skeletons: judgement.skeletons, held, lines: held === null && !isOnTrial ? [] : judgement.lines },
  }
}

function pageFactsOf(html: HtmlFacts, charset: string, text: TextFacts): PageFacts {
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

function* readFacts(text: string, sink: TextSink | null, maxLinks: number): Steps<HtmlFacts> {
  if (text.length <= SHARED_LENGTH) return readHtml(text, false, sink, maxLinks)
  yield null
  const reader = new HtmlReader(text, { wantText: false, sink, maxLinks })
  do yield null
  while (reader.readOn(STRETCH_CHARS))
  return reader.finish()
}

/**
 * What a page says of itself, in its headers and as html, goes into the report; what it asks of us is the answer. Of
 * anything that is no html only the headers speak.
 */
export function describe(
  report: FetchedReport,
  html: HtmlFacts | null,
  visit: Answered,
  parts: VisitParts,
): Directives {
  const { result, url, now } = visit
  const { facts } = report
  if (html !== null) facts.title = cutTitle(html.title)
  facts.canonical = canonicalOf(html, result.linkHeader, url.url)
  const { metaRobots, product } = parts.page
  if (!metaRobots) return NO_DIRECTIVES
  const directives = readDirectives({ html, robotsTag: result.robotsTag, product, now })
  facts.noindex = directives.noindex
  return directives
}

/** The base of a page holds for what stands in the page; a Link header resolves against the URL that was fetched. */
function canonicalOf(html: HtmlFacts | null, linkHeader: string | null, pageUrl: string): string | null {
  const inPage = html?.canonical || null
  const canonical = inPage ?? canonicalFromLinkHeader(linkHeader)
  if (canonical === null) return null
  const target = normaliseUrl(canonical, inPage === null ? pageUrl : baseOf(html?.baseHref ?? null, pageUrl))
  return 'url' in target ? target.url : detach(canonical.slice(0, MAX_CANONICAL))
}
