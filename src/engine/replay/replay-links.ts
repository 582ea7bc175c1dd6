// Rewrites the links and parts of an archived page so that they lead to archived copies, relative to the page itself.

import { normaliseUrl, withoutFragment } from '../url/normalise-url.ts'

/** Replaces what cannot be replayed. It is never requested: https://www.w3.org/TR/css-values-4/#about-invalid */
const NOTHING = 'about:invalid'
const MAX_DATA_URL = 1 << 20

export class ReplayLinks {
  readonly #pageUrl: string
  /** When the page was visited: the version of each target nearest to this time is shown. */
  readonly #at: number
  #baseUrl: string

  constructor(pageUrl: string, at: number) {
    this.#pageUrl = pageUrl
    this.#baseUrl = pageUrl
    this.#at = at
  }

  setBase(href: string): void {
    const base = normaliseUrl(href, this.#pageUrl)
    if ('url' in base) this.#baseUrl = base.url
  }

  /** Target of a link or frame; null if it is not a web page. A route (#/path) may be a separate page. */
  toPage(href: string): string | null {
    const target = normaliseUrl(href.trim(), this.#baseUrl, true)
    if ('problem' in target) return null
    const isRoute = target.url.includes('#')
    const hash = href.includes('#') ? href.slice(href.indexOf('#')) : ''
    if (target.url === (isRoute ? this.#pageUrl : withoutFragment(this.#pageUrl)) && hash !== '') return hash
    return replayPath('page', target.url, this.#at) + (isRoute ? '' : hash)
  }

  /** Target of an image, style, font or media file. */
  toPart(href: string): string {
    const text = href.trim()
    if (/^data:/i.test(text)) return text.length > MAX_DATA_URL ? NOTHING : encodeQuotes(text)
    const target = normaliseUrl(text, this.#baseUrl)
    return 'problem' in target ? NOTHING : replayPath('part', target.url, this.#at)
  }
}

/** Relative to any other replayed page or part. */
export function replayPath(kind: 'page' | 'part', url: string, at: number): string {
  return `${kind}?at=${at}&url=${encodeURIComponent(url).replaceAll("'", '%27')}`
}

/** Encodes quotes so that the URL can be inserted into a style sheet unchanged. */
function encodeQuotes(url: string): string {
  return url.replace(/["'\\\n\r\f]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
