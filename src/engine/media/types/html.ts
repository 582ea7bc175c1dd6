import { decodeHtml } from '../../parse/charset/decode-html.ts'
import { readHtml } from '../../parse/html-reader.ts'
import {
  type ContentType,
  type ExtractContext,
  type ExtractedContent,
  NO_CONTENT,
  truncateToLimits,
} from '../content-type.ts'

/** Browsers treat anything as a page: broken HTML, and text under its label. */
export const HTML = {
  name: 'html',
  mediaTypes: ['text/html'],
  signature: null,
  roots: {},
  isInZip: null,
  isValid: () => true,
  isPage: true,
  isHeavy: () => false,
  extract: (body, context) => extractHtml(decodeHtml(body, context.contentType).text, context),
} as const satisfies ContentType

export function extractHtml(html: string, { url }: ExtractContext): ExtractedContent {
  const { title, description, keywords, lang, text, links, baseHref } = readHtml(html, true)
  const base = baseHref === null ? null : (URL.parse(baseHref, url)?.href ?? null)
  return truncateToLimits({
    ...NO_CONTENT,
    title,
    description,
    keywords,
    lang,
    text,
    links: links.map(({ href, rel, text }) => ({ href: resolve(href, base), rel, text })),
  })
}

/** The caller does not know of a base element, so links are made absolute only if there is one. */
function resolve(href: string, base: string | null): string {
  return base === null ? href : (URL.parse(href, base)?.href ?? href)
}
