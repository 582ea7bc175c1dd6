// Links that only vary the query of their own page, such as one more filter of a shop, and links that repeat the page's
// parameter under a value that changes with every request, as session ids do. Each is a way to generate URLs without
// end, but also how some sites page through real content: such links are held, not dropped.

import { pathStart } from '../url/url-key.ts'

/** What the links of a page have to begin with to vary its query; null when it has none. */
export function queryPrefixOf(pageUrl: string): string | null {
  const queryAt = pageUrl.indexOf('?')
  return queryAt < 0 || queryAt === pageUrl.length - 1 ? null : pageUrl.slice(0, queryAt + 1)
}

/** Whether a link leads to the page's own path with two parameters or more. */
export function isQueryVariation(path: string, url: string): boolean {
  return url.startsWith(path) && url.indexOf('&', path.length) > 0
}

/** Links that have to agree on the new value. */
const MIN_ROTATED_LINKS = 3

/**
 * The parameter of the page that its new links carry with one and the same other value, and no link of the page with
 * the page's own. `hrefs` are all links of the page as written.
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
