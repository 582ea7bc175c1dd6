// Collects anchor texts for the pages that links lead to. A text that a site repeats is collected once while it is
// remembered. Collecting it again would change nothing, so this only saves work.

import type { HtmlFacts } from '../../engine/parse/html-reader.ts'
import { normaliseUrl, resolveBaseUrl } from '../../engine/url/normalise-url.ts'
import { pathStart } from '../../engine/url/url-key.ts'
import type { AnchorText } from '../../ports/index-feed.ts'
import { HashCache } from '../hash-cache.ts'
import { textHash } from '../text-hash.ts'

const MIN_TEXT = 2
const MAX_TEXT = 100
/**
 * Only the first links of a page are used. Links already seen count too, so that the selection depends on the page
 * alone.
 */
const MAX_PER_PAGE = 300
const KNOWN = 1 << 18
/** Resolves to the same URL from every page of an origin. */
const IS_ABSOLUTE = /^(?:\/|https?:\/\/)/i
/** Resolves to the same URL from every page of a folder. */
const IS_RELATIVE_PATH = /^[\w.~-]/

export class AnchorTextCollector {
  /** Hashes of origin or folder, link and text. */
  readonly #known = new HashCache(KNOWN)

  collect({ links, baseHref }: HtmlFacts, pageUrl: string): AnchorText[] {
    const anchors: AnchorText[] = []
    const base = resolveBaseUrl(baseHref, pageUrl)
    const origin = textHash(base.slice(0, pathStart(base)))
    const folder = textHash(folderOf(base))
    const isOwnBase = base === pageUrl
    let count = 0
    for (const { href, kind, text } of links) {
      if (kind !== 'a' || text.length < MIN_TEXT || text.length > MAX_TEXT) continue
      if (isOwnBase && href.startsWith('#')) continue
      if (count++ === MAX_PER_PAGE) break
      const from = IS_ABSOLUTE.test(href) ? origin : IS_RELATIVE_PATH.test(href) ? folder : null
      const key = from === null ? null : textHash(text, textHash(href, from))
      if (key !== null && this.#known.has(key)) continue
      const target = normaliseUrl(href, base)
      if (!('url' in target) || target.url === pageUrl) continue
      anchors.push({ url: target.url, text })
      if (key !== null) this.#known.add(key)
    }
    return anchors
  }

  /** Forgets everything, after collected texts were lost. */
  clear(): void {
    this.#known.clear()
  }
}

function folderOf(url: string): string {
  const queryAt = url.indexOf('?')
  return url.slice(0, url.lastIndexOf('/', queryAt === -1 ? url.length : queryAt) + 1)
}
