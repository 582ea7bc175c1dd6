// Reads a visited page: what it says of itself, and its links.

import { detach } from '../../lib/detach.ts'
import type { FoundUrl } from '../../ports/frontier.ts'
import type { FetchResponse } from '../fetch/result.ts'
import type { Extracted } from '../media/type.ts'
import { decodeHtml } from '../parse/charset.ts'
import { SHARED_LENGTH } from '../parse/codes.ts'
import { type HtmlFacts, HtmlReader, readHtml } from '../parse/html.ts'
import { canonicalFromLinkHeader, type Directives, NO_DIRECTIVES, readDirectives } from '../robots/directives.ts'
import type { TextFacts, TextSurvey } from '../text/survey.ts'
import type { TrapWatch } from '../traps/watch.ts'
import { baseOf, normaliseUrl } from '../url/normalise.ts'
import { cutFact, cutTitle, NO_PAGE_FACTS, type PageFacts } from './keep.ts'
import { admitLinks } from './links.ts'
import type { FetchedReport, Read, Steps, Visit, VisitParts } from './visit.ts'

export interface PageSettings {
  metaRobots: boolean
  keepSessionIds: boolean
  /** Links are not followed, only what sitemaps list. */
  sitemapOnly: boolean
  /** The name that directives for us alone begin with. */
  product: string
  /** Read documents that are no html, such as feeds and PDFs. */
  documents: boolean
  readPdf: (body: Buffer) => Promise<Extracted>
  /** Looks at the text of pages that are kept; null when none are. */
  survey: TextSurvey | null
  traps: TrapWatch | null
}

type Answered = Visit & { result: FetchResponse }

const MAX_CANONICAL = 2048
/** What is read in one turn of a long page: a few ms of the worst of them. */
const STRETCH_CHARS = 1 << 16
const NO_LINKS = { found: [] as FoundUrl[], links: 0 }

export function* readPage(report: FetchedReport, visit: Answered, parts: VisitParts): Steps<Read> {
  const { survey, traps } = parts.page
  const wantText = traps?.wantsText(visit.url.url, visit.host) ?? false
  const { html, charset } = yield* readFacts(visit.result, wantText, survey)
  const directives = describe(report, html, visit, parts)
  const page = survey === null ? NO_PAGE_FACTS : pageFactsOf(html, charset, survey.finish())
  if (parts.page.sitemapOnly) return { ...NO_LINKS, page }
  if (directives.nofollow) {
    parts.admit.rejections.count('nofollow')
    return { ...NO_LINKS, page }
  }
  const links = yield* admitLinks(html.links, baseOf(html.baseHref, visit.url.url), visit, parts)
  const text = wantText ? `${html.title}\n${html.text}` : null
  const found = links.isBeyond ? [] : links.found
  traps?.record({ url: visit.url.url, host: visit.host, text, found })
  return { found: links.found, links: links.links, page }
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

function* readFacts(
  { body, contentType }: FetchResponse,
  wantText: boolean,
  survey: TextSurvey | null,
): Steps<{ html: HtmlFacts; charset: string }> {
  const { text, charset } = decodeHtml(body, contentType)
  if (text.length <= SHARED_LENGTH) return { html: readHtml(text, wantText, survey), charset }
  yield null
  const reader = new HtmlReader(text, wantText, survey)
  for (let at = STRETCH_CHARS; reader.readTo(at); at += STRETCH_CHARS) yield null
  return { html: reader.finish(), charset }
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
  const canonical = html?.canonical || canonicalFromLinkHeader(result.linkHeader)
  if (canonical) {
    const target = normaliseUrl(canonical, url.url)
    facts.canonical = 'url' in target ? target.url : detach(canonical.slice(0, MAX_CANONICAL))
  }
  const { metaRobots, product } = parts.page
  if (!metaRobots) return NO_DIRECTIVES
  const directives = readDirectives({ html, robotsTag: result.robotsTag, product, now })
  facts.noindex = directives.noindex
  return directives
}
