// Recognises endless nesting: links without a leading slash on a server that ignores the start of a path, so that every
// page has the same pages below it as its parent: /a/, /a/b/, /a/b/a/. Such a page can be recognised by itself: the
// last two folders of its own path are among the names below it.

import { pathStart } from '../url/url-key.ts'

/** Links that do not lead below the page's own folder: absolute paths and URLs, parents, fragments, queries. */
const NOT_BELOW = /^(?:[/.#?]|[a-z][a-z0-9+.-]*:)/i
const FOLDERS = 2

/** Whether the page is below copies of itself. `hrefs` are the links as written; they resolve against `baseUrl`. */
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

/** Prefix of the URLs of all pages below a page. */
export function childPrefixOf(pageUrl: string): string {
  return withoutQuery(pageUrl).replace(/\/?$/, '/')
}

/** The first segment after the prefix; null if there is none. */
function nameBelow(target: string, prefix: string): string | null {
  if (!target.startsWith(prefix)) return null
  return /^[^/?#]+/.exec(target.slice(prefix.length))?.[0] ?? null
}

function withoutQuery(url: string): string {
  const queryAt = url.indexOf('?')
  return queryAt < 0 ? url : url.slice(0, queryAt)
}
