// Texts of links, for the pages they lead to. What a host's pages say again and again is said once.

import type { HtmlFacts } from '../../engine/parse/html.ts'
import { baseOf, normaliseUrl } from '../../engine/url/normalise.ts'
import type { AnchorText } from '../../ports/search.ts'
import { textHash } from '../text-hash.ts'
import { hostOf } from '../url-parts.ts'

const MIN_TEXT = 2
const MAX_TEXT = 100
const MAX_PER_PAGE = 100
const MAX_KNOWN = 100_000

export class AnchorTexts {
  /** Hashes of host, link and text. */
  readonly #known = new Set<number>()

  of({ links, baseHref }: HtmlFacts, pageUrl: string): Omit<AnchorText, 'isNew'>[] {
    const anchors: Omit<AnchorText, 'isNew'>[] = []
    const base = baseOf(baseHref, pageUrl)
    const hostHash = textHash(hostOf(base))
    const isBaseOwn = base === pageUrl
    for (const { href, kind, text } of links) {
      if (kind !== 'a' || text.length < MIN_TEXT || text.length > MAX_TEXT) continue
      if (isBaseOwn && href.startsWith('#')) continue
      if (this.#isKnown(hostHash, href, text)) continue
      const target = normaliseUrl(href, base)
      if ('url' in target && target.url !== pageUrl) anchors.push({ url: target.url, text })
      if (anchors.length === MAX_PER_PAGE) break
    }
    return anchors
  }

  /** What was told came to nothing: it is told again. */
  forget(): void {
    this.#known.clear()
  }

  /** Told of before; what is relative to the page is never known. */
  #isKnown(hostHash: number, href: string, text: string): boolean {
    if (!href.startsWith('/') && !href.startsWith('http')) return false
    const key = textHash(text, textHash(href, hostHash))
    if (this.#known.has(key)) return true
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.add(key)
    return false
  }
}
