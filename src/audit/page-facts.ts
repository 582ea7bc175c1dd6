// What the rules need to know of an archived page, read from its element tree.

import { isShell } from '../engine/crawl/render/needs-scripts.ts'
import { htmlOf, type PageBody } from '../engine/pages/read-archived-page.ts'
import { decodeHtml } from '../engine/parse/charset/decode-html.ts'
import { type LinkKind, readHtml } from '../engine/parse/html-reader.ts'
import { type PageTree, readTree, type TreeElement } from '../engine/select/page-tree.ts'
import { profileText } from '../engine/text/text-profiler.ts'
import { normaliseUrl, resolveBaseUrl } from '../engine/url/normalise-url.ts'
import type { PageVersion } from '../ports/pages.ts'
import { insecureResources } from './insecure-resources.ts'

/** More than any list shows. */
const MAX_TEXTS = 20
const MAX_ALTERNATES = 500
const MAX_HEADING_LENGTH = 20_000

export interface Alternate {
  lang: string
  /** Null if the address is not valid. */
  url: string | null
  href: string
}

export interface FoundLink {
  url: string
  kind: LinkKind
  anchorText: string
}

export interface PageFacts {
  /** Names in lower case; null if the headers of this visit are lost. */
  headers: ReadonlyMap<string, string> | null
  /** Texts of the h1 elements that have content; at most 20. */
  headings: string[]
  /** Of the canonical links in the head, each once. */
  canonicals: string[]
  alternates: Alternate[]
  images: number
  /** Addresses of images that must have an alternative text and have none. */
  imagesWithoutAlt: string[]
  /** What the page loads without encryption although it is encrypted itself; at most 20. */
  insecure: string[]
  /** A policy in a meta element. */
  metaPolicy: string
  /** Without scripts there is nothing to see. */
  needsJavaScript: boolean
  /** Read when they are asked for. */
  links(): FoundLink[]
}

/** Null if the page is too large or too deeply nested. */
export function readPageFacts({ url, words }: Pick<PageVersion, 'url' | 'words'>, page: PageBody): PageFacts | null {
  const html = htmlOf(page)
  const tree = readTree(html)
  if (tree === null) return null
  const { elements } = tree
  const inHead = elements.filter(({ parent }) => elements[parent]?.name === 'head')
  const base = elements.find(({ name, attributes }) => name === 'base' && attributes.has('href'))
  const baseUrl = resolveBaseUrl(base?.attributes.get('href')?.trim() ?? null, url)
  const images = elements.filter(isShownImage(elements))
  return {
    headers: page.hasOwnHeaders ? headerMap(page.ownRecord.headers) : null,
    headings: headingsOf(tree),
    canonicals: canonicalsOf(inHead, baseUrl),
    alternates: alternatesOf(inHead, baseUrl),
    images: images.length,
    imagesWithoutAlt: images
      .filter(
        ({ attributes }) => !['alt', 'aria-label', 'aria-labelledby', 'title'].some((name) => attributes.has(name)),
      )
      .map(({ attributes }) => attributes.get('src') ?? ''),
    insecure: url.startsWith('https:') ? insecureResources(elements, baseUrl).slice(0, MAX_TEXTS) : [],
    metaPolicy:
      inHead.find((element) => hasValue(element, 'http-equiv', 'content-security-policy'))?.attributes.get('content') ??
      '',
    needsJavaScript: page.dom === null ? isShell(html, words ?? 0) : isFilledByScripts(page.dom, page),
    links: () => linksOf(html, baseUrl),
  }
}

function linksOf(html: string, baseUrl: string): FoundLink[] {
  return readHtml(html, 'anchors').links.flatMap(({ href, kind, text }) => {
    const target = normaliseUrl(href, baseUrl)
    return 'url' in target ? [{ url: target.url, kind, anchorText: text }] : []
  })
}

function headerMap(headers: readonly [name: string, value: string][]): Map<string, string> {
  const map = new Map<string, string>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    map.set(key, map.has(key) ? `${map.get(key)}, ${value}` : value)
  }
  return map
}

function headingsOf({ html, elements }: PageTree): string[] {
  const headings: string[] = []
  for (const { name, start, end } of elements) {
    if (name !== 'h1' || headings.length === MAX_TEXTS) continue
    const source = html.slice(start, Math.min(end, start + MAX_HEADING_LENGTH))
    const { text } = readHtml(source, true, null, 0)
    if (text !== '' || /<(?:img|svg|picture)\b/i.test(source)) headings.push(text.replace(/\s+/g, ' ').trim())
  }
  return headings
}

function hasValue({ attributes }: TreeElement, name: string, value: string): boolean {
  return attributes.get(name)?.trim().toLowerCase() === value
}

function relOf({ attributes }: TreeElement): string[] {
  return (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
}

function canonicalsOf(inHead: TreeElement[], baseUrl: string): string[] {
  const urls = inHead.flatMap((element) => {
    const href = element.attributes.get('href')?.trim() ?? ''
    if (element.name !== 'link' || href === '' || !relOf(element).includes('canonical')) return []
    const target = normaliseUrl(href, baseUrl)
    return 'url' in target ? [target.url] : []
  })
  return [...new Set(urls)]
}

function alternatesOf(inHead: TreeElement[], baseUrl: string): Alternate[] {
  const alternates = inHead.flatMap((element): Alternate[] => {
    const { attributes } = element
    const [lang, href] = [attributes.get('hreflang'), attributes.get('href')?.trim() ?? '']
    if (element.name !== 'link' || lang === undefined || !relOf(element).includes('alternate')) return []
    const target = href === '' ? null : normaliseUrl(href, baseUrl)
    return [{ lang: lang.trim(), url: target !== null && 'url' in target ? target.url : null, href }]
  })
  return alternates.slice(0, MAX_ALTERNATES)
}

/** Without images that only count visits, and copies for browsers without scripts. */
function isShownImage(elements: readonly TreeElement[]): (element: TreeElement) => boolean {
  return ({ name, attributes, parent }) => {
    if (name !== 'img' || elements[parent]?.name === 'noscript') return false
    if (attributes.get('aria-hidden') === 'true' || attributes.has('hidden')) return false
    if (['presentation', 'none'].includes(attributes.get('role') ?? '')) return false
    return ![attributes.get('width'), attributes.get('height')].some((size) => /^\s*[01](?:px)?\s*$/.test(size ?? ''))
  }
}

/** More than half of the words of a rendered page come from its scripts. */
function isFilledByScripts(dom: string, { body, contentType }: PageBody): boolean {
  return countWords(decodeHtml(body, contentType).text) * 2 < countWords(dom)
}

function countWords(html: string): number {
  return profileText(readHtml(html, true, null, 0).text).wordCount
}
