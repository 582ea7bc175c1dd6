// URLs that the scripts of a page name but the page does not link: strings of inline scripts and of inline data that look
// like the path or the address of a page. Most strings of scripts are no URLs, so the rules are strict: relative paths
// need the ending of a page, and what looks like a file, a template or a pattern is left out.

/** Limit per page. */
export const MAX_SCRIPT_URLS = 100
/** Characters of scripts that are searched, over all of a page. */
const MAX_SEARCHED = 1 << 20
const MAX_LENGTH = 500

/**
 * A quoted string without spaces and templates: an address, a path from the root, or a relative path of a page. JSON may
 * escape slashes. ASCII only: the source may have one character per byte.
 */
const STRING =
  /(["'`])((?:https?:(?:\\?\/){2}|\\?\/(?![\\/*]))[!#%&+,\-./0-9:;=?@A-Z[\\\]_a-z~]{1,500}|[0-9A-Z_a-z][\w\-./]{0,200}\.(?:html?|xhtml|php|aspx?|jspx?|do|cfm)(?:\?[\w\-.~%&=+]{0,200})?)\1/g
/** Slashes may be escaped; other escapes are part of patterns. */
const ESCAPED_SLASH = /\\\//g
/** Files that are not pages, by their extension. Extensions such as .1 belong to versions and titles. */
const FILE =
  /\.(?:m?jsx?|tsx?|css|scss|less|map|json|xml|txt|wasm|png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|zip|gz|md|vue|svelte)(?:[?#]|$)/i
const HAS_NAME = /[A-Za-z]/

/** URLs as written, without escapes, each once. `html` is the page as received, or the DOM. */
export function findScriptUrls(html: string): string[] {
  const found = new Set<string>()
  let searched = 0
  for (let at = html.indexOf('<script'); at >= 0 && searched < MAX_SEARCHED; at = html.indexOf('<script', at)) {
    const start = html.indexOf('>', at) + 1
    if (start === 0) break
    const end = html.indexOf('</script', start)
    const script = html.slice(start, Math.min(end < 0 ? html.length : end, start + MAX_SEARCHED - searched))
    searched += script.length
    for (const [, , text = ''] of script.matchAll(STRING)) {
      const url = toPageUrl(text)
      if (url !== null) found.add(url)
      if (found.size >= MAX_SCRIPT_URLS) return [...found]
    }
    if (end < 0) break
    at = end
  }
  return [...found]
}

function toPageUrl(text: string): string | null {
  const url = text.replace(ESCAPED_SLASH, '/')
  if (url.includes('\\') || url.length > MAX_LENGTH || FILE.test(url)) return null
  const path = url.replace(/^https?:\/\/[^/?#]*/, '')
  // Placeholders of routes, and patterns: /users/:id, /[0-9]+/.
  if (/\/:|[[\]]|\+\/|\/\/|,/.test(path) || !HAS_NAME.test(path)) return null
  return url
}
