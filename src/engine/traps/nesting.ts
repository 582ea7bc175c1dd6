// Links that lack their leading slash, on a server that ignores the start of a path: every page has the same pages below
// it as the page above, without end: /a/, /a/b/, /a/b/a/. Such a page shows it by itself: the last two folders of its
// own path are among the names below it.

import { pathStart } from '../url/url-key.ts'

/** Links that do not lead below the folder they stand in: absolute paths and URLs, parents, fragments, queries. */
const NOT_BELOW = /^(?:[/.#?]|[a-z][a-z0-9+.-]*:)/i
const FOLDERS = 2

/** Whether the page lies below copies of itself. `hrefs` are links as written, `baseUrl` is what they resolve against. */
export function isNested(pageUrl: string, baseUrl: string, hrefs: Iterable<string>): boolean {
  const below = childPrefixOf(pageUrl)
  const belowPath = below.slice(pathStart(below))
  const missing = new Set(belowPath.split('/').filter(Boolean).slice(-FOLDERS))
  if (missing.size < FOLDERS) return false
  const folder = withoutQuery(baseUrl).replace(/[^/]*$/, '')
  for (const href of hrefs) {
    const target = NOT_BELOW.test(href) ? href : folder + href
    const name = nameBelow(target, below) ?? nameBelow(target, belowPath)
    if (name !== null && missing.delete(name) && missing.size === 0) return true
  }
  return false
}

/** What the URLs of all pages below a page begin with. */
export function childPrefixOf(pageUrl: string): string {
  return withoutQuery(pageUrl).replace(/\/?$/, '/')
}

/** The first segment behind the prefix; null when there is none. */
function nameBelow(target: string, prefix: string): string | null {
  if (!target.startsWith(prefix)) return null
  return /^[^/?#]+/.exec(target.slice(prefix.length))?.[0] ?? null
}

function withoutQuery(url: string): string {
  const queryAt = url.indexOf('?')
  return queryAt < 0 ? url : url.slice(0, queryAt)
}
