// Normalises URLs to one spelling: the WHATWG serialisation, without fragment (unless it is a route, and the crawl has
// --hash-routes), with upper-case percent escapes. Nothing
// that could name another page is merged: path case, query order, trailing slash and escapes stay.

export const MAX_URL_LENGTH = 2048

/** Why a string is not a URL we can visit; also the reason under which a rejected link is counted. */
export type InvalidUrlReason = 'malformed' | 'scheme' | 'credentials' | 'too_long'

export type NormalisedUrl = { url: string; host: string } | { problem: InvalidUrlReason }

/** Far more than a URL of MAX_URL_LENGTH may have in the source of a page, with escapes, spaces and a fragment. */
const MAX_TEXT_LENGTH = 1 << 16

/** With `keepHashRoute`, a fragment that is a route of a page (#/path, #!path) is part of the URL. */
export function normaliseUrl(text: string, base?: string, keepHashRoute = false): NormalisedUrl {
  // Parsing takes a tenth of a second per megabyte.
  if (text.length > MAX_TEXT_LENGTH) return { problem: 'too_long' }
  const url = URL.parse(keepHashRoute ? text : cutFragment(text), base)
  if (url === null) return { problem: 'malformed' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { problem: 'scheme' }
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' }
  if (!keepHashRoute || !isHashRoute(url.hash)) url.hash = ''
  const href = upperCaseEscapes(url.href)
  return href.length > MAX_URL_LENGTH ? { problem: 'too_long' } : { url: href, host: url.host }
}

/** Parsing a fragment and removing it costs as much as all the rest. A space before it is part of the path. */
function cutFragment(text: string): string {
  const at = text.indexOf('#')
  return at > 0 && text.charCodeAt(at - 1) > 0x20 ? text.slice(0, at) : text
}

/** `#/` and `#!/` lead to the page itself. */
export function isHashRoute(fragment: string): boolean {
  return /^#(?:\/|!\/?)[^/]/.test(fragment)
}

/** The requested URL: a server never sees the fragment. */
export function withoutFragment(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}

function upperCaseEscapes(href: string): string {
  return href.includes('%') ? href.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase()) : href
}

/** The base for the links of a page: its base href if that is a valid URL, otherwise its own URL. */
export function resolveBaseUrl(baseHref: string | null, pageUrl: string): string {
  const base = baseHref === null ? null : normaliseUrl(baseHref, pageUrl)
  return base !== null && 'url' in base ? base.url : pageUrl
}
