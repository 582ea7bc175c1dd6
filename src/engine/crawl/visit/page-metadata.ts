// Collects what the report of a page says about it besides its links: title, canonical URL, robots directives,
// language and text.

import { copyString } from '../../../lib/copy-string.ts'
import type { HtmlFacts } from '../../parse/html-reader.ts'
import { canonicalFromLinkHeader } from '../../parse/link-header.ts'
import { NO_PAGE_DIRECTIVES, type PageDirectives, readDirectives } from '../../robots/directives.ts'
import type { TextProfile } from '../../text/text-profiler.ts'
import { normaliseUrl, resolveBaseUrl } from '../../url/normalise-url.ts'
import { cutFact, cutTitle, type PageFacts } from './response-to-archive.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, VisitDependencies } from './visit-steps.ts'

const MAX_CANONICAL = 2048

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
  const { metaRobots, product } = dependencies.pageReading
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

export function toPageFacts(html: HtmlFacts, charset: string, text: TextProfile): PageFacts {
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
