// Resolves the links of one page. Most hrefs are plain paths, which string operations resolve twenty times faster than
// a URL object; everything else takes the exact path. link-resolver.test.ts checks on random input that both agree.

import { isHashRoute, MAX_URL_LENGTH, type NormalisedUrl, normaliseUrl, withoutFragment } from './normalise-url.ts'
import { stripSessionIds } from './session-ids.ts'
import { pathStart } from './url-key.ts'

/** Characters that WHATWG leaves unchanged in a path and in a query, and that start nothing special. */
const PLAIN = new Uint8Array(128)
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?=&+,;:@!$()*') {
  PLAIN[c.charCodeAt(0)] = 1
}
/** Every session id contains one of these (see session-ids.ts). */
const MARKS = ';?('
for (const c of MARKS) PLAIN[c.charCodeAt(0)] = 3
const PARENT = '../'
const FRAMES = '/index.html?'
/** Length in characters: a page may name a million levels, each a cached string. */
const MAX_PARENTS = 64 * PARENT.length
const SLASH = 47
const DOT = 46
const COLON = 58
const QUESTION = 63
const HASH = 35

export class LinkResolver {
  readonly origin: string
  readonly host: string
  readonly #base: string
  /** Path of the base up to and including its last slash. */
  readonly #folder: string
  /** The folder itself and those above it, as far as links have needed them. */
  readonly #parentFolders: string[]
  readonly #keepSessionIds: boolean
  readonly #keepHashRoutes: boolean
  readonly #isFolderMarked: boolean
  /** A fragment or an empty href leads to the base: to the page itself, unless its base is another URL. */
  readonly #isBasePageUrl: boolean

  /** `baseUrl` is canonical: a page's own URL, or its base href resolved by `normaliseUrl`. */
  constructor(baseUrl: string, keepSessionIds = false, pageUrl = baseUrl, keepHashRoutes = false) {
    const base = withoutFragment(baseUrl)
    this.#base = base
    this.#isBasePageUrl = base === withoutFragment(pageUrl)
    this.#keepSessionIds = keepSessionIds
    this.#keepHashRoutes = keepHashRoutes
    const pathAt = pathStart(base)
    this.origin = base.slice(0, pathAt)
    this.host = base.slice(base.indexOf('//') + 2, pathAt)
    const queryAt = base.indexOf('?', pathAt)
    const path = queryAt < 0 ? base.slice(pathAt) : base.slice(pathAt, queryAt)
    this.#folder = path.slice(0, path.lastIndexOf('/') + 1)
    this.#parentFolders = [this.#folder]
    this.#isFolderMarked = this.#folder.includes(';') || this.#folder.includes('(')
  }

  get baseLength(): number {
    return this.#base.length
  }

  /** Path and query of a plain href on the same origin; null for one that needs the exact path. */
  resolvePlain(href: string): string | null {
    const start = href.charCodeAt(0) === DOT ? parentsEnd(href) : 0
    const scanned = scanPlain(href, start)
    const end = scanned >> 1
    if (end <= 0 || (this.#keepHashRoutes && end < href.length)) return null
    const text = start === 0 && end === href.length ? href : href.slice(start, end)
    const path = start === 0 ? this.#join(text) : this.#parentFolder(start / PARENT.length) + text
    if (path === null || path.length + this.origin.length > MAX_URL_LENGTH) return null
    return (scanned & 1) === 1 || this.#isFolderMarked ? this.#stripSessionIds(path) : path
  }

  /** Resolves any href. Null if it points into this very page. */
  resolveExact(href: string): NormalisedUrl | null {
    const isFragment = href.length === 0 || href.charCodeAt(0) === HASH
    const isRoute = isFragment && this.#keepHashRoutes && isHashRoute(href)
    if (this.#isBasePageUrl && isFragment && !isRoute) return null
    const target = normaliseUrl(href, this.#base, this.#keepHashRoutes)
    return 'url' in target ? { url: this.#stripSessionIds(target.url), host: target.host } : target
  }

  #stripSessionIds(url: string): string {
    return this.#keepSessionIds ? url : this.#withoutOwnFrame(stripSessionIds(url))
  }

  /**
   * Pages of javadoc link to themselves in frames, as index.html?org/example/Page.html; groovydoc omits the ending. Only
   * the frames are another page.
   */
  #withoutOwnFrame(url: string): string {
    const at = url.indexOf(FRAMES)
    if (at < 0 || url.length === at + FRAMES.length) return url
    const framed = url.slice(0, at + 1) + url.slice(at + FRAMES.length)
    const isOwn = [framed, `${framed}.html`].some((page) => page === this.#base || this.origin + page === this.#base)
    return isOwn ? url.slice(0, at + FRAMES.length - 1) : url
  }

  /** The folder this many levels above the folder of the base, or the root. */
  #parentFolder(levels: number): string {
    const parents = this.#parentFolders
    for (let folder = parents.at(-1) ?? '/'; parents.length <= levels; parents.push(folder)) {
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1) || '/'
    }
    return parents[levels] ?? '/'
  }

  #join(text: string): string | null {
    const first = text.charCodeAt(0)
    if (first === SLASH) return text.charCodeAt(1) === SLASH ? null : text
    if (first === QUESTION || first === DOT) return null
    if (!hasColonBeforeSlash(text)) return this.#folder + text
    const { origin } = this
    return text.startsWith(origin) && text.charCodeAt(origin.length) === SLASH ? text.slice(origin.length) : null
  }
}

/** Length of the leading parent segments. */
function parentsEnd(href: string): number {
  let end = 0
  while (end < MAX_PARENTS && href.startsWith(PARENT, end)) end += PARENT.length
  return end
}

/**
 * If every character from `start` on is plain and there are no dot segments: twice the length of the href without its
 * fragment, plus one if it has a session mark. Otherwise -1.
 */
function scanPlain(href: string, start: number): number {
  let afterSlash = start > 0
  let seen = 0
  let i = start
  for (; i < href.length; i++) {
    const c = href.charCodeAt(i)
    if (c === HASH) break
    const kind = c < 128 ? (PLAIN[c] as number) : 0
    if (kind === 0 || (c === DOT && afterSlash)) return -1
    seen |= kind
    afterSlash = c === SLASH
  }
  return (i << 1) | (seen >> 1)
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
