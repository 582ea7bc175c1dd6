// The names that a page links to below itself, as one hash. Where links lack their leading slash and the server ignores
// the start of a path, every page has the same names below it as the page above, without end: /a/, /a/b/, /a/b/a/.

import { pathStart } from '../url/key.ts'

const EMPTY = 0x811c9dc5 | 0
const PRIME = 0x01000193
/** Links to other places: absolute paths and URLs, parents, fragments, queries. */
const ELSEWHERE = /^(?:[/.#?]|[a-z][a-z0-9+.-]*:)/i

/** One name below another is no pattern yet. */
const MIN_NAMES = 2

/** The order and number of links do not matter. 0: fewer than two names. `hrefs` are links as written. */
export function hashNamesBelow(pageUrl: string, hrefs: Iterable<string>): number {
  const page = withoutQuery(pageUrl)
  const below = page.endsWith('/') ? page : `${page}/`
  const belowPath = below.slice(pathStart(below))
  const names = new Set<number>()
  let all = 0
  for (const href of hrefs) {
    const name = href.startsWith(below)
      ? href.slice(below.length)
      : href.startsWith(belowPath)
        ? href.slice(belowPath.length)
        : href
    if (name === '' || ELSEWHERE.test(name)) continue
    const hash = hashName(name)
    if (names.has(hash)) continue
    names.add(hash)
    all = (all + Math.imul(hash ^ (hash >>> 15), 0x85ebca77)) | 0
  }
  return names.size < MIN_NAMES ? 0 : all
}

/** The folder of a page, with its slash. */
export function folderOf(pageUrl: string): string {
  const page = withoutQuery(pageUrl)
  return page.slice(0, page.lastIndexOf('/') + 1)
}

function withoutQuery(url: string): string {
  const queryAt = url.indexOf('?')
  return queryAt < 0 ? url : url.slice(0, queryAt)
}

/** Without query and fragment. */
function hashName(name: string): number {
  let hash = EMPTY
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code === 35 || code === 63) break
    hash = Math.imul(hash ^ code, PRIME)
  }
  return hash
}
