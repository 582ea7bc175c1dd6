// Reads an HTML page: its metadata and its links, from the response or from the DOM of the rendered page.

import type { Hooks } from '../../../ports/hooks.ts'
import { type Completeness, RENDER_SKIPPED } from '../../../ports/render-patterns.ts'
import type { RenderedPage } from '../../../ports/renderer.ts'
import { MAX_REDIRECTS } from '../../../ports/visits.ts'
import type { PageExtractor } from '../../extract/extract-page.ts'
import { openHtml } from '../../parse/charset/decode-html.ts'
import type { HtmlFacts } from '../../parse/html-reader.ts'
import type { PageDirectives } from '../../robots/directives.ts'
import type { TextProfiler } from '../../text/text-profiler.ts'
import type { TrapDetector } from '../../traps/trap-detector.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { resolveBaseUrl } from '../../url/normalise-url.ts'
import type { RawLink } from '../links/link-admission.ts'
import { hasScripts, mayAddContent, needsScripts } from '../render/needs-scripts.ts'
import { LINKS_NEED_SCRIPTS, NEEDS_SCRIPTS, type PageRenderer } from '../render/page-renderer.ts'
import { admitLinks, admitRequisites } from './admit-links.ts'
import { checkForTraps } from './check-for-traps.ts'
import type { DocumentQueue } from './document-queue.ts'
import { extractData } from './extract-data.ts'
import { selectLinks } from './page-hooks.ts'
import { recordMetadata, toPageFacts } from './page-metadata.ts'
import { parseHtml, type ReadPage } from './parse-html.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import { renderPage } from './render-page.ts'
import { documentUrl, gainsByRendering, makeIsNeeded, namedByScripts, routesOf } from './rendered-links.ts'
import { NO_PAGE_FACTS } from './response-to-archive.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, Visit, VisitDependencies } from './visit-steps.ts'

const HARDLY_ANY_LINKS = 2

/** Settings and dependencies of reading pages. */
export interface PageReading {
  metaRobots: boolean
  keepSessionIds: boolean
  /** Whether fragments such as #/path and #!path distinguish URLs. */
  hashRoutes: boolean
  /** Follow URLs that scripts name, too. */
  scriptUrls: boolean
  /** Follow no links, only URLs listed in sitemaps. */
  sitemapOnly: boolean
  /** Our product token, for robots directives addressed to us alone. */
  product: string
  /** Whether to read documents that are not HTML, such as feeds and PDFs. */
  documents: boolean
  documentQueue: DocumentQueue
  /** Profiles the text of archived pages; null if nothing is archived. */
  textProfiler: TextProfiler | null
  trapDetector: TrapDetector | null
  /** Null if the crawl does not render. */
  pageRenderer: PageRenderer | null
  /** Links read per page. */
  maxLinks: number
  /** Whether to archive the files that pages load. */
  requisites: boolean
  /** Null if nothing is extracted from pages. */
  extractor: PageExtractor | null
  /** Null if the program that runs the crawl has no hooks. */
  hooks: Hooks | null
}

export function* readHtmlPage(
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const { textProfiler, pageRenderer } = dependencies.pageReading
  const { charset, ...source } = openHtml(visit.result.body, visit.result.contentType)
  const html = yield* parseHtml(source, textProfiler, dependencies.pageReading)
  const plain = { html, source, charset, profile: textProfiler?.finish() ?? null }
  const isEmpty = looksEmpty(plain)
  const completeness: Completeness = isEmpty ? 'empty' : 'complete'
  const { url } = visit.url
  const choice =
    pageRenderer?.choose({
      url,
      completeness,
      hasScripts: () => isEmpty || hasScripts(source.html),
      mayGain: () => isEmpty || mayAddContent(source.html),
    }) ?? null
  if (pageRenderer !== null && (choice === 'render' || choice === 'sample'))
    return yield* readRendered(
      { pageRenderer, completeness, isSample: choice === 'sample' },
      plain,
      report,
      visit,
      dependencies,
    )
  if (choice === 'plain') report.render = { kind: 'plain', completeness }
  if (isEmpty && report.outcome.reason === null)
    report.outcome = { state: 'visited', reason: choice === 'plain' ? RENDER_SKIPPED : NEEDS_SCRIPTS }
  // Some tools for documentation write their menus as scripts.
  const isStart = visit.url.depth === 0 && !dependencies.pageReading.sitemapOnly
  const isDeadEnd = isStart && html.links.length <= HARDLY_ANY_LINKS && pageRenderer === null
  const parsed = yield* readPage(plain, report, visit, dependencies)
  if (isDeadEnd && report.outcome.reason === null && mayAddContent(source.html))
    report.outcome = { state: 'visited', reason: LINKS_NEED_SCRIPTS }
  return parsed
}

/** If nothing is archived, there is no profile, and only pages without links are examined. */
function looksEmpty({ source, html, profile }: ReadPage): boolean {
  return needsScripts({
    source: source.html,
    html,
    words: profile?.wordCount ?? (html.links.length === 0 ? 0 : Number.POSITIVE_INFINITY),
  })
}

interface RenderPlan {
  pageRenderer: PageRenderer
  completeness: Completeness
  /** The page is used as received, unless it gains. */
  isSample: boolean
}

/** A rendered page is read from its DOM; directives are taken from both the HTML and the DOM. */
function* readRendered(
  { pageRenderer, completeness, isSample }: RenderPlan,
  plain: ReadPage,
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const { textProfiler } = dependencies.pageReading
  const { outcome } = report
  const rendering = yield* renderPage({ pageRenderer, isSample }, report, visit, dependencies)
  if (report.outcome.state === 'retry') return { ...NOTHING_PARSED, rendering }
  const { page: rendered } = rendering
  if (rendered?.html == null) {
    if (isSample) {
      report.outcome = outcome
      report.render = { kind: 'plain', completeness }
    }
    const unused = isSample ? { ...rendering, page: null } : rendering
    return { ...(yield* readPage(plain, report, visit, dependencies)), rendering: unused }
  }
  const source = { html: rendered.html, isUtf8: false }
  const html = yield* parseHtml(source, textProfiler, dependencies.pageReading)
  const page = { ...plain, html, source, profile: textProfiler?.finish() ?? null }
  const hasGained = gainsByRendering(plain, { ...page, rendered }, visit, dependencies)
  const gain = pageRenderer.noteGain(visit.url.url, completeness, hasGained)
  if (gain !== undefined) report.render = gain
  if (isSample && !hasGained) {
    report.outcome = outcome
    report.render = { kind: 'plain', completeness }
    return { ...(yield* readPage(plain, report, visit, dependencies)), rendering: { ...rendering, page: null } }
  }
  const plainDirectives = recordMetadata(report, plain.html, visit, dependencies)
  const parsed = yield* readPage(page, report, visit, dependencies, { rendered, plainDirectives })
  return { ...parsed, rendering }
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
  const parsed = yield* extractData(links, { ...read, baseUrl }, report, visit, dependencies)
  if (!dependencies.pageReading.requisites) return parsed
  const isNeeded = makeIsNeeded(extra === null ? null : dependencies.pageReading.pageRenderer, baseUrl)
  const wanted = { urls: html.requisites.filter(isNeeded), dropped: html.droppedRequisites }
  const requisites = yield* admitRequisites(wanted, baseUrl, visit, dependencies)
  return { ...parsed, found: [...parsed.found, ...requisites] }
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
  if (dependencies.pageReading.sitemapOnly) return { ...NOTHING_PARSED, page }
  if (pageDirectives.nofollow || extra?.plainDirectives.nofollow === true) {
    dependencies.linkAdmission.rejections.count('nofollow', html.links.length)
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
  const scriptUrls = dependencies.pageReading.scriptUrls ? namedByScripts(source, extra?.rendered ?? null) : []
  const admittedLinks = yield* admitLinks(links, baseUrl, visit, dependencies, { refreshTo, scriptUrls })
  const { found, traps } = yield* checkForTraps(admittedLinks, { html, source, baseUrl }, visit, dependencies)
  return { ...NOTHING_PARSED, found, linkKeys: admittedLinks.linkKeys, page, traps }
}

/** The target of a meta refresh. Its link is dropped if the chain of redirects is too long. */
function refreshTarget(
  html: HtmlFacts,
  baseUrl: string,
  { url }: Visit,
  { linkAdmission, pageReading }: VisitDependencies,
): string | null {
  const at = html.links.findIndex(({ kind }) => kind === 'refresh')
  const link = html.links[at]
  if (link === undefined) return null
  const target = new LinkResolver(baseUrl, pageReading.keepSessionIds).resolveExact(link.href)
  if (target === null || 'problem' in target || target.url === url.url) return null
  if (url.hops < MAX_REDIRECTS) return target.url
  html.links.splice(at, 1)
  linkAdmission.rejections.countWithSample('too_many_redirects', link.href, { urlId: url.id, pageUrl: url.url })
  return null
}
