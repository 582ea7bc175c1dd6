// Collects what a browser loads to show a page, besides the page: images, style sheets, fonts, scripts, media. URLs are
// as written, each once.

import type { AttributeName, Attributes } from './attributes.ts'
import { lowerAscii } from './characters.ts'
import { findCssUrls } from './css-urls.ts'
import { hasListToken } from './list-token.ts'
import { findSrcsetUrls } from './srcset.ts'

/** Attributes with the URL of a requisite. */
const SOURCES: Readonly<Record<string, readonly AttributeName[]>> = {
  audio: ['src'],
  body: ['background'],
  embed: ['src'],
  feimage: ['href', 'xlink:href'],
  image: ['href', 'xlink:href', 'src'],
  img: ['src'],
  input: ['src'],
  link: ['href'],
  script: ['src', 'href', 'xlink:href'],
  source: ['src'],
  table: ['background'],
  td: ['background'],
  th: ['background'],
  tr: ['background'],
  track: ['src'],
  use: ['href', 'xlink:href'],
  video: ['src', 'poster'],
}
/** Attributes with lists of candidates. All candidates are kept, since another screen may need another one. */
const CANDIDATES: Readonly<Record<string, AttributeName>> = { img: 'srcset', link: 'imagesrcset', source: 'srcset' }

const LOADED_LINKS = ['stylesheet', 'icon', 'preload', 'modulepreload', 'apple-touch-icon', 'mask-icon', 'manifest']

/** References that are not loaded from a server, or are part of the page. */
const NOT_LOADED = /^\s*(?:$|#|(?:data|blob|about|javascript|mailto):)/i

/** Limit per page or style sheet. Further requisites are only counted. */
export const MAX_REQUISITES = 10_000

export class RequisiteCollector {
  readonly #urls = new Set<string>()
  #dropped = 0

  get urls(): string[] {
    return [...this.#urls]
  }

  get dropped(): number {
    return this.#dropped
  }

  addElement(name: string, attributes: Attributes): void {
    const style = attributes.get('style')
    if (style !== null) this.addStyles(style)
    if (name === 'link' && !isLoaded(attributes)) return
    for (const attribute of SOURCES[name] ?? []) this.#add(attributes.getTrimmed(attribute))
    const candidates = CANDIDATES[name]
    const srcset = candidates === undefined ? null : attributes.get(candidates)
    if (srcset !== null) for (const url of findSrcsetUrls(srcset)) this.#add(url)
  }

  /** The text of a `style` element or attribute. */
  addStyles(css: string): void {
    for (const url of findCssUrls(css)) this.#add(url)
  }

  #add(url: string | null): void {
    if (url === null || NOT_LOADED.test(url) || this.#urls.has(url)) return
    if (this.#urls.size >= MAX_REQUISITES) this.#dropped += 1
    else this.#urls.add(url)
  }
}

function isLoaded(attributes: Attributes): boolean {
  const rel = lowerAscii(attributes.get('rel') ?? '')
  return LOADED_LINKS.some((token) => hasListToken(rel, token))
}
