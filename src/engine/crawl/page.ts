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
import { normaliseUrl } from '../url/normalise.ts'
import { Resolver } from '../url/resolve.ts'
import { NO_PAGE_FACTS, type PageFacts } from './keep.ts'
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
type Links = { found: FoundUrl[]; links: number; isBeyond: boolean }

const MAX_TITLE = 500
const MAX_CANONICAL = 2048
/** What is read in one turn of a long page: a few ms of the worst of them. */
const STRETCH_CHARS = 1 << 16
const STRETCH_LINKS = 1024
const NO_LINKS = { found: [] as FoundUrl[], links: 0 }
const MAX_DESCRIPTION = 1000

/** Anything that is no html is only described, by its headers. */
export function* readPage(isHtml: boolean, report: FetchedReport, visit: Answered, parts: VisitParts): Steps<Read> {
  if (!isHtml) {
    describe(report, null, visit, parts)
    return { ...NO_LINKS, page: null }
  }
  const { traps } = parts.page
  const wantText = traps?.wantsText(visit.url.url, visit.host) ?? false
  const { survey } = parts.page
  const { html, charset } = yield* readFacts(visit.result, wantText, survey)
  const directives = describe(report, html, visit, parts)
  const page = survey === null ? NO_PAGE_FACTS : pageFactsOf(html, charset, survey.finish())
  if (parts.page.sitemapOnly) return { ...NO_LINKS, page }
  if (directives.nofollow) {
    parts.admit.rejections.count('nofollow')
    return { ...NO_LINKS, page }
  }
  const links = yield* admitLinks(html, visit, parts)
  const text = wantText ? `${html.title}\n${html.text}` : null
  const found = links.isBeyond ? [] : links.found
  traps?.record({ url: visit.url.url, host: visit.host, text, found })
  return { found: links.found, links: links.links, page }
}

function pageFactsOf(html: HtmlFacts, charset: string, text: TextFacts): PageFacts {
  const cut = (text: string) => (text === '' ? null : detach(text.slice(0, MAX_DESCRIPTION)))
  return {
    charset,
    lang: cut(html.lang),
    description: cut(html.description),
    keywords: cut(html.keywords),
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

/** What the page says of itself goes into the report; what it asks of us is the answer. */
function describe(report: FetchedReport, html: HtmlFacts | null, visit: Answered, parts: VisitParts): Directives {
  const { result, url, now } = visit
  const { facts } = report
  if (html !== null) facts.title = detach(html.title.slice(0, MAX_TITLE))
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

function* admitLinks(html: HtmlFacts, visit: Answered, parts: VisitParts): Steps<Links> {
  const { url } = visit
  const { admit } = parts
  const base = html.baseHref === null ? null : normaliseUrl(html.baseHref, url.url)
  const baseUrl = base !== null && 'url' in base ? base.url : url.url
  const resolver = new Resolver(baseUrl, parts.page.keepSessionIds)
  const place = { urlId: url.id, pageUrl: url.url, resolver, depth: url.depth + 1, hops: 0, kind: 'page' as const }
  const page = admit.open(place)
  const { links } = html
  for (let from = 0; from < links.length; from += STRETCH_LINKS) {
    if (from > 0) yield null
    admit.add(page, links, from, Math.min(links.length, from + STRETCH_LINKS))
  }
  return admit.close(page)
}
