// Facts of an archived page that the rules need, read from its tags in one pass.

import { isShell } from '../engine/crawl/render/needs-scripts.ts'
import { htmlOf, type PageBody } from '../engine/pages/read-archived-page.ts'
import { decodeHtml } from '../engine/parse/charset/decode-html.ts'
import { type LinkKind, readHtml } from '../engine/parse/html-reader.ts'
import { type ScannedTag, scanTags } from '../engine/parse/scan-tags.ts'
import { profileText } from '../engine/text/text-profiler.ts'
import { normaliseUrl, resolveBaseUrl } from '../engine/url/normalise-url.ts'
import type { PageVersion } from '../ports/pages.ts'
import { ADDRESSES, insecureUrls, loadedAddresses } from './loaded-addresses.ts'

/** More texts than any list shows. */
const MAX_TEXTS = 20
const MAX_ALTERNATES = 500
const MAX_HEADING_LENGTH = 20_000

export interface Alternate {
  lang: string
  /** Null if the address is invalid. */
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
  /** Targets of the canonical links in the head, each once. */
  canonicals: string[]
  alternates: Alternate[]
  images: number
  /** Addresses of images that must have an alternative text and have none. */
  imagesWithoutAlt: string[]
  /** Files that an encrypted page loads without encryption; at most 20. */
  insecure: string[]
  /** A policy in a meta element. */
  metaPolicy: string
  /** Without scripts, the page looks empty. */
  needsJavaScript: boolean
  /** Links are read only when requested. */
  links(): FoundLink[]
  text(): string
}

const WANTED = new Set(['base', 'meta', 'h1', 'link', 'img', ...Object.keys(ADDRESSES)])

export function readPageFacts({ url, words }: Pick<PageVersion, 'url' | 'words'>, page: PageBody): PageFacts {
  const html = htmlOf(page)
  const tags = new TagFacts(html)
  scanTags(html, WANTED, (tag) => tags.add(tag))
  const baseUrl = resolveBaseUrl(tags.baseHref, url)
  const resolve = (href: string): string | null => {
    const target = href === '' ? null : normaliseUrl(href, baseUrl)
    return target !== null && 'url' in target ? target.url : null
  }
  return {
    headers: page.hasOwnHeaders ? headerMap(page.ownRecord.headers) : null,
    headings: tags.headings,
    canonicals: [...new Set(tags.canonicals.flatMap((href) => resolve(href) ?? []))],
    alternates: tags.alternates.map(({ lang, href }) => ({ lang, href, url: resolve(href) })),
    images: tags.images,
    imagesWithoutAlt: tags.imagesWithoutAlt,
    insecure: url.startsWith('https:') ? insecureUrls(tags.loaded, baseUrl).slice(0, MAX_TEXTS) : [],
    metaPolicy: tags.metaPolicy,
    needsJavaScript: page.dom === null ? isShell(html, words ?? 0) : isFilledByScripts(page.dom, page),
    text: () => readHtml(html, true, null, 0).text,
    links: () =>
      readHtml(html, 'anchors').links.flatMap(({ href, kind, text }) => {
        const target = resolve(href)
        return target === null ? [] : [{ url: target, kind, anchorText: text }]
      }),
  }
}

/** Collects tag by tag; addresses are resolved once the base is known. */
class TagFacts {
  readonly #html: string
  baseHref: string | null = null
  metaPolicy = ''
  readonly headings: string[] = []
  readonly canonicals: string[] = []
  readonly alternates: { lang: string; href: string }[] = []
  images = 0
  readonly imagesWithoutAlt: string[] = []
  readonly loaded: string[] = []

  constructor(html: string) {
    this.#html = html
  }

  add(tag: ScannedTag): void {
    switch (tag.name) {
      case 'base':
        this.baseHref ??= tag.get('href')?.trim() ?? null
        return
      case 'meta':
        if (tag.isInHead && tag.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy')
          this.metaPolicy ||= tag.get('content') ?? ''
        return
      case 'h1':
        return this.#addHeading(tag.end)
      case 'link':
        if (tag.isInHead && !tag.isInNoscript) this.#addLinkElement(tag)
        break
      case 'img':
        if (isShown(tag)) this.#addImage(tag)
        break
    }
    this.loaded.push(...loadedAddresses(tag))
  }

  #addHeading(start: number): void {
    if (this.headings.length === MAX_TEXTS) return
    const rest = this.#html.slice(start, start + MAX_HEADING_LENGTH)
    const end = /<\/?h[1-6]\b/i.exec(rest)?.index ?? rest.length
    const source = rest.slice(0, end)
    const { text } = readHtml(source, true, null, 0)
    if (text !== '' || /<(?:img|svg|picture)\b/i.test(source)) this.headings.push(text.replace(/\s+/g, ' ').trim())
  }

  #addLinkElement({ get }: ScannedTag): void {
    const rels = (get('rel') ?? '').toLowerCase().split(/\s+/)
    const href = get('href')?.trim() ?? ''
    if (rels.includes('canonical') && href !== '') this.canonicals.push(href)
    const lang = get('hreflang')
    if (lang !== null && rels.includes('alternate') && this.alternates.length < MAX_ALTERNATES)
      this.alternates.push({ lang: lang.trim(), href })
  }

  #addImage({ get }: ScannedTag): void {
    this.images += 1
    const hasText = ['alt', 'aria-label', 'aria-labelledby', 'title'].some((name) => get(name) !== null)
    if (!hasText) this.imagesWithoutAlt.push(get('src') ?? '')
  }
}

/** Excludes images that only count visits, and copies for browsers without scripts. */
function isShown({ get, isInNoscript }: ScannedTag): boolean {
  if (isInNoscript || get('aria-hidden') === 'true' || get('hidden') !== null) return false
  if (['presentation', 'none'].includes(get('role') ?? '')) return false
  return ![get('width'), get('height')].some((size) => /^\s*[01](?:px)?\s*$/.test(size ?? ''))
}

function headerMap(headers: readonly [name: string, value: string][]): Map<string, string> {
  const map = new Map<string, string>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    map.set(key, map.has(key) ? `${map.get(key)}, ${value}` : value)
  }
  return map
}

/** Whether more than half of the words of a rendered page come from its scripts. */
function isFilledByScripts(dom: string, { body, contentType }: PageBody): boolean {
  return countWords(decodeHtml(body, contentType).text) * 2 < countWords(dom)
}

function countWords(html: string): number {
  return profileText(readHtml(html, true, null, 0).text).wordCount
}
