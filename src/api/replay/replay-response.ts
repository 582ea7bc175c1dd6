// An archived version as a response that a browser shows, as a page or as a part of one.

import { htmlOf, type PageReaderDependencies, readBody } from '../../engine/pages/read-archived-page.ts'
import { decodeHtml } from '../../engine/parse/charset/decode-html.ts'
import { rewriteCssUrls } from '../../engine/parse/css-urls.ts'
import { ReplayLinks, replayPath } from '../../engine/replay/replay-links.ts'
import { MAX_REPLAYED_LENGTH, rewriteHtml } from '../../engine/replay/rewrite-html.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { imagePage } from './message-page.ts'

export type ReplayKind = 'page' | 'part'

export type Replayed =
  | { kind: 'redirect'; path: string }
  /** Rewritten HTML, or a page of ours around an image. */
  | { kind: 'html'; body: string }
  /** Bytes that no browser runs: an image, a style sheet, a font, plain text. */
  | { kind: 'data'; type: string; body: Buffer }
  | { kind: 'too_large' }
  | { kind: 'not_shown'; type: string }

/** Types of parts that are passed on. A browser uses none of them as a page or a script. */
const PART_TYPES =
  /^(?:(?:image|font|audio|video)\/[\w.+-]+|application\/(?:octet-stream|ogg|vnd\.ms-fontobject|(?:x-)?font-[\w-]+))$/
const HTML_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml']
const TEXT_TYPES = /^text\/|^application\/(?:json|xml|javascript|[\w.-]+\+(?:json|xml))$/

export async function replayVersion(
  version: PageVersion,
  kind: ReplayKind,
  reader: Omit<PageReaderDependencies, 'readDocument'>,
): Promise<Replayed> {
  const { url, visitedAt, redirectTo, httpStatus } = version
  if (redirectTo !== null && httpStatus !== null && httpStatus >= 300 && httpStatus < 400) {
    return { kind: 'redirect', path: replayPath(kind, redirectTo, visitedAt) }
  }
  const page = await readBody(version, reader)
  const { body, contentType, media } = page
  const links = new ReplayLinks(url, visitedAt)
  const type = mimeTypeOf(contentType)
  return kind === 'part' ? toPart(type) : toPage(type)

  function toPart(partType: string): Replayed {
    if (partType === 'text/css') {
      if (body.length > MAX_REPLAYED_LENGTH) return { kind: 'too_large' }
      const css = rewriteCssUrls(decodeHtml(body, contentType).text, (target) => links.toPart(target))
      return { kind: 'data', type: 'text/css; charset=utf-8', body: Buffer.from(css) }
    }
    if (partType === '') return { kind: 'data', type: 'application/octet-stream', body }
    return PART_TYPES.test(partType) ? { kind: 'data', type: partType, body } : { kind: 'not_shown', type: partType }
  }

  async function toPage(pageType: string): Promise<Replayed> {
    if (HTML_TYPES.includes(pageType) || (pageType === '' && media?.name === 'html')) {
      const html = await rewriteHtml(htmlOf(page), links)
      return html === null ? { kind: 'too_large' } : { kind: 'html', body: html }
    }
    if (pageType.startsWith('image/')) return { kind: 'html', body: imagePage(replayPath('part', url, visitedAt)) }
    if (!TEXT_TYPES.test(pageType)) return { kind: 'not_shown', type: pageType }
    return { kind: 'data', type: 'text/plain; charset=utf-8', body: Buffer.from(decodeHtml(body, contentType).text) }
  }
}

function mimeTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
