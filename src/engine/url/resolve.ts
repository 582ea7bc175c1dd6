// Resolves the links of one page. Most hrefs are plain paths, which string work resolves twenty times faster than a
// URL object; everything else takes the exact way. resolve.test.ts proves on random input that both ways agree.

import { MAX_URL_LENGTH, type Normalised, normaliseUrl } from './normalise.ts'

/** Characters that WHATWG leaves as they are in a path and in a query, and that start nothing special. */
const PLAIN = new Uint8Array(128)
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?=&+,;:@!$()*') {
  PLAIN[c.charCodeAt(0)] = 1
}
const SLASH = 47
const DOT = 46
const COLON = 58
const QUESTION = 63
const HASH = 35

export class Resolver {
  readonly #base: string
  readonly #origin: string
  readonly #host: string
  /** The base up to and including the last slash of its path. */
  readonly #folder: string
  readonly #isPlainBase: boolean

  /** `base` is canonical: a page's own url, or its base href resolved by `normaliseUrl`. */
  constructor(base: string) {
    this.#base = base
    const pathAt = base.indexOf('/', base.indexOf('//') + 2)
    this.#origin = base.slice(0, pathAt)
    this.#host = this.#origin.slice(this.#origin.indexOf('//') + 2)
    const queryAt = base.indexOf('?')
    const path = queryAt < 0 ? base : base.slice(0, queryAt)
    this.#folder = path.slice(0, path.lastIndexOf('/') + 1)
    this.#isPlainBase = pathAt > 0
  }

  /** null: the href points into this very page and is no link to another. */
  resolve(href: string): Normalised | null {
    const end = plainLength(href)
    if (end === 0 && (href.length === 0 || href.charCodeAt(0) === HASH)) return null
    if (end < 0 || !this.#isPlainBase) return normaliseUrl(href, this.#base)
    const text = end === href.length ? href : href.slice(0, end)
    const url = this.#join(text)
    if (url === null || url.length > MAX_URL_LENGTH) return normaliseUrl(href, this.#base)
    return { url, host: this.#host }
  }

  #join(text: string): string | null {
    const first = text.charCodeAt(0)
    if (first === SLASH) return text.charCodeAt(1) === SLASH ? null : this.#origin + text
    if (first === QUESTION || first === DOT) return null
    if (text.startsWith(this.#origin) && text.charCodeAt(this.#origin.length) === SLASH) return text
    return hasColonBeforeSlash(text) ? null : this.#folder + text
  }
}

/** Length of the href without its fragment if every character is plain and there are no dot segments; else -1. */
function plainLength(href: string): number {
  let afterSlash = false
  for (let i = 0; i < href.length; i++) {
    const c = href.charCodeAt(i)
    if (c === HASH) return i
    if (c >= 128 || PLAIN[c] === 0) return -1
    if (c === DOT && afterSlash) return -1
    afterSlash = c === SLASH
  }
  return href.length
}

/** A colon in the first segment may end a scheme. */
function hasColonBeforeSlash(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === COLON) return true
    if (c === SLASH || c === QUESTION) return false
  }
  return false
}
