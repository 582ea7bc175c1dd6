// Recognises links that only vary the query of their own page, such as one more filter of a shop, and links that repeat
// a parameter of the page with a value that changes on every request, as session ids do. Both can generate endless
// URLs, but some sites page through real content in this way, so such links are held and not dropped.

import { pathStart } from '../url/url-key.ts'

/** Prefix of the links that vary the query of a page; null if the page has no query. */
export function queryPrefixOf(pageUrl: string): string | null {
  const queryAt = pageUrl.indexOf('?')
  return queryAt < 0 || queryAt === pageUrl.length - 1 ? null : pageUrl.slice(0, queryAt + 1)
}

/** Whether a link leads to the page's own path with at least two parameters. */
export function isQueryVariation(prefix: string, url: string): boolean {
  return url.startsWith(prefix) && url.indexOf('&', prefix.length) > 0
}

/** Links that must have the same new value. */
const MIN_ROTATED_LINKS = 3

/**
 * Finds a parameter of the page that all new links carry with one different value, while no link of the page has the
 * page's own value. `hrefs` are all links of the page as written.
 */
export function findRotatingParameter(
  pageUrl: string,
  found: readonly { url: string }[],
  hrefs: Iterable<string>,
): string | null {
  const queryAt = pageUrl.indexOf('?')
  if (queryAt < 0 || found.length < MIN_ROTATED_LINKS) return null
  for (const parameter of pageUrl.slice(queryAt + 1).split('&')) {
    const name = parameter.slice(0, parameter.indexOf('=') + 1)
    if (name === '') continue
    const values = new Set<string>()
    const paths = new Set<string>()
    for (const { url } of found) {
      const value = parameterValue(url, name)
      if (value === null) continue
      values.add(value)
      paths.add(url.slice(pathStart(url), url.indexOf('?')))
    }
    if (values.size !== 1 || values.has(parameter.slice(name.length)) || paths.size < MIN_ROTATED_LINKS) continue
    if (!hasParameter(hrefs, parameter)) return name.slice(0, -1)
  }
  return null
}

/**
 * Tells whether a link carries the address of the page in its query, as links to log in do: such a link is new on every
 * page. The address may be escaped once more than that of the page, or not.
 */
export function carriesUrlOf(pageUrl: string): (link: string) => boolean {
  const path = pageUrl.slice(pathStart(pageUrl))
  const forms = [...new Set([path, decode(path)])]
  return (link) => {
    const queryAt = link.indexOf('?')
    if (queryAt < 0) return false
    const query = decode(link.slice(queryAt))
    return forms.some((form) => endsAfter(query, form))
  }
}

/** Whether a text has this part, followed by nothing or the next parameter. */
function endsAfter(text: string, part: string): boolean {
  const at = text.indexOf(part)
  if (at < 0) return false
  const next = text[at + part.length]
  return next === undefined || next === '&' || next === '#'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // It is not UTF-8.
    return text
  }
}

export function hasParameterNamed(url: string, name: string): boolean {
  return parameterValue(url, `${name}=`) !== null
}

function parameterValue(url: string, name: string): string | null {
  const queryAt = url.indexOf('?')
  if (queryAt < 0) return null
  for (const parameter of url.slice(queryAt + 1).split('&')) {
    if (parameter.startsWith(name)) return parameter.slice(name.length)
  }
  return null
}

function hasParameter(hrefs: Iterable<string>, parameter: string): boolean {
  for (const href of hrefs) {
    const at = href.indexOf(parameter)
    if (at > 0 && /[?&]/.test(href[at - 1] ?? '') && /^(?:$|[&#])/.test(href.slice(at + parameter.length))) return true
  }
  return false
}
