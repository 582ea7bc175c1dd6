// Reads an HTML page: its metadata, its links, and whether it looks like a spider trap.

import { copyString } from '../../../lib/copy-string.ts'
import { toPathPattern } from '../../../lib/path-pattern.ts'
import { MAX_REDIRECTS } from '../../../ports/frontier.ts'
import type { Hooks } from '../../../ports/hooks.ts'
import type { PageData } from '../../../ports/pages.ts'
import { type PlainLook, RENDER_SKIPPED } from '../../../ports/render-patterns.ts'
import { isDataRequest, type RenderedPage } from '../../../ports/renderer.ts'
import { type Extraction, extractPage } from '../../extract/extract-page.ts'
import { type HtmlSource, openHtml } from '../../parse/charset/decode-html.ts'
import { type HtmlFacts, HtmlReader } from '../../parse/html-reader.ts'
import { canonicalFromLinkHeader } from '../../parse/link-header.ts'
import { findScriptUrls } from '../../parse/script-urls.ts'
import type { TextSink } from '../../parse/text-feed.ts'
import { SHARED_LENGTH } from '../../parse/utf16-codes.ts'
import { NO_PAGE_DIRECTIVES, type PageDirectives, readDirectives } from '../../robots/directives.ts'
import type { TextProfile, TextProfiler } from '../../text/text-profiler.ts'
import { openSkeleton, type TrapDetector } from '../../traps/trap-detector.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { normaliseUrl, resolveBaseUrl } from '../../url/normalise-url.ts'
import type { RawLink } from '../links/link-admission.ts'
import { hasScripts, needsScripts } from '../render/needs-scripts.ts'
import { NEEDS_SCRIPTS, type PageRenderer } from '../render/page-renderer.ts'
import { type AdmittedLinks, admitLinks, admitRequisites } from './admit-links.ts'
import type { DocumentQueue } from './document-queue.ts'
import { extractByHook, selectLinks } from './page-hooks.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import { renderPage } from './render-page.ts'
import { cutFact, cutTitle, joinNotes, NO_PAGE_FACTS, type PageFacts } from './response-to-archive.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, Visit, VisitDependencies } from './visit-steps.ts'

export interface PageSettings {
  metaRobots: boolean
  keepSessionIds: boolean
  /** #/path and #!path are URLs of their own. */
  hashRoutes: boolean
  /** Follow URLs that scripts name, too. */
  scriptUrls: boolean
  /** Follow no links, only URLs listed in sitemaps. */
  sitemapOnly: boolean
  /** Our product token, for robots directives addressed to us alone. */
  product: string
  /** Read documents that are not HTML, such as feeds and PDFs. */
  documents: boolean
  documentQueue: DocumentQueue
  /** Profiles the text of archived pages; null if nothing is archived. */
  textProfiler: TextProfiler | null
  traps: TrapDetector | null
  /** Null if nothing is rendered. */
  pageRenderer: PageRenderer | null
  /** Links read per page. */
  maxLinks: number
  /** Also archive what pages load. */
  requisites: boolean
  /** Null if nothing is extracted from pages. */
  extraction: Extraction | null
  /** Null if the program that runs the crawl has none. */
  hooks: Hooks | null
}

const MAX_CANONICAL = 2048
/** Dates, greetings and counters are no gain. */
const MIN_GAINED_WORDS = 20
const MIN_GAINED_SHARE = 0.2
/** Characters of a long page parsed in one turn of the event loop: a few ms in the worst case. */
const CHARS_PER_STEP = 1 << 16

export function* readHtmlPage(
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const { textProfiler, pageRenderer } = dependencies.page
  const { charset, ...source } = openHtml(visit.result.body, visit.result.contentType)
  const html = yield* parseHtml(source, textProfiler, dependencies.page)
  const plain = { html, source, charset, profile: textProfiler?.finish() ?? null }
  const isEmpty = looksEmpty(plain)
  const look: PlainLook = isEmpty ? 'empty' : 'complete'
  const { url } = visit.url
  const choice = pageRenderer?.choose({ url, look, hasScripts: () => isEmpty || hasScripts(source.html) }) ?? null
  if (pageRenderer !== null && (choice === 'render' || choice === 'sample'))
    return yield* readRendered(
      { pageRenderer, look, isSample: choice === 'sample' },
      plain,
      report,
      visit,
      dependencies,
    )
  if (choice === 'plain') report.render = { kind: 'plain', look }
  if (isEmpty && report.outcome.reason === null)
    report.outcome = { state: 'visited', reason: choice === 'plain' ? RENDER_SKIPPED : NEEDS_SCRIPTS }
  return yield* readPage(plain, report, visit, dependencies)
}

/** Without a profile, because nothing is archived, only pages without links are examined. */
function looksEmpty({ source, html, profile }: ReadPage): boolean {
  return needsScripts({
    source: source.html,
    html,
    words: profile?.wordCount ?? (html.links.length === 0 ? 0 : Number.POSITIVE_INFINITY),
  })
}

interface RenderPlan {
  pageRenderer: PageRenderer
  look: PlainLook
  /** The page is used as received, unless it gains. */
  isSample: boolean
}

/** A page that was rendered is read from its DOM; its directives are those of both. */
function* readRendered(
  { pageRenderer, look, isSample }: RenderPlan,
  plain: ReadPage,
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const { textProfiler } = dependencies.page
  const { outcome } = report
  const rendering = yield* renderPage(pageRenderer, report, visit, dependencies)
  if (report.outcome.state === 'retry') return { ...NOTHING_PARSED, rendering }
  const { page: rendered } = rendering
  if (rendered?.html == null) {
    if (isSample) {
      report.outcome = outcome
      report.render = { kind: 'plain', look }
    }
    const unused = isSample ? { ...rendering, page: null } : rendering
    return { ...(yield* readPage(plain, report, visit, dependencies)), rendering: unused }
  }
  const source = { html: rendered.html, isUtf8: false }
  const html = yield* parseHtml(source, textProfiler, dependencies.page)
  const page = { ...plain, html, source, profile: textProfiler?.finish() ?? null }
  const hasGained = gainsByRendering(plain, { ...page, rendered }, visit, dependencies)
  const gain = pageRenderer.noteGain(visit.url.url, look, hasGained)
  if (gain !== undefined) report.render = gain
  if (isSample && !hasGained) {
    report.outcome = outcome
    report.render = { kind: 'plain', look }
    return { ...(yield* readPage(plain, report, visit, dependencies)), rendering: { ...rendering, page: null } }
  }
  const plainDirectives = recordMetadata(report, plain.html, visit, dependencies)
  const parsed = yield* readPage(page, report, visit, dependencies, { rendered, plainDirectives })
  return { ...parsed, rendering }
}

/** Whether the DOM has links in scope or a good deal of text that the page as received has not. */
function gainsByRendering(
  plain: ReadPage,
  { html, profile, rendered }: ReadPage & { rendered: RenderedPage },
  { url }: Visit,
  { linkAdmission, page: { keepSessionIds, hashRoutes } }: VisitDependencies,
): boolean {
  const words = plain.profile?.wordCount ?? 0
  if ((profile?.wordCount ?? 0) - words >= Math.max(MIN_GAINED_WORDS, words * MIN_GAINED_SHARE)) return true
  const open = (page: HtmlFacts, pageUrl: string) =>
    new LinkResolver(resolveBaseUrl(page.baseHref, pageUrl), keepSessionIds, url.url, hashRoutes)
  const known = new Set([url.url])
  const plainLinks = open(plain.html, url.url)
  for (const { href } of plain.html.links) {
    const target = plainLinks.resolveExact(href)
    if (target !== null && 'url' in target) known.add(target.url)
  }
  const domLinks = open(html, documentUrl(rendered, url.url))
  return [...html.links, ...routesOf(rendered)].some(({ href }) => {
    const target = domLinks.resolveExact(href)
    return target !== null && 'url' in target && !known.has(target.url) && linkAdmission.isInScope(target)
  })
}

/** A page as received, or the DOM of the rendered page. */
interface ReadPage {
  html: HtmlFacts
  source: HtmlSource
  charset: string
  /** Null if nothing is archived. */
  profile: TextProfile | null
}

/** What rendering adds to a page. */
interface RenderedExtra {
  rendered: RenderedPage
  plainDirectives: PageDirectives
}

function* readPage(
  read: ReadPage,
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
  extra: RenderedExtra | null = null,
): Steps<ParsedResponse> {
  const { html } = read
  const pageUrl = extra === null ? visit.url.url : documentUrl(extra.rendered, visit.url.url)
  const baseUrl = resolveBaseUrl(html.baseHref, pageUrl)
  const links = yield* readLinks({ ...read, baseUrl }, report, visit, dependencies, extra)
  const parsed = yield* withData(links, { ...read, baseUrl }, report, visit, dependencies)
  if (!dependencies.page.requisites) return parsed
  const isNeeded = extra === null ? () => true : makeIsNeeded(extra.rendered, baseUrl)
  const wanted = { urls: html.requisites.filter(isNeeded), dropped: html.droppedRequisites }
  const requisites = yield* admitRequisites(wanted, baseUrl, visit, dependencies)
  return { ...parsed, found: [...parsed.found, ...requisites] }
}

const NO_DATA = { data: null, note: null }
const EMPTY_DATA: PageData = { fields: null, missing: [], structured_data: null }

/** Adds what the rules of the crawl and the hook of the program extract from the page. */
function* withData(
  parsed: ParsedResponse,
  { html, source, baseUrl }: ReadPage & { baseUrl: string },
  report: FetchedReport,
  visit: FetchedVisit,
  { page: { extraction, hooks } }: VisitDependencies,
): Steps<ParsedResponse> {
  if (extraction === null && hooks?.has.extract !== true) return parsed
  if (source.html.length > SHARED_LENGTH) yield null
  const text = source.isUtf8 ? Buffer.from(source.html, 'latin1').toString() : source.html
  const context = { lang: html.lang || null, baseUrl }
  const { data: ruled, note } = extraction === null ? NO_DATA : yield* extractPage(text, extraction, context)
  const added = yield* extractByHook({ html: text, fields: ruled?.fields ?? {} }, hooks, report, visit)
  const data = added === null ? ruled : { ...(ruled ?? EMPTY_DATA), fields: { ...ruled?.fields, ...added } }
  const facts = parsed.page ?? NO_PAGE_FACTS
  const page = { ...facts, data: data === null ? null : JSON.stringify(data), note: joinNotes(facts.note, note) }
  return { ...parsed, page }
}

/**
 * Files that the browser has received are archived as subresources of the page, and need not be requested again. Style
 * sheets are, since they lead on to images and fonts that the browser does not request.
 */
function makeIsNeeded({ subrequests }: RenderedPage, baseUrl: string): (href: string) => boolean {
  const received = new Set(
    subrequests.flatMap(({ url, method, type, status }) => {
      const target = method === 'GET' && type !== 'Stylesheet' && status === 200 ? normaliseUrl(url) : null
      return target !== null && 'url' in target ? [target.url] : []
    }),
  )
  return (href) => {
    const target = normaliseUrl(href, baseUrl)
    return !('url' in target) || !received.has(target.url)
  }
}

function* readLinks(
  { html, source, charset, profile, baseUrl }: ReadPage & { baseUrl: string },
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
  extra: RenderedExtra | null,
): Steps<ParsedResponse> {
  const pageDirectives = recordMetadata(report, html, visit, dependencies)
  if (extra !== null) {
    report.facts.noindex ||= extra.plainDirectives.noindex
    report.facts.nofollow ||= extra.plainDirectives.nofollow
  }
  const page = profile === null ? NO_PAGE_FACTS : toPageFacts(html, charset, profile)
  if (dependencies.page.sitemapOnly) return { ...NOTHING_PARSED, page }
  if (pageDirectives.nofollow || extra?.plainDirectives.nofollow === true) {
    dependencies.linkAdmission.rejections.count('nofollow')
    return { ...NOTHING_PARSED, page }
  }
  if (html.firstDropped !== null) {
    const { rejections } = dependencies.linkAdmission
    rejections.countWithSample('too_many_links', html.firstDropped, { urlId: visit.url.id, pageUrl: visit.url.url })
    rejections.count('too_many_links', html.droppedLinks - 1)
  }
  const refreshTo = refreshTarget(html, baseUrl, visit, dependencies)
  const all = extra === null ? html.links : [...html.links, ...routesOf(extra.rendered)]
  const links = yield* selectLinks<RawLink>(all, baseUrl, report, visit, dependencies)
  if (links === null) return { ...NOTHING_PARSED, page }
  const scriptUrls = dependencies.page.scriptUrls ? namedByScripts(source, extra?.rendered ?? null) : []
  const admittedLinks = yield* admitLinks(links, baseUrl, visit, dependencies, { refreshTo, scriptUrls })
  const { found, traps } = yield* checkForTraps(admittedLinks, { html, source, baseUrl }, visit, dependencies)
  return { ...NOTHING_PARSED, found, linkCount: admittedLinks.linkCount, page, traps }
}

/** Relative links of a page that changed its URL by history.pushState refer to the new one. */
function documentUrl({ finalUrl }: RenderedPage, requestedUrl: string): string {
  const target = normaliseUrl(finalUrl)
  return 'url' in target ? target.url : requestedUrl
}

/** Where scripts of the page led or tried to lead. */
function routesOf({ routes, navigations }: RenderedPage): RawLink[] {
  return [...routes, ...navigations].map((href) => ({ href, rel: '' }))
}

/** Strings of inline scripts, and data requests of the rendered page that were answered with HTML. */
function namedByScripts(source: HtmlSource, rendered: RenderedPage | null): string[] {
  const requested = rendered?.subrequests.filter(({ type, status, isHtml }) => {
    return isDataRequest(type) && isHtml && status !== null && status < 300
  })
  return [...findScriptUrls(source.html), ...(requested ?? []).map(({ url }) => url)]
}

/** The target of a meta refresh. Its link is dropped if the chain of redirects is too long. */
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

/** Checks whether the page repeats the pages that led to it. If so, its links are held. */
function* checkForTraps(
  { found, held: queryVariations, isBeyondLimit }: AdmittedLinks,
  { html, source, baseUrl }: { html: HtmlFacts; source: HtmlSource; baseUrl: string },
  { url, host }: Visit,
  { linkAdmission, page: { traps: detector } }: VisitDependencies,
): Steps<Pick<ParsedResponse, 'found' | 'traps'>> {
  const isOnTrial = url.ancestry !== null && url.ancestry.trial !== null
  const mustAssess = (!isBeyondLimit && found.length + queryVariations.length > 0) || isOnTrial
  if (detector === null || !mustAssess) return { found, traps: null }
  const hrefs = html.links.map(({ href }) => href)
  const skeletons = url.ancestry?.skeletons ?? []
  const followed = isBeyondLimit ? [] : found
  const candidate = { url: url.url, host, skeletons, title: html.title, hrefs, baseUrl, found: followed }
  const sink = openSkeleton(candidate)
  yield* parseHtml(source, sink, { maxLinks: 0, requisites: false })
  const assessment = detector.assess(candidate, sink.finish())
  // A meta refresh is never held: a chain of them is ended by the limit on hops.
  const isHeld = (i: number) =>
    found[i]?.isRefresh !== true && (assessment.held === 'all' || (assessment.held?.has(i) ?? false))
  const heldByAssessment = found.filter((_, i) => isHeld(i))
  linkAdmission.forgetUrls(heldByAssessment)
  const allHeld = [...queryVariations, ...heldByAssessment]
  const pattern = assessment.pattern ?? host + toPathPattern(url.url)
  const held = allHeld.length === 0 ? null : { pattern, found: allHeld }
  return {
    found: heldByAssessment.length === 0 ? found : found.filter((_, i) => !isHeld(i)),
    traps: {
      skeletons: assessment.skeletons,
      held,
      lineHashes: held === null && !isOnTrial ? [] : assessment.lineHashes,
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
    data: null,
  }
}

function* parseHtml(
  source: HtmlSource,
  sink: TextSink | null,
  { maxLinks, requisites }: Pick<PageSettings, 'maxLinks' | 'requisites'>,
): Steps<HtmlFacts> {
  const { length } = source.html
  const isLong = length > SHARED_LENGTH
  if (isLong) yield null
  const reader = new HtmlReader(source, { wantText: false, sink, maxLinks, wantsRequisites: requisites })
  if (isLong) {
    do yield null
    while (reader.readOn(CHARS_PER_STEP))
  } else {
    reader.readOn(length)
  }
  return reader.finish()
}

/**
 * Adds the metadata of a page, from its headers and its HTML, to the report. Returns its robots directives. A response
 * that is not HTML has only headers.
 */
export function recordMetadata(
  report: FetchedReport,
  html: HtmlFacts | null,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): PageDirectives {
  const { result, url, now } = visit
  const { facts } = report
  if (html !== null) facts.title = cutTitle(html.title)
  facts.canonical = resolveCanonical(html, result.linkHeader, url.url)
  const { metaRobots, product } = dependencies.page
  if (!metaRobots) return NO_PAGE_DIRECTIVES
  const pageDirectives = readDirectives({ html, robotsTag: result.robotsTag, product, now })
  facts.noindex = pageDirectives.noindex
  facts.nofollow = pageDirectives.nofollow
  return pageDirectives
}

/** The base URL of a page applies to links in the page; a Link header resolves against the fetched URL. */
function resolveCanonical(html: HtmlFacts | null, linkHeader: string | null, pageUrl: string): string | null {
  const inPage = html?.canonical || null
  const canonical = inPage ?? canonicalFromLinkHeader(linkHeader)
  if (canonical === null) return null
  const target = normaliseUrl(canonical, inPage === null ? pageUrl : resolveBaseUrl(html?.baseHref ?? null, pageUrl))
  return 'url' in target ? target.url : copyString(canonical.slice(0, MAX_CANONICAL))
}
