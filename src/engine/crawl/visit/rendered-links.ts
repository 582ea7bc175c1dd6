// Finds what a rendered page leads to beyond the links of its DOM, and whether rendering gained anything.

import { isDataRequest, type RenderedPage } from '../../../ports/renderer.ts'
import type { HtmlSource } from '../../parse/charset/decode-html.ts'
import type { HtmlFacts } from '../../parse/html-reader.ts'
import { findScriptUrls } from '../../parse/script-urls.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { normaliseUrl, resolveBaseUrl } from '../../url/normalise-url.ts'
import type { RawLink } from '../links/link-admission.ts'
import type { PageRenderer } from '../render/page-renderer.ts'
import type { ReadPage } from './parse-html.ts'
import type { Visit, VisitDependencies } from './visit-steps.ts'

/** Dates, greetings and counters are no gain. */
const MIN_GAINED_WORDS = 20
const MIN_GAINED_SHARE = 0.2

/** Whether the DOM has links in scope or a good deal of text that the page as received lacks. */
export function gainsByRendering(
  plain: ReadPage,
  { html, profile, rendered }: ReadPage & { rendered: RenderedPage },
  { url }: Visit,
  { linkAdmission, pageReading: { keepSessionIds, hashRoutes } }: VisitDependencies,
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

/** Relative links of a page that changed its URL by history.pushState refer to the new one. */
export function documentUrl({ finalUrl }: RenderedPage, requestedUrl: string): string {
  const target = normaliseUrl(finalUrl)
  return 'url' in target ? target.url : requestedUrl
}

/** Where scripts of the page navigated, or tried to. */
export function routesOf({ routes, navigations }: RenderedPage): RawLink[] {
  return [...routes, ...navigations].map((href) => ({ href, rel: '' }))
}

/** Strings of inline scripts, and data requests of the rendered page that were answered with HTML. */
export function namedByScripts(source: HtmlSource, rendered: RenderedPage | null): string[] {
  const requested = rendered?.subrequests.filter(({ type, status, isHtml }) => {
    return isDataRequest(type) && isHtml && status !== null && status < 300
  })
  return [...findScriptUrls(source.html), ...(requested ?? []).map(({ url }) => url)]
}

/**
 * Files that a browser has received are archived as subresources of the page that requested them, and need not be
 * requested again.
 */
export function makeIsNeeded(pageRenderer: PageRenderer | null, baseUrl: string): (href: string) => boolean {
  return (href) => {
    const target = normaliseUrl(href, baseUrl)
    return !('url' in target) || pageRenderer?.hasReceived(target.url) !== true
  }
}
