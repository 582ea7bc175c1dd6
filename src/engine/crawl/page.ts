// Reads a visited page: what it says of itself, and its links.

import { detach } from '../../lib/detach.ts'
import type { FoundUrl } from '../../ports/frontier.ts'
import type { FetchResponse } from '../fetch/result.ts'
import { decodeHtml } from '../parse/charset.ts'
import { SHARED_LENGTH } from '../parse/codes.ts'
import { isHtml, sniffHtml } from '../parse/content-type.ts'
import { type HtmlFacts, HtmlReader, readHtml } from '../parse/html.ts'
import { canonicalFromLinkHeader, type Directives, NO_DIRECTIVES, readDirectives } from '../robots/directives.ts'
import type { TrapWatch } from '../traps/watch.ts'
import { normaliseUrl } from '../url/normalise.ts'
import { Resolver } from '../url/resolve.ts'
import type { FetchedReport, Steps, Visit, VisitParts } from './visit.ts'

export interface PageSettings {
  metaRobots: boolean
  keepSessionIds: boolean
  /** Links are not followed, only what sitemaps list. */
  sitemapOnly: boolean
  /** The name that directives for us alone begin with. */
  product: string
  traps: TrapWatch | null
}

type Answered = Visit & { result: FetchResponse }
type Links = { found: FoundUrl[]; links: number; isBeyond: boolean }

const MAX_TITLE = 500
const MAX_CANONICAL = 2048
/** What is read in one turn of a long page: a few ms of the worst of them. */
const STRETCH_CHARS = 1 << 16
const STRETCH_LINKS = 1024
const NO_LINKS: Links = { found: [], links: 0, isBeyond: false }

export function* readPage(report: FetchedReport, visit: Answered, parts: VisitParts): Steps<Links> {
  const { body, contentType } = visit.result
  if (!(contentType === '' ? sniffHtml(body) : isHtml(contentType))) {
    describe(report, null, visit, parts)
    return NO_LINKS
  }
  const { traps } = parts.page
  const wantText = traps?.wantsText(visit.url.url, visit.host) ?? false
  const html = yield* readFacts(visit.result, wantText)
  const directives = describe(report, html, visit, parts)
  if (parts.page.sitemapOnly) return NO_LINKS
  if (directives.nofollow) {
    parts.admit.rejections.count('nofollow')
    return NO_LINKS
  }
  const links = yield* admitLinks(html, visit, parts)
  const text = wantText ? `${html.title}\n${html.text}` : null
  const found = links.isBeyond ? [] : links.found
  traps?.record({ url: visit.url.url, host: visit.host, text, found })
  return links
}

function* readFacts({ body, contentType }: FetchResponse, wantText: boolean): Steps<HtmlFacts> {
  const html = decodeHtml(body, contentType).text
  if (html.length <= SHARED_LENGTH) return readHtml(html, wantText)
  yield null
  const reader = new HtmlReader(html, wantText)
  for (let at = STRETCH_CHARS; reader.readTo(at); at += STRETCH_CHARS) yield null
  return reader.finish()
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
