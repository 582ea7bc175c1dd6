// Normalises URLs to one spelling: the WHATWG serialisation, without fragment, with upper-case percent escapes. Nothing
// that could name another page is merged: path case, query order, trailing slash and escapes stay.

export const MAX_URL_LENGTH = 2048

/** Why a string is not a URL we can visit; also the reason under which a rejected link is counted. */
export type InvalidUrlReason = 'malformed' | 'scheme' | 'credentials' | 'too_long'

export type NormalisedUrl = { url: string; host: string } | { problem: InvalidUrlReason }

/** Far more than a URL of MAX_URL_LENGTH may have in the source of a page, with escapes, spaces and a fragment. */
const MAX_TEXT_LENGTH = 1 << 16

export function normaliseUrl(text: string, base?: string): NormalisedUrl {
  // Parsing takes a tenth of a second per megabyte.
  if (text.length > MAX_TEXT_LENGTH) return { problem: 'too_long' }
  const url = URL.parse(text, base)
  if (url === null) return { problem: 'malformed' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { problem: 'scheme' }
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' }
  url.hash = ''
  const href = upperCaseEscapes(url.href)
  return href.length > MAX_URL_LENGTH ? { problem: 'too_long' } : { url: href, host: url.host }
}

function upperCaseEscapes(href: string): string {
  return href.includes('%') ? href.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase()) : href
}

/** The base for the links of a page: its base href if that is a valid URL, otherwise its own URL. */
export function resolveBaseUrl(baseHref: string | null, pageUrl: string): string {
  const base = baseHref === null ? null : normaliseUrl(baseHref, pageUrl)
  return base !== null && 'url' in base ? base.url : pageUrl
}
