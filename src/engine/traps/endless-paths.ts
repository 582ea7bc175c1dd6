// Recognises pages that lead ever deeper by links that are relative by mistake: /a/b/a/b/ with a link to a/b/. Such links
// are rejected for their shape at some depth, so they do not show that the pages grow; the page itself does.

import { pathStart } from '../url/url-key.ts'
import { findUrlShapeProblem, type UrlShapeLimits } from '../url/url-shape.ts'

/**
 * Whether a page whose path is long or repeats segments has a link below itself that is rejected for that. `resolve`
 * returns null for links to other hosts.
 */
export function hasEndlessPath(
  pageUrl: string,
  hrefs: readonly string[],
  resolve: (href: string) => string | null,
  limits: UrlShapeLimits,
): boolean {
  const { maxPathSegments, maxRepeats, maxQueryParams } = limits
  const soon = { maxPathSegments: maxPathSegments >> 1, maxRepeats: Math.max(1, maxRepeats - 1), maxQueryParams }
  if (!isPathProblem(pageUrl, soon)) return false
  const folder = pageUrl.slice(0, Math.max(pathStart(pageUrl), pageUrl.lastIndexOf('/')) + 1)
  return hrefs.some((href) => {
    const url = resolve(href)
    return url?.startsWith(folder) === true && isPathProblem(url, limits)
  })
}

function isPathProblem(url: string, limits: UrlShapeLimits): boolean {
  const problem = findUrlShapeProblem(url, limits)
  return problem !== null && problem !== 'too_many_parameters'
}
